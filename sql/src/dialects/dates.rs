//! Date arithmetic and date parts, expressed in the tree's vocabulary.

use crate::diagnostic::Diagnostic;
use crate::read::ReadDialect;
use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal};

use super::intervals::{flattened_interval, has_whole_days, is_whole_days};
use super::kinds::{is_date, is_interval, is_text, is_timestamp, whole_number};
use super::{refused, tables};

/// A cast to a type without length or precision.
pub(super) fn cast(operand: Expr, to: &str) -> Expr {
    let to = CastType { name: to.to_owned(), arguments: Vec::new() };
    Expr::Cast { operand: Box::new(operand), to }
}

/// Text cast to timestamp; any other value unchanged.
pub(super) fn as_time(value: &Expr) -> Expr {
    if is_text(value) { cast(value.clone(), "timestamp") } else { value.clone() }
}

/// Name of a unit that is written as a bare word or a string.
fn unit_name(unit: &Expr, from: &str) -> Result<&'static str, Diagnostic> {
    let word = match unit {
        Expr::Column { qualifier: None, name } => name.name.to_ascii_lowercase(),
        Expr::Literal(Literal::String(text), _) => text.to_ascii_lowercase(),
        Expr::Function(call) if call.name == "week" => return week_from(call),
        _ => return Err(refused("a computed date unit")),
    };
    tables::date_part(&word, from).ok_or_else(|| refused(format!("the date unit {word:?}")))
}

/// The week unit with a first day, as in `WEEK(MONDAY)`.
fn week_from(call: &FunctionCall) -> Result<&'static str, Diagnostic> {
    let day = match call.arguments.as_slice() {
        [Argument::Expr(Expr::Column { qualifier: None, name })] => name.name.to_ascii_lowercase(),
        _ => String::new(),
    };
    match day.as_str() {
        "monday" => Ok("week"),
        "sunday" => Ok("week_sunday"),
        _ => Err(refused("a week that starts on another day than Monday or Sunday")),
    }
}

/// A unit that an interval can have.
fn span_unit(unit: &Expr, from: ReadDialect) -> Result<&'static str, Diagnostic> {
    match unit_name(unit, tables::dialect_name(from))? {
        "week_sunday" => Ok("week"),
        "doy" | "weekday_from_one" | "dow" => Ok("day"),
        unit if is_whole_days(unit) || matches!(unit, "hour" | "minute" | "second") => Ok(unit),
        unit => Err(refused(format!("an interval in the unit {unit}"))),
    }
}

/// Replaces numbers in the place of a date with the day that SQL Server means: 0 is 1 January 1900.
pub(super) fn numbers_as_dates(name: &str, arguments: &mut [Expr]) -> Result<(), Diagnostic> {
    let places: &[usize] = match name {
        "_add" | "_as_time" => &[0],
        "_calendar" | "_clock" | "_date_name" | "_part" | "_trunc" => &[1],
        "_diff" | "_full" => &[1, 2],
        _ => &[],
    };
    for place in places {
        let Some(argument) = arguments.get_mut(*place) else { continue };
        if !matches!(argument, Expr::Literal(Literal::Number(_), _)) {
            continue;
        }
        if whole_number(argument) != Some(0) {
            return Err(refused("a number other than 0 in the place of a date"));
        }
        *argument = Expr::literal(Literal::Timestamp("1900-01-01 00:00:00".to_owned()));
    }
    Ok(())
}

/// `value + count units`.
pub(super) fn add(
    value: &Expr,
    count: &Expr,
    unit: &Expr,
    from: ReadDialect,
) -> Result<Expr, Diagnostic> {
    plus(value, &flattened_interval(count.clone(), span_unit(unit, from)?), false)
}

/// `value ± interval`; a date stays a date if the interval consists of whole days.
pub(super) fn plus(value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
    let interval = match interval {
        interval if is_interval(interval) => interval.clone(),
        count if whole_number(count).is_some() => flattened_interval(count.clone(), "day"),
        _ => return Err(refused("adding a value other than an interval to a date")),
    };
    let (operator, interval) = match (negated(&interval), less) {
        (Some(positive), true) => (BinaryOperator::Plus, positive),
        (_, true) => (BinaryOperator::Minus, interval),
        (_, false) => (BinaryOperator::Plus, interval),
    };
    let stays = is_date(value) && has_whole_days(&interval);
    let sum = Expr::binary(as_time(value), operator, interval);
    Ok(if stays { cast(sum, "date") } else { sum })
}

