//! Rewrites for MySQL and MariaDB: `concat` for `||`, date functions, `DIV`, regular expressions.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Identifier, Literal};

use super::dates::cast;
use super::formats::{Family, pieces, translated};
use super::kinds::{
    is_date, is_fractional, is_interval, is_span, is_timestamp, kind, whole_number,
};
use super::shared::{lower_like, without_filter};
use super::template::plain_arguments;
use super::{intervals, json, mysql_rows, unprintable};

/// Collation by which texts match exactly.
pub(super) const EXACT: &str = "utf8mb4_bin";

/// Difference of two times, of which only the seconds can be told.
const DIFFERENCE: &str = "_difference";

/// MySQL's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(match node {
        Expr::Binary { operator, left, right } => binary(*operator, left, right)?,
        Expr::Extract { field, operand } => part(field, operand)?,
        Expr::Like { case_insensitive: true, .. } => lower_like(node),
        Expr::Like { operand, pattern, negated, escape, .. } => {
            exact_like(operand, pattern, *negated, *escape)
        }
        Expr::Function(call) => function(call)?,
        Expr::InQuery { operand, query, negated } => mysql_rows::limited(query).map(|query| {
            let query = Box::new(query);
            Expr::InQuery { operand: operand.clone(), query, negated: *negated }
        }),
        _ => None,
    })
}

fn binary(operator: BinaryOperator, left: &Expr, right: &Expr) -> Result<Option<Expr>, Diagnostic> {
    use BinaryOperator as Op;
    let is_moment = |expr: &Expr| is_date(expr) || is_timestamp(expr);
    Ok(Some(match operator {
        Op::Concat => {
            let mut parts = Vec::new();
            for side in [left, right] {
                match side {
                    Expr::Function(call) if call.name == "concat" && call.filter.is_none() => {
                        parts.extend(plain_arguments(call).unwrap_or_default());
                    }
                    side => parts.push(side.clone()),
                }
            }
            Expr::call("concat", parts)
        }
        Op::IsDistinctFrom => {
            let equal = Expr::binary(left.clone(), Op::IsNotDistinctFrom, right.clone());
            Expr::Not(Box::new(equal))
        }
        Op::Regex | Op::NotRegex => Expr::binary(left.clone(), operator, with_flag("(?-i)", right)),
        Op::RegexInsensitive => Expr::binary(left.clone(), Op::Regex, with_flag("(?i)", right)),
        Op::NotRegexInsensitive => {
            Expr::binary(left.clone(), Op::NotRegex, with_flag("(?i)", right))
        }
        Op::JsonGet | Op::JsonGetText => {
            let arguments = vec![Argument::Expr(left.clone()), Argument::Expr(right.clone())];
            json_value(&FunctionCall::new("_json", arguments), operator == Op::JsonGetText)?
        }
        Op::Plus | Op::Minus if is_span(right) => moved(left, right, operator == Op::Minus)?,
        Op::Plus if is_span(left) => moved(right, left, false)?,
        Op::Minus if is_moment(left) && is_moment(right) => {
            let both = is_date(left) && is_date(right);
            let name = if both { "datediff" } else { DIFFERENCE };
            Expr::call(name, vec![left.clone(), right.clone()])
        }
        Op::Plus | Op::Minus if is_date(left) && kind(right) == Some(Kind::Integer) => {
            let days = Expr::call("_interval", vec![right.clone(), Expr::string("day")]);
            moved(left, &days, operator == Op::Minus)?
        }
        Op::Divide if is_double(left) || is_double(right) => return Ok(None),
        Op::Divide if is_fractional(left) || is_fractional(right) => divided(left, right),
        Op::Divide => match (kind(left), kind(right)) {
            (Some(Kind::Integer), Some(Kind::Integer)) => {
                Expr::call("_int_div", vec![left.clone(), right.clone()])
            }
            (Some(Kind::Number), _) | (_, Some(Kind::Number)) => divided(left, right),
            _ => {
                let fault = refuse("a division that may be an integer division");
                return Err(fault.hint("cast one operand to a decimal type"));
            }
        },
        _ => return Ok(None),
    }))
}

