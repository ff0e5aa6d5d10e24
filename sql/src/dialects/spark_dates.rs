//! Dates and times of Spark SQL: sums, differences, parts, formats.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::tree::{BinaryOperator, Expr, Literal};

use super::dates::cast;
use super::formats::{Family, pieces, translated};
use super::intervals;
use super::kinds::{is_day, is_interval, is_moment, is_span, is_timestamp, kind, whole_number};
use super::spark::refuse;
use super::template::plain_arguments;

/// Internal call for the difference of two times, which only EXTRACT of its seconds can take.
const DIFFERENCE: &str = "_difference";

/// A timestamp without a time zone, in which PostgreSQL computes with dates.
fn moment(value: &Expr) -> Expr {
    if is_timestamp(value) { value.clone() } else { cast(value.clone(), "timestamp") }
}

/// A sum or difference with a date or time; `None` for other operands.
pub(super) fn sum(
    operator: BinaryOperator,
    left: &Expr,
    right: &Expr,
) -> Result<Option<Expr>, Diagnostic> {
    let less = match operator {
        BinaryOperator::Plus => false,
        BinaryOperator::Minus => true,
        _ => return Ok(None),
    };
    let days = |value: &Expr, count: &Expr| {
        let count = match count {
            Expr::Literal(..) => count.clone(),
            count => cast(count.clone(), "integer"),
        };
        Expr::call(if less { "date_sub" } else { "date_add" }, vec![value.clone(), count])
    };
    Ok(Some(match () {
        () if is_span(left) && is_span(right) => return Ok(None),
        () if is_span(right) => moved(left, right, less)?,
        () if is_span(left) && !less => moved(right, left, false)?,
        () if less && is_day(left) && is_day(right) => {
            Expr::call("datediff", vec![left.clone(), right.clone()])
        }
        () if less && (is_moment(left) || is_day(left)) && (is_moment(right) || is_day(right)) => {
            Expr::call(DIFFERENCE, vec![left.clone(), right.clone()])
        }
        () if is_day(left) && kind(right) == Some(Kind::Integer) => days(left, right),
        () if !less && is_day(right) && kind(left) == Some(Kind::Integer) => days(right, left),
        () => return Ok(None),
    }))
}

/// A date or time plus or minus an interval.
fn moved(value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
    let operator = if less { BinaryOperator::Minus } else { BinaryOperator::Plus };
    let (text, times) = match interval {
        Expr::Literal(Literal::Interval(text), _) => (text, None),
        Expr::Binary { operator: BinaryOperator::Multiply, left, right } => {
            let (interval, count) = if is_interval(left) { (left, right) } else { (right, left) };
            match &**interval {
                Expr::Literal(Literal::Interval(text), _) => (text, Some(&**count)),
                _ => return Err(refuse("this interval")),
            }
        }
        Expr::Function(call) => match plain_arguments(call).as_deref() {
            Some([count, Expr::Literal(Literal::String(unit), _)]) => {
                let span = span(1, unit, Some(count))?;
                return Ok(Expr::binary(moment(value), operator, span));
            }
            _ => return Err(refuse("this interval")),
        },
        _ => return Err(refuse("this interval")),
    };
    let parts = intervals::parts(text).ok_or_else(|| refuse("this interval"))?;
    parts.into_iter().try_fold(moment(value), |value, (count, unit)| {
        Ok(Expr::binary(value, operator, span(count, unit, times)?))
    })
}

/// An interval of one unit: a literal, or a call if the count is computed.
fn span(count: i64, unit: &str, times: Option<&Expr>) -> Result<Expr, Diagnostic> {
    let (unit, factor) = if unit == "week" { ("day", 7) } else { (unit, 1) };
    let count = count.checked_mul(factor).ok_or_else(|| refuse("this interval"))?;
    let known = match times {
        None => Some(1),
        Some(times) => whole_number(times),
    };
    if let Some(count) = known.and_then(|times| times.checked_mul(count)) {
        let count = Expr::number(count.to_string());
        return Ok(Expr::call("_interval", vec![count, Expr::string(unit)]));
    }
    let Some(times) = times else { return Err(refuse("this interval")) };
    let product = match count {
        1 => times.clone(),
        count => {
            let count = Expr::number(count.to_string());
            Expr::binary(times.clone(), BinaryOperator::Multiply, count)
        }
    };
    let (name, place) = match unit {
        "year" => ("make_ym_interval", 0),
        "month" => ("make_ym_interval", 1),
        "day" => ("make_dt_interval", 0),
        "hour" => ("make_dt_interval", 1),
        "minute" => ("make_dt_interval", 2),
        "second" => ("make_dt_interval", 3),
        unit => return Err(refuse(format!("an interval in the unit {unit}"))),
    };
    let count = if place == 3 { product } else { cast(product, "integer") };
    let mut arguments = vec![Expr::number("0"); place];
    arguments.push(count);
    Ok(Expr::call(name, arguments))
}

