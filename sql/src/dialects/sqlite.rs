//! Rewrites for SQLite: date modifiers, GLOB patterns and JSON paths.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal};

use super::formats::{Family, is_of_number, translated};
use super::kinds::{is_date, is_interval, is_timestamp, whole_number};
use super::template::plain_arguments;
use super::{intervals, json, sqlite_names, unprintable};

/// SQLite's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    match node {
        Expr::Binary {
            operator: operator @ (BinaryOperator::Plus | BinaryOperator::Minus),
            left,
            right,
        } if is_interval(right) => moved(left, right, *operator == BinaryOperator::Minus).map(Some),
        Expr::Cast { operand, to } => Ok(day_of(operand, to)),
        Expr::Like { operand, pattern, case_insensitive: false, negated, escape } => {
            like(operand, pattern, *negated, *escape)
        }
        Expr::Function(call) => function(call),
        _ => Ok(None),
    }
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => truncated(unit, value)?,
        ("to_char", [_, Expr::Literal(Literal::String(format), _)]) if is_of_number(format) => {
            return Err(refuse(format!("the number format {format:?}")));
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            match translated(format, Family::ToChar, Family::Sqlite) {
                Ok(format) => Expr::call("strftime", vec![Expr::string(format), value.clone()]),
                Err(what) => sqlite_names::formatted(value, format).ok_or_else(|| refuse(what))?,
            }
        }
        ("to_date", [value, Expr::Literal(Literal::String(format), _)])
            if format == "YYYY-MM-DD" =>
        {
            Expr::call("date", vec![value.clone()])
        }
        ("split_part", [text, delimiter, place]) if whole_number(place) == Some(1) => {
            first_part(text, delimiter)
        }
        ("lpad" | "rpad", [text, length, fill]) => {
            padded(text, length, fill, call.name == "lpad").ok_or_else(|| refuse(&call.name))?
        }
        ("_like_set", _) => {
            super::patterns::as_glob(call).ok_or_else(|| refuse("this set of characters"))?
        }
        ("round", [value, places]) if whole_number(places).is_some_and(|places| places < 0) => {
            rounded_to_tens(value, places).ok_or_else(|| refuse("round to this many places"))?
        }
        ("upper" | "lower", [Expr::Literal(Literal::String(text), place)]) => {
            let folded =
                if call.name == "upper" { text.to_uppercase() } else { text.to_lowercase() };
            Expr::Literal(Literal::String(folded), *place)
        }
        ("left", [text, count]) => left(text, count),
        ("right", [text, count]) => right(text, count),
        ("_json" | "_json_text", _) => {
            let Some((value, path)) = json::path(call) else { return Ok(None) };
            let operator = match call.name.as_str() {
                "_json" => BinaryOperator::JsonGet,
                _ => BinaryOperator::JsonGetText,
            };
            Expr::binary(value, operator, Expr::string(path))
        }
        ("string_agg", [text, separator]) if call.distinct => {
            if *separator != Expr::string(",") {
                return Err(refuse("a separator with DISTINCT"));
            }
            let arguments = vec![Argument::Expr(text.clone())];
            Expr::from(FunctionCall { name: "group_concat".to_owned(), arguments, ..call.clone() })
        }
        _ => return Ok(None),
    }))
}

