//! Rewrites for Spark SQL, of Apache Spark and Sail: division, dates, patterns, aggregates.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal};

use super::dates::cast;
use super::kinds::{is_fractional, is_interval, kind, whole_number};
use super::marked::is_mark;
use super::template::plain_arguments;
use super::{duckdb, mysql, spark_dates as dates, strings, unprintable};

/// Most digits of a decimal.
const DIGITS: u32 = 38;

/// Spark's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(match node {
        Expr::Binary { operator, left, right } => binary(*operator, left, right)?,
        Expr::Extract { field, operand } => Some(dates::part(field, operand)?),
        Expr::Cast { operand, to } if !is_mark(to) => converted(operand, to)?,
        Expr::Function(call) => function(call)?,
        _ => None,
    })
}

/// Databricks' form of a node, which is Spark's where it has one.
pub(super) fn fitted_databricks(node: &Expr) -> Result<Option<Expr>, Diagnostic> {
    if let Expr::Function(call) = node
        && call.name == "mode"
    {
        return Err(unprintable(Target::Databricks, "mode WITHIN GROUP"));
    }
    fitted(node).map_err(|fault| {
        let (spark, own) = (Target::Spark.to_string(), Target::Databricks.to_string());
        Diagnostic { message: fault.message.replacen(&spark, &own, 1), ..fault }
    })
}

fn binary(operator: BinaryOperator, left: &Expr, right: &Expr) -> Result<Option<Expr>, Diagnostic> {
    use BinaryOperator as Op;
    if let Some(moved) = dates::sum(operator, left, right)? {
        return Ok(Some(moved));
    }
    let is_text = |expr: &Expr| matches!(expr, Expr::Literal(Literal::String(_), _));
    let is_sum = matches!(operator, Op::Plus | Op::Minus | Op::Multiply | Op::Modulo);
    let type_of = |other: &Expr| match kind(other) {
        Some(Kind::Integer) => Some("bigint"),
        Some(Kind::Number) => Some("double precision"),
        _ => None,
    };
    // PostgreSQL gives a literal the type of the other operand.
    if let Some(to) = type_of(right).filter(|_| is_sum && is_text(left)) {
        return Ok(Some(Expr::binary(cast(left.clone(), to), operator, right.clone())));
    }
    if let Some(to) = type_of(left).filter(|_| is_sum && is_text(right)) {
        return Ok(Some(Expr::binary(left.clone(), operator, cast(right.clone(), to))));
    }
    Ok(Some(match operator {
        Op::Divide if is_fractional(left) || is_fractional(right) => divided(left, right),
        Op::Divide => match (kind(left), kind(right)) {
            (Some(Kind::Integer), Some(Kind::Integer)) => whole_quotient(left, right),
            (Some(Kind::Number), _) | (_, Some(Kind::Number)) => divided(left, right),
            _ => {
                let fault = refuse("a division that may be an integer division");
                return Err(fault.hint("cast one operand to a decimal type"));
            }
        },
        Op::Regex => matched(left, right, "(?s)"),
        Op::RegexInsensitive => matched(left, right, "(?is)"),
        Op::NotRegex => Expr::Not(Box::new(matched(left, right, "(?s)"))),
        Op::NotRegexInsensitive => Expr::Not(Box::new(matched(left, right, "(?is)"))),
        _ => return Ok(None),
    }))
}

/// A quotient of integers, which is NULL instead of an error if the divisor is zero.
fn whole_quotient(left: &Expr, right: &Expr) -> Expr {
    Expr::call("_int_div", vec![left.clone(), duckdb::never_zero(right)])
}

/// A quotient as a floating-point number, because that of decimals would be rounded to a scale of its own.
fn divided(left: &Expr, right: &Expr) -> Expr {
    Expr::binary(mysql::double(left), BinaryOperator::Divide, duckdb::never_zero(right))
}

/// Whether a text contains a match of a pattern.
fn matched(text: &Expr, pattern: &Expr, flags: &str) -> Expr {
    let pattern = match pattern {
        Expr::Literal(Literal::String(pattern), _) => Expr::string(format!("{flags}{pattern}")),
        pattern => Expr::binary(Expr::string(flags), BinaryOperator::Concat, pattern.clone()),
    };
    // Not `regexp_like`, which the function table would rewrite.
    Expr::call("rlike", vec![text.clone(), pattern])
}