/// The absolute value of a negative interval literal; `None` for any other interval.
fn negated(interval: &Expr) -> Option<Expr> {
    let Expr::Literal(Literal::Interval(text), place) = interval else { return None };
    let text = text.strip_prefix('-')?.to_owned();
    Some(Expr::Literal(Literal::Interval(text), *place))
}

/// The number of unit boundaries between two dates (`_diff`), or of complete units (`_full`).
pub(super) fn difference(
    unit: &Expr,
    start: &Expr,
    end: &Expr,
    from: ReadDialect,
    kind: &str,
) -> Result<Expr, Diagnostic> {
    let unit = match (unit_name(unit, tables::dialect_name(from))?, kind) {
        ("week" | "week_sunday", "_full") => "week",
        ("week", "_diff") if matches!(from, ReadDialect::Redshift | ReadDialect::Duckdb) => {
            return Err(refused("a difference in weeks, whose first day is not defined,"));
        }
        ("week", _) => "week_monday",
        ("doy" | "weekday_from_one" | "dow", _) => "day",
        (unit, _)
            if unit == "week_sunday"
                || is_whole_days(unit)
                || matches!(unit, "hour" | "minute" | "second") =>
        {
            unit
        }
        (unit, _) => return Err(refused(format!("a difference in the unit {unit}"))),
    };
    Ok(Expr::call(&format!("{kind}_{unit}"), vec![as_time(start), as_time(end)]))
}

/// `date_part` as EXTRACT.
pub(super) fn part(unit: &Expr, value: &Expr, from: ReadDialect) -> Result<Expr, Diagnostic> {
    let field = unit_name(unit, tables::dialect_name(from))?;
    let value = as_time(value);
    let truncates = !matches!(
        from,
        ReadDialect::Postgres | ReadDialect::Duckdb | ReadDialect::Oracle | ReadDialect::Redshift
    );
    Ok(match field {
        "week_sunday" => return Err(refused("a week number based on Sunday as the first day")),
        "millisecond" | "microsecond" => {
            return Err(refused(format!("the {field} field of a time")));
        }
        "weekday_from_one" => {
            Expr::binary(extract("dow", value), BinaryOperator::Plus, Expr::number("1"))
        }
        "second" if truncates => Expr::call("floor", vec![extract("second", value)]),
        field => extract(field, value),
    })
}

fn extract(field: &str, operand: Expr) -> Expr {
    Expr::Extract { field: field.to_owned(), operand: Box::new(operand) }
}

fn field_of(unit: &Expr) -> Result<&'static str, Diagnostic> {
    unit_name(unit, "duckdb")
}

/// A date part of a value; text is cast to a date, since functions such as `YEAR(x)` accept it.
pub(super) fn calendar(unit: &Expr, value: &Expr) -> Result<Expr, Diagnostic> {
    let known = is_date(value) || is_timestamp(value);
    let value = if known { value.clone() } else { cast(value.clone(), "date") };
    Ok(extract(field_of(unit)?, value))
}

/// A time part of a value.
pub(super) fn clock(unit: &Expr, value: &Expr) -> Result<Expr, Diagnostic> {
    Ok(extract(field_of(unit)?, as_time(value)))
}