/// Date arithmetic as `datetime(value, '+1 month', 'floor')`.
fn moved(value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
    let sign = if less { -1 } else { 1 };
    let mut modifiers = Vec::new();
    match interval {
        Expr::Literal(Literal::Interval(text), _) => {
            let parts = intervals::parts(text).ok_or_else(|| refuse("this interval"))?;
            for (count, unit) in parts {
                let (count, unit) = if unit == "week" { (count * 7, "day") } else { (count, unit) };
                modifiers.push(Expr::string(format!("{:+} {unit}", count * sign)));
                modifiers.extend(clamped(unit));
            }
        }
        Expr::Function(call) => {
            let unit = intervals::unit_of(call).ok_or_else(|| refuse("this interval"))?;
            let Some(Argument::Expr(count)) = call.arguments.first() else {
                return Err(refuse("this interval"));
            };
            let (factor, unit) = if unit == "week" { (7, "day") } else { (1, unit) };
            let count = match factor * sign {
                1 => count.clone(),
                -1 => Expr::Unary { negative: true, operand: Box::new(count.clone()) },
                factor => Expr::binary(
                    count.clone(),
                    BinaryOperator::Multiply,
                    Expr::number(factor.to_string()),
                ),
            };
            let text = Expr::string(format!(" {unit}"));
            modifiers.push(Expr::binary(count, BinaryOperator::Concat, text));
            modifiers.extend(clamped(unit));
        }
        _ => return Err(refuse("this interval")),
    }
    if let Expr::Function(call) = value
        && matches!(call.name.as_str(), "date" | "datetime")
    {
        let mut call = call.clone();
        "datetime".clone_into(&mut call.name);
        call.arguments.extend(modifiers.into_iter().map(Argument::Expr));
        return Ok(Expr::Function(call));
    }
    if !is_date(value) && !is_timestamp(value) {
        let fault = refuse("an interval added to a value that may be a date or a time");
        return Err(fault.hint("cast the value to date or timestamp"));
    }
    let value = match value {
        Expr::Cast { operand, to } if to.name == "timestamp" => (**operand).clone(),
        value => value.clone(),
    };
    Ok(Expr::call("datetime", std::iter::once(value).chain(modifiers).collect()))
}

/// The modifier that clamps to the end of a month, as other servers do: 31 January + 1 month is in February.
fn clamped(unit: &str) -> Option<Expr> {
    matches!(unit, "month" | "year").then(|| Expr::string("floor"))
}

/// Rewrites a cast of `datetime(…)` to a date as `date(…)`.
fn day_of(operand: &Expr, to: &CastType) -> Option<Expr> {
    match operand {
        Expr::Function(call) if to.name == "date" && call.name == "datetime" => {
            Some(FunctionCall { name: "date".to_owned(), ..(**call).clone() }.into())
        }
        _ => None,
    }
}

fn truncated(unit: &str, value: &Expr) -> Result<Expr, Diagnostic> {
    let datetime = |modifiers: &[&str]| {
        let modifiers = modifiers.iter().map(|modifier| Expr::string(*modifier));
        Expr::call("datetime", std::iter::once(value.clone()).chain(modifiers).collect())
    };
    let strftime = |format: &str| Expr::call("strftime", vec![Expr::string(format), value.clone()]);
    Ok(match unit {
        "year" => datetime(&["start of year"]),
        "month" => datetime(&["start of month"]),
        "week" => datetime(&["start of day", "-6 days", "weekday 1"]),
        "day" => datetime(&["start of day"]),
        "hour" => strftime("%Y-%m-%d %H:00:00"),
        "minute" => strftime("%Y-%m-%d %H:%M:00"),
        "second" => datetime(&[]),
        "quarter" => {
            let month = Expr::binary(strftime("%m"), BinaryOperator::Minus, Expr::number("1"));
            let over = Expr::binary(month, BinaryOperator::Modulo, Expr::number("3"));
            let back = Expr::Unary { negative: true, operand: Box::new(over) };
            let months = Expr::binary(back, BinaryOperator::Concat, Expr::string(" months"));
            Expr::call("datetime", vec![value.clone(), Expr::string("start of month"), months])
        }
        unit => return Err(refuse(format!("date_trunc to {unit}"))),
    })
}

/// The text before the first delimiter.
fn first_part(text: &Expr, delimiter: &Expr) -> Expr {
    let found = Expr::call("instr", vec![text.clone(), delimiter.clone()]);
    let is_found = Expr::binary(found.clone(), BinaryOperator::Greater, Expr::number("0"));
    let before = Expr::binary(found, BinaryOperator::Minus, Expr::number("1"));
    let part = Expr::call("substr", vec![text.clone(), Expr::number("1"), before]);
    Expr::Case {
        operand: None,
        branches: vec![(is_found, part)],
        otherwise: Some(Box::new(text.clone())),
    }
}

/// Maximum length of a padded text.
const MAX_PADDED: i64 = 100;