fn converted(operand: &Expr, to: &CastType) -> Result<Option<Expr>, Diagnostic> {
    let typed = |name: &str, arguments: Vec<u32>| Expr::Cast {
        operand: Box::new(operand.clone()),
        to: CastType { name: name.to_owned(), arguments },
    };
    Ok(match (to.name.as_str(), to.arguments.as_slice()) {
        // A decimal without a scale would have no digits after the point.
        ("decimal" | "dec" | "numeric", []) => Some(match kind(operand) {
            Some(Kind::Integer) => typed("decimal", vec![DIGITS, 0]),
            _ => typed("double precision", Vec::new()),
        }),
        ("decimal" | "dec" | "numeric", [digits, ..]) if *digits > DIGITS => {
            return Err(refuse(format!("a decimal of {digits} digits")));
        }
        ("varchar" | "character varying" | "nvarchar", [length]) => {
            let text = cast(operand.clone(), "text");
            Some(Expr::call("left", vec![text, Expr::number(length.to_string())]))
        }
        ("char" | "character" | "bpchar", _) => return Err(refuse("a text of fixed length")),
        _ => None,
    })
}

fn function(call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
    match call.name.as_str() {
        "percentile_cont" => return Ok(Some(duckdb::interpolated(call))),
        "percentile_disc" | "mode" => return Ok(None),
        "string_agg" => return joined(call).map(Some),
        name if !call.within_group.is_empty() => {
            return Err(refuse(format!("{name} WITHIN GROUP")));
        }
        _ => {}
    }
    let Some(arguments) = plain_arguments(call) else { return Ok(None) };
    Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
        // PostgreSQL takes NULL for an empty text.
        ("concat", parts) => {
            let filled = parts.iter().map(|part| match part {
                Expr::Literal(Literal::String(_), _) => part.clone(),
                part => {
                    let text = cast(part.clone(), "text");
                    Expr::call("coalesce", vec![text, Expr::string("")])
                }
            });
            Expr::call("concat", filled.collect())
        }
        (name, [value]) if name == "avg" || mysql::is_deviation(name) => {
            let name = match name {
                "stddev" => "stddev_samp",
                "variance" => "var_samp",
                name => name,
            };
            let arguments = vec![Argument::Expr(mysql::double(value))];
            FunctionCall { name: name.to_owned(), arguments, ..call.clone() }.into()
        }
        ("div", [left, right]) => whole_quotient(left, right),
        (side @ ("left" | "right"), [text, count]) => {
            // A negative count leaves out characters of the other side.
            let Some(less) = whole_number(count).filter(|count| *count < 0) else {
                return Ok(None);
            };
            let length = Expr::call("char_length", vec![text.clone()]);
            let kept = Expr::binary(
                length,
                BinaryOperator::Minus,
                Expr::number(less.unsigned_abs().to_string()),
            );
            let kept = Expr::call("greatest", vec![kept, Expr::number("0")]);
            Expr::call(side, vec![text.clone(), kept])
        }
        ("substr" | "substring", [_, Expr::Literal(Literal::String(_), _), ..]) => {
            return Err(refuse("substring with a pattern"));
        }
        ("substr" | "substring", [text, start]) => mysql::substring(text, start, None),
        ("substr" | "substring", [text, start, length]) => {
            mysql::substring(text, start, Some(length))
        }
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => {
            dates::truncated(unit, value)?
        }
        ("date_part", [Expr::Literal(Literal::String(field), _), value]) => {
            dates::part(&field.to_lowercase(), value)?
        }
        ("to_char", [value, _]) if is_interval(value) => {
            return Err(refuse("to_char of an interval"));
        }
        ("to_char", [_, Expr::Literal(Literal::String(format), _)])
            if format.contains(['0', '9']) =>
        {
            return Err(refuse("to_char of a number"));
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            dates::formatted(value, format)?
        }
        ("to_date", [text, Expr::Literal(Literal::String(format), _)]) => {
            dates::parsed(text, format)?
        }
        ("_greatest_or_null", _) => strings::null_if_any("greatest", arguments),
        ("_least_or_null", _) => strings::null_if_any("least", arguments),
        _ => return Ok(None),
    }))
}

/// An aggregated text, whose order Spark takes in WITHIN GROUP.
fn joined(call: &FunctionCall) -> Result<Expr, Diagnostic> {
    if call.over.is_some() {
        return Err(refuse("string_agg over a window"));
    }
    let mut call = call.clone();
    if call.within_group.is_empty() {
        call.within_group = std::mem::take(&mut call.order_by);
    }
    Ok(call.into())
}

pub(super) fn refuse(what: impl std::fmt::Display) -> Diagnostic {
    unprintable(Target::Spark, what)
}

#[cfg(test)]
#[path = "spark_tests.rs"]
mod tests;