/// The beginning of a year, month, week …, which is a time on PostgreSQL.
pub(super) fn truncated(unit: &str, value: &Expr) -> Result<Expr, Diagnostic> {
    match unit {
        "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second" => {
            let start = Expr::call("date_trunc", vec![Expr::string(unit), value.clone()]);
            Ok(cast(start, "timestamp"))
        }
        unit => Err(refuse(format!("date_trunc to {unit:?}"))),
    }
}

/// Seconds since 1970.
fn seconds(value: &Expr) -> Expr {
    cast(cast(value.clone(), "timestamptz"), "double precision")
}

/// The Thursday of the week of a date, whose year is that of the week.
fn thursday(value: &Expr) -> Expr {
    let monday = Expr::call("date_trunc", vec![Expr::string("week"), value.clone()]);
    Expr::call("date_add", vec![cast(monday, "date"), Expr::number("3")])
}

/// A part of a date.
pub(super) fn part(field: &str, operand: &Expr) -> Result<Expr, Diagnostic> {
    let call = |name: &str| Expr::call(name, vec![operand.clone()]);
    let plus = |value, operator| Expr::binary(value, operator, Expr::number("1"));
    if let Expr::Function(found) = operand
        && found.name == DIFFERENCE
    {
        let arguments = plain_arguments(found).unwrap_or_default();
        return match (field, arguments.as_slice()) {
            ("epoch", [later, earlier]) => {
                Ok(Expr::binary(seconds(later), BinaryOperator::Minus, seconds(earlier)))
            }
            _ => Err(refuse(format!("EXTRACT of {field:?} from a difference of times"))),
        };
    }
    Ok(match field {
        "year" | "quarter" | "month" | "day" | "hour" | "minute" => call(field),
        "week" => call("weekofyear"),
        "second" => {
            let field = field.to_owned();
            let exact = Expr::Extract { field, operand: Box::new(operand.clone()) };
            cast(exact, "double precision")
        }
        "doy" => call("dayofyear"),
        "dow" => plus(call("dayofweek"), BinaryOperator::Minus),
        "isodow" => plus(call("weekday"), BinaryOperator::Plus),
        "isoyear" => Expr::call("year", vec![thursday(operand)]),
        "epoch" => seconds(operand),
        field => return Err(refuse(format!("EXTRACT of {field:?}"))),
    })
}

/// A date in a format of `to_char`.
pub(super) fn formatted(value: &Expr, format: &str) -> Result<Expr, Diagnostic> {
    let text = |value: Expr| cast(value, "text");
    let written =
        |format: &str| Expr::call("date_format", vec![value.clone(), Expr::string(format)]);
    let upper = |format: &str| Expr::call("upper", vec![written(format)]);
    let unknown = || refuse(format!("the format {format:?}"));
    let found = pieces(format, Family::ToChar, Family::Java).ok_or_else(unknown)?;
    let parts = found.into_iter().map(|piece| {
        Ok(match piece {
            Ok(format) => written(&format),
            Err("iso weekday") => text(part("isodow", value)?),
            Err("iso year") => text(part("isoyear", value)?),
            Err("iso week") => {
                let week = text(part("week", value)?);
                Expr::call("lpad", vec![week, Expr::number("2"), Expr::string("0")])
            }
            Err("month name in capitals") => upper("MMMM"),
            Err("short month name in capitals") => upper("MMM"),
            Err("short weekday name in capitals") => upper("EEE"),
            Err(part) => return Err(refuse(format!("{part} in the format {format:?}"))),
        })
    });
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?.into_iter();
    let first = parts.next().unwrap_or_else(|| Expr::string(""));
    Ok(parts.fold(first, |text, part| Expr::binary(text, BinaryOperator::Concat, part)))
}

/// A date read from a text in a format of `to_char`.
pub(super) fn parsed(text: &Expr, format: &str) -> Result<Expr, Diagnostic> {
    let format = translated(format, Family::ToChar, Family::Java).map_err(refuse)?;
    Ok(Expr::call("to_date", vec![text.clone(), Expr::string(format)]))
}