/// `date_trunc`; the result for a date is a date in dialects that return one, else a timestamp.
pub(super) fn truncated(unit: &Expr, value: &Expr, from: ReadDialect) -> Result<Expr, Diagnostic> {
    let unit = match from {
        ReadDialect::Oracle => unit_name(unit, "trunc")?,
        _ => unit_name(unit, tables::dialect_name(from))?,
    };
    if unit == "week_sunday" {
        let day = Expr::literal(Literal::Interval("1 day".to_owned()));
        let next = plus(value, &day, false)?;
        let monday = Expr::call("date_trunc", vec![Expr::string("week"), next]);
        return plus(&monday, &day, true);
    }
    let known = is_whole_days(unit)
        || matches!(unit, "hour" | "minute" | "second" | "century" | "decade" | "millennium");
    if !known {
        return Err(refused(format!("truncating a date to {}", unit.replace('_', " of "))));
    }
    let stays = is_date(value)
        && is_whole_days(unit)
        && matches!(from, ReadDialect::Snowflake | ReadDialect::Duckdb | ReadDialect::Mssql);
    let cut = Expr::call("date_trunc", vec![Expr::string(unit), as_time(value)]);
    Ok(if stays { cast(cut, "date") } else { cut })
}

/// Oracle's and Snowflake's `trunc`, of a number or a date.
pub(super) fn truncated_either(
    value: &Expr,
    to: Option<&Expr>,
    from: ReadDialect,
) -> Result<Expr, Diagnostic> {
    let is_moment = is_date(value) || is_timestamp(value);
    match to {
        Some(Expr::Literal(Literal::String(_), _)) => truncated(to.unwrap_or(value), value, from),
        Some(places) if whole_number(places).is_some() => {
            Ok(Expr::call("trunc", vec![value.clone(), places.clone()]))
        }
        None if is_moment => Ok(cast(value.clone(), "date")),
        None if is_number(value) => Ok(Expr::call("trunc", vec![value.clone()])),
        _ => Err(refused("trunc of a number or a date")),
    }
}

fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number(_), _) => true,
        Expr::Unary { operand, .. } => is_number(operand),
        other => super::kinds::is_fractional(other),
    }
}

/// SQL Server's `datename`: a name for months and weekdays, else the number as text.
pub(super) fn name(unit: &Expr, value: &Expr, from: ReadDialect) -> Result<Expr, Diagnostic> {
    let format = match unit_name(unit, tables::dialect_name(from))? {
        "month" => "FMMonth",
        "weekday_from_one" => "FMDay",
        _ => return Ok(cast(cast(part(unit, value, from)?, "integer"), "text")),
    };
    Ok(Expr::call("to_char", vec![as_time(value), Expr::string(format)]))
}

/// Oracle's last day of a month; `None` if the value may have a time of day, which Oracle keeps.
pub(super) fn last_day(value: &Expr) -> Option<Expr> {
    let literal = |text: &str| Expr::literal(Literal::Interval(text.to_owned()));
    let first = Expr::call("date_trunc", vec![Expr::string("month"), value.clone()]);
    let next = Expr::binary(first, BinaryOperator::Plus, literal("1 month"));
    let last = Expr::binary(next, BinaryOperator::Minus, literal("1 day"));
    is_date(value).then(|| cast(last, "date"))
}

/// The first day with a name after a date, or the last one before it. Oracle keeps the time of day.
pub(super) fn next_day(
    value: &Expr,
    day: &Expr,
    back: bool,
    from: ReadDialect,
) -> Result<Expr, Diagnostic> {
    let Expr::Literal(Literal::String(name), _) = day else {
        return Err(refused("next_day with a computed name"));
    };
    let name: String = name.to_ascii_lowercase().chars().take(2).collect();
    let days = ["mo", "tu", "we", "th", "fr", "sa", "su"];
    let Some(at) = days.iter().position(|known| *known == name) else {
        return Err(refused("next_day with this name"));
    };
    let value = match from {
        ReadDialect::Oracle => as_time(value),
        _ => cast(as_time(value), "date"),
    };
    let own = extract("isodow", value.clone());
    let wanted = Expr::number((at + 1).to_string());
    let (from, to) = if back { (wanted, own) } else { (own, wanted) };
    let apart = Expr::binary(to, BinaryOperator::Minus, from);
    let apart = Expr::binary(apart, BinaryOperator::Plus, Expr::number("6"));
    let apart = Expr::binary(apart, BinaryOperator::Modulo, Expr::number("7"));
    let count = Expr::binary(apart, BinaryOperator::Plus, Expr::number("1"));
    plus(&value, &flattened_interval(count, "day"), back)
}