/// A text filled up to a constant length with a constant text, or cut; `None` for other arguments.
fn padded(text: &Expr, length: &Expr, fill: &Expr, at_start: bool) -> Option<Expr> {
    let wanted = whole_number(length).filter(|length| (0..=MAX_PADDED).contains(length))?;
    let Expr::Literal(Literal::String(fill), _) = fill else { return None };
    if fill.is_empty() {
        return None;
    }
    let filling: String = fill.chars().cycle().take(usize::try_from(wanted).ok()?).collect();
    let own = Expr::call("length", vec![text.clone()]);
    let missing = Expr::binary(length.clone(), BinaryOperator::Minus, own.clone());
    let filling = Expr::call("substr", vec![Expr::string(filling), Expr::number("1"), missing]);
    let whole = if at_start { [filling, text.clone()] } else { [text.clone(), filling] };
    let cut = Expr::call("substr", vec![text.clone(), Expr::number("1"), length.clone()]);
    Some(Expr::Case {
        operand: None,
        branches: vec![(Expr::binary(own, BinaryOperator::GreaterOrEqual, length.clone()), cut)],
        otherwise: super::strings::joined(whole.to_vec()).map(Box::new),
    })
}

/// A number rounded to tens, hundreds and so on, for which SQLite's `round` has no places.
fn rounded_to_tens(value: &Expr, places: &Expr) -> Option<Expr> {
    let places = whole_number(places)?.checked_neg()?;
    let factor = 10_i64.checked_pow(u32::try_from(places).ok()?)?;
    let parts = Expr::number(format!("{factor}.0"));
    let divided = Expr::binary(value.clone(), BinaryOperator::Divide, parts);
    let rounded = Expr::call("round", vec![divided]);
    Some(Expr::binary(rounded, BinaryOperator::Multiply, Expr::number(factor.to_string())))
}

/// The first `count` characters; a negative count drops characters from the end.
fn left(text: &Expr, count: &Expr) -> Expr {
    let one = Expr::number("1");
    if whole_number(count).is_some_and(|count| count >= 0) {
        return Expr::call("substr", vec![text.clone(), one, count.clone()]);
    }
    let zero = Expr::number("0");
    let length = Expr::call("length", vec![text.clone()]);
    let rest = Expr::binary(length, BinaryOperator::Plus, count.clone());
    let rest = Expr::call("max", vec![rest, zero.clone()]);
    let count = Expr::Case {
        operand: None,
        branches: vec![(Expr::binary(count.clone(), BinaryOperator::Less, zero), rest)],
        otherwise: Some(Box::new(count.clone())),
    };
    Expr::call("substr", vec![text.clone(), one, count])
}

/// The last `count` characters; a negative count drops characters from the start.
fn right(text: &Expr, count: &Expr) -> Expr {
    let minus = |count: &Expr| Expr::Unary { negative: true, operand: Box::new(count.clone()) };
    let last = Expr::call("substr", vec![text.clone(), minus(count)]);
    if whole_number(count).is_some_and(|count| count > 0) {
        return last;
    }
    let zero = Expr::number("0");
    let start = Expr::binary(Expr::number("1"), BinaryOperator::Minus, count.clone());
    let without = Expr::call("substr", vec![text.clone(), start]);
    let is = |operator| Expr::binary(count.clone(), operator, zero.clone());
    Expr::Case {
        operand: None,
        branches: vec![(is(BinaryOperator::Greater), last), (is(BinaryOperator::Less), without)],
        otherwise: Some(Box::new(Expr::string(""))),
    }
}

/// Case-sensitive LIKE as GLOB, because SQLite's LIKE ignores case.
fn like(
    operand: &Expr,
    pattern: &Expr,
    negated: bool,
    escape: Option<char>,
) -> Result<Option<Expr>, Diagnostic> {
    let Expr::Literal(Literal::String(text), _) = pattern else {
        return Err(refuse("case-sensitive LIKE with a computed pattern"));
    };
    if !text.chars().any(char::is_alphabetic) {
        return Ok(None);
    }
    let mut glob = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let (character, escaped) = match escape {
            Some(escape) if character == escape => match characters.next() {
                Some(next) => (next, true),
                None => return Err(refuse("a LIKE pattern that ends with its escape character")),
            },
            _ => (character, false),
        };
        match character {
            '%' if !escaped => glob.push('*'),
            '_' if !escaped => glob.push('?'),
            '*' | '?' | '[' => {
                glob.push('[');
                glob.push(character);
                glob.push(']');
            }
            character => glob.push(character),
        }
    }
    let matches = Expr::binary(operand.clone(), BinaryOperator::Glob, Expr::string(glob));
    Ok(Some(if negated { Expr::Not(Box::new(matches)) } else { matches }))
}

fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Sqlite, what)
}