/// A quotient as a floating-point number: that of decimals has four more decimals than the dividend.
fn divided(left: &Expr, right: &Expr) -> Expr {
    Expr::binary(double(left), BinaryOperator::Divide, right.clone())
}

/// A value as a floating-point number.
pub(super) fn double(value: &Expr) -> Expr {
    if is_double(value) { value.clone() } else { cast(value.clone(), "double precision") }
}

/// Whether an expression is certainly a floating-point number.
fn is_double(expr: &Expr) -> bool {
    match expr {
        Expr::Cast { to, .. } => matches!(to.name.as_str(), "double precision" | "double"),
        Expr::Function(call) => call.name == "avg" || is_deviation(&call.name),
        Expr::Literal(Literal::Number(text), _) => text.contains(['e', 'E']),
        _ => false,
    }
}

/// Whether a function is a standard deviation or a variance.
pub(super) fn is_deviation(name: &str) -> bool {
    matches!(name, "stddev" | "stddev_pop" | "stddev_samp" | "var_pop" | "var_samp" | "variance")
}

/// Part of a text from a position, which PostgreSQL also takes before the first character.
pub(super) fn substring(text: &Expr, start: &Expr, length: Option<&Expr>) -> Expr {
    let mut arguments = vec![text.clone(), start.clone()];
    arguments.extend(length.cloned());
    if let Some(before) = whole_number(start).filter(|start| *start < 1) {
        arguments[1] = Expr::number("1");
        if let Some(length) = length {
            let one = Expr::number((1 - before).to_string());
            let left = Expr::binary(length.clone(), BinaryOperator::Minus, one);
            arguments[2] = Expr::call("greatest", vec![left, Expr::number("0")]);
        }
    }
    Expr::call("substr", arguments)
}

/// A pattern of a regular expression that matches with or without regard to case, whatever the collation.
fn with_flag(flag: &str, pattern: &Expr) -> Expr {
    match pattern {
        Expr::Literal(Literal::String(pattern), _) => Expr::string(format!("{flag}{pattern}")),
        pattern => Expr::call("concat", vec![Expr::string(flag), pattern.clone()]),
    }
}

/// LIKE with regard to case, which the default collation ignores; `None` if nothing in the pattern has a case.
fn exact_like(operand: &Expr, pattern: &Expr, negated: bool, escape: Option<char>) -> Option<Expr> {
    let is_folded = |expr: &Expr| matches!(expr, Expr::Function(call) if matches!(call.name.as_str(), "lower" | "upper"));
    let has_case = match pattern {
        Expr::Literal(Literal::String(text), _) => text.chars().any(char::is_alphabetic),
        _ => true,
    };
    if is_folded(operand) || matches!(operand, Expr::Collate { .. }) || !has_case {
        return None;
    }
    let collation = Identifier { name: EXACT.to_owned(), ..Identifier::default() };
    // A cast gives numbers and dates, and texts in older character sets, one that has the collation.
    let text = cast(operand.clone(), "text");
    Some(Expr::Like {
        operand: Box::new(Expr::Collate { operand: Box::new(text), collation }),
        pattern: Box::new(pattern.clone()),
        case_insensitive: false,
        negated,
        escape,
    })
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    if call.filter.is_some() {
        let call = without_filter(call, Target::Mysql)?;
        return Ok(function(&call)?.or(Some(call.into())));
    }
    if call.name == "string_agg" {
        // The server cuts the text, with a warning, at its `group_concat_max_len`.
        return Ok(Some(FunctionCall { name: "group_concat".to_owned(), ..call.clone() }.into()));
    }
    if let Some(ordered) = mysql_rows::ordered(call) {
        return Ok(Some(ordered));
    }
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        // PostgreSQL takes NULL for an empty text.
        ("concat", parts) => {
            let filled = parts.iter().map(|part| match part {
                Expr::Literal(Literal::String(_), _) => part.clone(),
                part => Expr::call("coalesce", vec![part.clone(), Expr::string("")]),
            });
            Expr::call("concat", filled.collect())
        }
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => truncated(unit, value)?,
        (name, [value]) if name == "avg" || is_deviation(name) => {
            let name = match name {
                "stddev" => "stddev_samp",
                "variance" => "var_samp",
                name => name,
            };
            let arguments = vec![Argument::Expr(double(value))];
            FunctionCall { name: name.to_owned(), arguments, ..call.clone() }.into()
        }
        (side @ ("left" | "right"), [text, count]) => {
            // A negative count leaves out characters of the other side.
            let Some(less) = whole_number(count).filter(|count| *count < 0) else {
                return Ok(None);
            };
            let length = Expr::call("char_length", vec![text.clone()]);
            let kept =
                Expr::binary(length, BinaryOperator::Minus, Expr::number((-less).to_string()));
            let kept = Expr::call("greatest", vec![kept, Expr::number("0")]);
            Expr::call(side, vec![text.clone(), kept])
        }
        ("substr" | "substring", [text, start]) => substring(text, start, None),
        ("substr" | "substring", [text, start, length]) => substring(text, start, Some(length)),
        ("to_char", [_, Expr::Literal(Literal::String(format), _)])
            if format.contains(['0', '9']) =>
        {
            return Err(refuse("to_char of a number"));
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            match translated(format, Family::ToChar, Family::Mysql) {
                Ok(format) => Expr::call("date_format", vec![value.clone(), Expr::string(format)]),
                Err(fault) => formatted(value, format).ok_or_else(|| refuse(fault))?,
            }
        }
        ("to_date", [text, Expr::Literal(Literal::String(format), _)]) => {
            let format = translated(format, Family::ToChar, Family::Mysql).map_err(refuse)?;
            cast(Expr::call("str_to_date", vec![text.clone(), Expr::string(format)]), "date")
        }
        ("_json", _) => json_value(call, false)?,
        ("_json_text", _) => json_value(call, true)?,
        _ => return Ok(None),
    }))
}

