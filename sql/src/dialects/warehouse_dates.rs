//! Dates and times of Snowflake and Trino: sums, differences, buckets, parts, formats.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::tree::{BinaryOperator, Expr, Literal};

use super::dates::cast;
use super::formats::{Family, translated};
use super::intervals;
use super::kinds::{is_day, is_interval, is_moment, is_span, kind};
use super::template::plain_arguments;
use super::warehouse::Warehouse;

/// A timestamp without a time zone, in which PostgreSQL computes with dates.
fn moment(value: &Expr) -> Expr {
    if is_moment(value) { value.clone() } else { cast(value.clone(), "timestamp") }
}

/// A sum or difference with a date or time; `None` for other operands.
pub(super) fn sum(
    own: Warehouse,
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
        let count = if less { negative(count) } else { count.clone() };
        own.added("day", count, value.clone())
    };
    Ok(Some(match () {
        () if is_span(left) && is_span(right) => return Ok(None),
        () if is_span(right) => own.moved(left, right, less)?,
        () if is_span(left) && !less => own.moved(right, left, false)?,
        () if less && is_day(left) && is_day(right) => {
            let (from, to) = (cast(right.clone(), "date"), cast(left.clone(), "date"));
            let unit = own.unit("day");
            let name = if own.is_trino() { "date_diff" } else { "datediff" };
            Expr::call(name, vec![unit, from, to])
        }
        () if less && (is_moment(left) || is_day(left)) && (is_moment(right) || is_day(right)) => {
            return Err(own.refuse("a difference of times"));
        }
        () if is_day(left) && kind(right) == Some(Kind::Integer) => days(left, right),
        () if !less && is_day(right) && kind(left) == Some(Kind::Integer) => days(right, left),
        () => return Ok(None),
    }))
}

fn negative(count: &Expr) -> Expr {
    Expr::Unary { negative: true, operand: Box::new(count.clone()) }
}

/// The call of a date function for its arguments; `None` for other calls.
pub(super) fn function(
    own: Warehouse,
    name: &str,
    arguments: &[Expr],
) -> Result<Option<Expr>, Diagnostic> {
    Ok(Some(match (name, arguments) {
        ("date_trunc", [Expr::Literal(Literal::String(unit), _), value]) => {
            own.truncated(unit, value)?
        }
        ("date_part", [Expr::Literal(Literal::String(field), _), value]) => {
            own.part(&field.to_lowercase(), value)?
        }
        ("to_char", [value, Expr::Literal(Literal::String(format), _)]) => {
            if is_interval(value) || format.contains(['0', '9']) {
                return Err(own.refuse("to_char of a number or an interval"));
            }
            let format = own.format(format)?;
            if own.is_trino() && format.contains("%f") {
                return Err(own.refuse("to_char with microseconds"));
            }
            let name = if own.is_trino() { "date_format" } else { "to_char" };
            Expr::call(name, vec![moment(value), Expr::string(format)])
        }
        ("to_date", [text, Expr::Literal(Literal::String(format), _)]) => {
            let format = Expr::string(own.format(format)?);
            if own.is_trino() {
                cast(Expr::call("date_parse", vec![text.clone(), format]), "date")
            } else {
                Expr::call("to_date", vec![text.clone(), format])
            }
        }
        _ => return Ok(None),
    }))
}

impl Warehouse {
    /// A unit, as a text: a word would be the name of a column where one is called like it.
    fn unit(self, unit: &str) -> Expr {
        Expr::string(unit)
    }

    fn added(self, unit: &str, count: Expr, value: Expr) -> Expr {
        let name = if self.is_trino() { "date_add" } else { "dateadd" };
        Expr::call(name, vec![self.unit(unit), count, value])
    }

    /// A date or time plus or minus an interval.
    fn moved(self, value: &Expr, interval: &Expr, less: bool) -> Result<Expr, Diagnostic> {
        let unknown = || self.refuse("this interval");
        let (text, times) = match interval {
            Expr::Literal(Literal::Interval(text), _) => (text, None),
            Expr::Binary { operator: BinaryOperator::Multiply, left, right } => {
                let (interval, count) =
                    if is_interval(left) { (left, right) } else { (right, left) };
                match &**interval {
                    Expr::Literal(Literal::Interval(text), _) => (text, Some(&**count)),
                    _ => return Err(unknown()),
                }
            }
            Expr::Function(call) => match plain_arguments(call).as_deref() {
                Some([count, Expr::Literal(Literal::String(unit), _)]) => {
                    let count = if less { negative(count) } else { count.clone() };
                    return Ok(self.added(unit, count, moment(value)));
                }
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        };
        let sign = if less { -1 } else { 1 };
        let parts = intervals::parts(text).ok_or_else(unknown)?;
        Ok(parts.into_iter().fold(moment(value), |value, (count, unit)| {
            let number = Expr::number((count * sign).to_string());
            let count = match times {
                None => number,
                Some(times) => Expr::binary(times.clone(), BinaryOperator::Multiply, number),
            };
            self.added(unit, count, value)
        }))
    }

    /// The beginning of a year, month, week …, which is a time on PostgreSQL. On Snowflake, the first day of a week is a
    /// setting.
    fn truncated(self, unit: &str, value: &Expr) -> Result<Expr, Diagnostic> {
        let start = |unit: &str| {
            let value = if self.is_trino() { moment(value) } else { value.clone() };
            cast(Expr::call("date_trunc", vec![Expr::string(unit), value]), "timestamp")
        };
        match unit {
            "week" if !self.is_trino() => {
                let weekday = Expr::call("dayofweekiso", vec![value.clone()]);
                let back = Expr::binary(Expr::number("1"), BinaryOperator::Minus, weekday);
                Ok(self.added("day", back, start("day")))
            }
            "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second" => {
                Ok(start(unit))
            }
            unit => Err(self.refuse(format!("date_trunc to {unit:?}"))),
        }
    }

    /// A part of a date. On Snowflake, numbers of weeks and weekdays that are not those of ISO depend on settings.
    pub(super) fn part(self, field: &str, operand: &Expr) -> Result<Expr, Diagnostic> {
        let extract = |field: &str| Expr::Extract {
            field: field.to_owned(),
            operand: Box::new(operand.clone()),
        };
        let call = |snowflake: &str, trino: &str| {
            Expr::call(if self.is_trino() { trino } else { snowflake }, vec![operand.clone()])
        };
        let weekday = || call("dayofweekiso", "day_of_week");
        Ok(match field {
            "year" | "quarter" | "month" | "day" | "hour" | "minute" => extract(field),
            "week" => call("weekiso", "week"),
            "isoyear" => call("yearofweekiso", "year_of_week"),
            "doy" => call("dayofyear", "day_of_year"),
            "isodow" => weekday(),
            "dow" => Expr::binary(weekday(), BinaryOperator::Modulo, Expr::number("7")),
            "epoch" if self.is_trino() => Expr::call("to_unixtime", vec![moment(operand)]),
            "epoch" => {
                let count = Expr::call(
                    "date_part",
                    vec![Expr::string("epoch_microsecond"), operand.clone()],
                );
                let second = Expr::number("1000000");
                Expr::binary(cast(count, "double precision"), BinaryOperator::Divide, second)
            }
            field => return Err(self.refuse(format!("EXTRACT of {field:?}"))),
        })
    }

    /// A format of `to_char` in the target's notation.
    fn format(self, format: &str) -> Result<String, Diagnostic> {
        let to = if self.is_trino() { Family::Mysql } else { Family::Snowflake };
        translated(format, Family::ToChar, to).map_err(|what| self.refuse(what))
    }
}
