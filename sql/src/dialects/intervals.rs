//! Intervals: counts of units.

use crate::tree::{BinaryOperator, Expr, Literal};

use super::kinds::whole_number;

/// An interval of one unit: a literal if the count is a number or a string, else a call of `_interval`.
pub(crate) fn flattened_interval(count: Expr, unit: &str) -> Expr {
    let (unit, factor) = if unit == "quarter" { ("month", 3) } else { (unit, 1) };
    if let Some(number) = whole_number(&count).and_then(|number| number.checked_mul(factor)) {
        return Expr::literal(Literal::Interval(format!("{number} {unit}")));
    }
    if let (Expr::Literal(Literal::String(text), _), 1) = (&count, factor) {
        return Expr::literal(Literal::Interval(format!("{text} {unit}")));
    }
    if let (Expr::Literal(Literal::Number(text), _), 1) = (&count, factor) {
        return Expr::literal(Literal::Interval(format!("{text} {unit}")));
    }
    let count = match factor {
        1 => count,
        factor => Expr::binary(count, BinaryOperator::Multiply, Expr::number(factor.to_string())),
    };
    Expr::call("_interval", vec![count, Expr::string(unit)])
}

/// The counts and units of an interval's text, such as `1 month 2 days`; `None` if it has another form.
pub(super) fn parts(text: &str) -> Option<Vec<(i64, &'static str)>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() || !words.len().is_multiple_of(2) {
        return None;
    }
    words
        .chunks_exact(2)
        .map(|pair| match pair {
            [count, unit] => Some((count.parse().ok()?, unit_name(unit)?)),
            _ => None,
        })
        .collect()
}

fn unit_name(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    Some(match word.strip_suffix('s').unwrap_or(&word) {
        "year" => "year",
        "month" | "mon" => "month",
        "week" => "week",
        "day" => "day",
        "hour" => "hour",
        "minute" | "min" => "minute",
        "second" | "sec" => "second",
        _ => return None,
    })
}

/// Whether a unit is a day or longer.
pub(super) fn is_whole_days(unit: &str) -> bool {
    matches!(unit, "year" | "quarter" | "month" | "week" | "day")
}

/// Whether all units of an interval are days or longer.
pub(super) fn has_whole_days(interval: &Expr) -> bool {
    match interval {
        Expr::Literal(Literal::Interval(text), _) => {
            parts(text).is_some_and(|parts| parts.iter().all(|(_, unit)| is_whole_days(unit)))
        }
        Expr::Function(call) => unit_of(call).is_some_and(is_whole_days),
        _ => false,
    }
}

/// Unit of a call of `_interval`.
pub(super) fn unit_of(call: &crate::tree::FunctionCall) -> Option<&str> {
    match (call.name.as_str(), call.arguments.as_slice()) {
        (
            "_interval",
            [_, crate::tree::Argument::Expr(Expr::Literal(Literal::String(unit), _))],
        ) => Some(unit),
        _ => None,
    }
}