/// A date in a format with parts that `date_format` lacks; `None` if one cannot be computed.
fn formatted(value: &Expr, format: &str) -> Option<Expr> {
    let of_value = |name: &str| Expr::call(name, vec![value.clone()]);
    let written =
        |format: &str| Expr::call("date_format", vec![value.clone(), Expr::string(format)]);
    let parts = pieces(format, Family::ToChar, Family::Mysql)?.into_iter().map(|piece| {
        Some(match piece {
            Ok(format) => written(&format),
            Err("iso weekday") => {
                Expr::binary(of_value("weekday"), BinaryOperator::Plus, Expr::number("1"))
            }
            Err("month name in capitals") => Expr::call("upper", vec![written("%M")]),
            Err("quarter") => of_value("quarter"),
            Err("short month name in capitals") => Expr::call("upper", vec![written("%b")]),
            Err("short weekday name in capitals") => Expr::call("upper", vec![written("%a")]),
            Err(_) => return None,
        })
    });
    Some(Expr::call("concat", parts.collect::<Option<_>>()?))
}

fn json_value(call: &FunctionCall, is_text: bool) -> Result<Expr, Diagnostic> {
    let (value, path) = json::path(call).ok_or_else(|| refuse("this JSON path"))?;
    let found = Expr::call("json_extract", vec![value, Expr::string(path)]);
    Ok(if is_text { Expr::call("json_unquote", vec![found]) } else { found })
}

/// A date or time plus or minus an interval.
fn moved(value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
    let name = if less { "date_sub" } else { "date_add" };
    let step = |value: Expr, count: Expr, unit: &str| {
        let interval = Expr::call("_interval", vec![count, Expr::string(unit)]);
        Expr::call(name, vec![value, interval])
    };
    match interval {
        Expr::Literal(Literal::Interval(text), _) => {
            let parts = intervals::parts(text).ok_or_else(|| refuse("this interval"))?;
            Ok(parts.into_iter().fold(value.clone(), |value, (count, unit)| {
                step(value, Expr::number(count.to_string()), unit)
            }))
        }
        Expr::Binary { operator: BinaryOperator::Multiply, left, right } => {
            let (interval, count) = if is_interval(left) { (left, right) } else { (right, left) };
            let Expr::Literal(Literal::Interval(text), _) = &**interval else {
                return Err(refuse("this interval"));
            };
            let parts = intervals::parts(text).ok_or_else(|| refuse("this interval"))?;
            Ok(parts.into_iter().fold(value.clone(), |value, (factor, unit)| {
                let count = match factor {
                    1 => (**count).clone(),
                    factor => Expr::binary(
                        (**count).clone(),
                        BinaryOperator::Multiply,
                        Expr::number(factor.to_string()),
                    ),
                };
                step(value, count, unit)
            }))
        }
        Expr::Function(call) => match plain_arguments(call).as_deref() {
            Some([count, Expr::Literal(Literal::String(unit), _)]) => {
                Ok(step(value.clone(), count.clone(), unit))
            }
            _ => Err(refuse("this interval")),
        },
        _ => Err(refuse("this interval")),
    }
}

