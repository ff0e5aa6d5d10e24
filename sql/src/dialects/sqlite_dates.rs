//! Translation of SQLite's `date('now', '-1 month')` and `strftime` into the tree's vocabulary.

use crate::diagnostic::Diagnostic;
use crate::tree::{BinaryOperator, Expr, Literal};

use super::dates::{as_time, cast};
use super::formats::{Family, translated};
use super::kinds::{is_date, is_timestamp};
use super::refused;

/// `date(value, modifier, …)` or `datetime(…)`.
pub(super) fn moved(arguments: &[Expr], to: &str) -> Result<Expr, Diagnostic> {
    let Some((value, modifiers)) = arguments.split_first() else { return Ok(now(to)) };
    let is_now = is_text_of(value, "now");
    if modifiers.is_empty() {
        return Ok(if is_now { now(to) } else { cast(value.clone(), to) });
    }
    let mut built = if is_now {
        now("timestamp")
    } else if is_date(value) || is_timestamp(value) {
        value.clone()
    } else {
        cast(value.clone(), "timestamp")
    };
    for modifier in modifiers {
        let Expr::Literal(Literal::String(text), _) = modifier else {
            return Err(refused("a computed date modifier"));
        };
        built = modified(built, text)?;
    }
    Ok(cast(built, to))
}

fn now(to: &str) -> Expr {
    let name = if to == "date" { "current_date" } else { "current_timestamp" };
    Expr::call(name, Vec::new())
}

fn is_text_of(expr: &Expr, wanted: &str) -> bool {
    matches!(expr, Expr::Literal(Literal::String(text), _) if text.eq_ignore_ascii_case(wanted))
}

fn modified(value: Expr, modifier: &str) -> Result<Expr, Diagnostic> {
    let modifier = modifier.trim().to_ascii_lowercase();
    if let Some(unit) = modifier.strip_prefix("start of ")
        && matches!(unit, "year" | "month" | "day")
    {
        return Ok(Expr::call("date_trunc", vec![Expr::string(unit), value]));
    }
    let words: Vec<&str> = modifier.split_whitespace().collect();
    let &[count, unit] = words.as_slice() else {
        return Err(refused(format!("the date modifier {modifier:?}")));
    };
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    let count = count.strip_prefix('+').unwrap_or(count);
    let Ok(count) = count.parse::<i64>() else {
        return Err(refused(format!("the date modifier {modifier:?}")));
    };
    // SQLite lets an added month overflow: 31 January + 1 month is in March. Only the first of a month is safe.
    if matches!(unit, "month" | "year") && !is_first_of_month(&value) {
        return Err(refused("adding months in SQLite, which can overflow into the next month,"));
    }
    if !matches!(unit, "day" | "hour" | "minute" | "second" | "month" | "year") {
        return Err(refused(format!("the date modifier {modifier:?}")));
    }
    let interval = Expr::literal(Literal::Interval(format!("{count} {unit}")));
    Ok(Expr::binary(value, BinaryOperator::Plus, interval))
}

fn is_first_of_month(value: &Expr) -> bool {
    let Expr::Function(call) = value else { return false };
    call.name == "date_trunc"
        && matches!(call.arguments.first(), Some(crate::tree::Argument::Expr(unit))
            if is_text_of(unit, "month") || is_text_of(unit, "year"))
}

/// `strftime(format, value)`.
pub(super) fn formatted(value: &Expr, format: &Expr) -> Result<Expr, Diagnostic> {
    let Expr::Literal(Literal::String(format), _) = format else {
        return Err(refused("a computed date format"));
    };
    let value = match value {
        value if is_text_of(value, "now") => now("timestamp"),
        value if is_date(value) || is_timestamp(value) => value.clone(),
        value => match as_time(value) {
            cast @ Expr::Cast { .. } => cast,
            other => cast(other, "timestamp"),
        },
    };
    if format == "%s" {
        let seconds = Expr::Extract { field: "epoch".to_owned(), operand: Box::new(value) };
        return Ok(cast(cast(seconds, "bigint"), "text"));
    }
    let format = translated(format, Family::Sqlite, Family::ToChar).map_err(refused)?;
    Ok(Expr::call("to_char", vec![value, Expr::string(format)]))
}