/// The beginning of a year, month, week …
fn truncated(unit: &str, value: &Expr) -> Result<Expr, Diagnostic> {
    let moved_back = |start: Expr, count: Expr, unit: &str| {
        let interval = Expr::call("_interval", vec![count, Expr::string(unit)]);
        Expr::call("date_sub", vec![start, interval])
    };
    let format = match unit {
        "year" => "%Y-01-01",
        "month" => "%Y-%m-01",
        "day" => "%Y-%m-%d",
        "hour" => "%Y-%m-%d %H:00:00",
        "minute" => "%Y-%m-%d %H:%i:00",
        "second" => "%Y-%m-%d %H:%i:%s",
        "week" => {
            let weekday = Expr::call("weekday", vec![value.clone()]);
            return Ok(moved_back(cast(value.clone(), "date"), weekday, "day"));
        }
        "quarter" => {
            let month = truncated("month", value)?;
            let months = Expr::binary(
                Expr::binary(
                    Expr::call("month", vec![value.clone()]),
                    BinaryOperator::Minus,
                    Expr::number("1"),
                ),
                BinaryOperator::Modulo,
                Expr::number("3"),
            );
            return Ok(moved_back(month, months, "month"));
        }
        unit => return Err(refuse(format!("date_trunc to {unit:?}"))),
    };
    let text = Expr::call("date_format", vec![value.clone(), Expr::string(format)]);
    Ok(cast(text, "timestamp"))
}

/// A part of a date; `None` if MySQL has it under the same name.
fn part(field: &str, operand: &Expr) -> Result<Option<Expr>, Diagnostic> {
    let call = |name: &str| Expr::call(name, vec![operand.clone()]);
    if let Expr::Function(found) = operand
        && found.name == DIFFERENCE
    {
        let arguments = plain_arguments(found).unwrap_or_default();
        return match (field, arguments.as_slice()) {
            ("epoch", [later, earlier]) => {
                let unit = super::shared::word("microsecond");
                let times = vec![unit, earlier.clone(), later.clone()];
                let micros = Expr::call("timestampdiff", times);
                Ok(Some(divided(&micros, &Expr::number("1000000"))))
            }
            _ => Err(refuse(format!("EXTRACT of {field:?} from a difference of times"))),
        };
    }
    Ok(Some(match field {
        "year" | "quarter" | "month" | "day" | "hour" | "minute" => return Ok(None),
        "second" => {
            let fraction =
                Expr::binary(call("microsecond"), BinaryOperator::Divide, Expr::number("1000000"));
            Expr::binary(call("second"), BinaryOperator::Plus, fraction)
        }
        "doy" => call("dayofyear"),
        "dow" => Expr::binary(call("dayofweek"), BinaryOperator::Minus, Expr::number("1")),
        "isodow" => Expr::binary(call("weekday"), BinaryOperator::Plus, Expr::number("1")),
        // Mode 3 counts weeks as ISO 8601 does.
        "week" => Expr::call("week", vec![operand.clone(), Expr::number("3")]),
        "isoyear" => {
            let week = Expr::call("yearweek", vec![operand.clone(), Expr::number("3")]);
            Expr::call("_int_div", vec![week, Expr::number("100")])
        }
        "epoch" => {
            let start = Expr::literal(Literal::Timestamp("1970-01-01 00:00:00".to_owned()));
            Expr::call("timestampdiff", vec![super::shared::word("second"), start, operand.clone()])
        }
        field => return Err(refuse(format!("EXTRACT of {field:?}"))),
    }))
}

fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Mysql, what)
}
