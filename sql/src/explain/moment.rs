//! Points in time: absolute ones, and those relative to today.

use super::names::Teller;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Literal};
use crate::walk::arguments;
use wherefore_catalog::day;

/// A point in time that a column is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Moment {
    /// A number of units before now.
    Ago(u32, Unit),
    /// A number of units after now.
    Ahead(u32, Unit),
    /// A calendar date, as `yyyy-mm-dd`.
    Day(String),
    /// The current time.
    Now,
    /// Any other expression, as a phrase.
    Other(String),
    /// Start of the current period, or of the period a number of units earlier (later if negative).
    Start(Unit, i32),
    /// A date with a time.
    Time(String),
    /// The current date.
    Today,
}

/// Units of time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    pub(super) fn read(word: &str) -> Option<Self> {
        let lower = word.trim().to_ascii_lowercase();
        Some(match lower.strip_suffix('s').unwrap_or(&lower) {
            "second" | "sec" => Self::Second,
            "minute" | "min" => Self::Minute,
            "hour" => Self::Hour,
            "day" => Self::Day,
            "week" => Self::Week,
            "month" | "mon" => Self::Month,
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            _ => return None,
        })
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// A count of the unit, such as `3 days`.
    pub(super) fn count(self, count: u32) -> String {
        if count == 1 { format!("1 {}", self.word()) } else { format!("{count} {}s", self.word()) }
    }
}

/// Parses an interval of one unit.
pub(super) fn interval(text: &str) -> Option<(i32, Unit)> {
    let (count, unit) = text.trim().split_once(' ')?;
    Some((count.trim_start_matches('+').parse().ok()?, Unit::read(unit)?))
}

/// An interval as a phrase.
pub(super) fn span_words(text: &str) -> Option<String> {
    let (count, unit) = interval(text)?;
    Some(unit.count(u32::try_from(count).ok()?))
}

/// Parses a date, with or without a time.
pub(super) fn written(text: &str) -> Option<Moment> {
    let (first, rest) = text.split_at_checked(10)?;
    day::parse(first)?;
    let rest = rest.trim_start_matches(['T', ' ']).trim_end_matches('Z');
    let clock = rest.split(['+', '-']).next().unwrap_or_default();
    if rest.is_empty() {
        return Some(Moment::Day(first.to_owned()));
    }
    if clock != rest || !clock.bytes().all(|c| c.is_ascii_digit() || c == b':' || c == b'.') {
        return None;
    }
    if clock.bytes().all(|c| matches!(c, b'0' | b':' | b'.')) {
        return Some(Moment::Day(first.to_owned()));
    }
    Some(Moment::Time(format!("{first} {clock}")))
}

impl Teller<'_> {
    /// The point in time that an expression denotes.
    pub(super) fn moment(&self, expr: &Expr, block: usize) -> Moment {
        self.known_moment(expr).unwrap_or_else(|| Moment::Other(self.noun(expr, block)))
    }

    /// The point in time that an expression denotes, if it is constant or relative to today.
    pub(super) fn known_moment(&self, expr: &Expr) -> Option<Moment> {
        match expr {
            Expr::Literal(
                Literal::Date(text) | Literal::String(text) | Literal::Timestamp(text),
                _,
            ) => written(text),
            Expr::Cast { operand, to } if is_temporal(&to.name) => {
                let moment = self.known_moment(operand)?;
                Some(match moment {
                    Moment::Now if to.name == "date" => Moment::Today,
                    Moment::Ago(count, unit)
                        if to.name != "date" || unit as u8 >= Unit::Day as u8 =>
                    {
                        Moment::Ago(count, unit)
                    }
                    Moment::Ago(..) | Moment::Ahead(..) | Moment::Time(_) | Moment::Other(_) => {
                        return None;
                    }
                    other => other,
                })
            }
            Expr::Binary { operator, left, right } => self.shifted(*operator, left, right),
            Expr::Function(call) => self.call_moment(call),
            Expr::Column { qualifier: None, name } if self.bound.use_of(name).is_none() => None,
            _ => None,
        }
    }

    fn shifted(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Option<Moment> {
        let sign = match operator {
            BinaryOperator::Minus => -1,
            BinaryOperator::Plus => 1,
            _ => return None,
        };
        let base = self.known_moment(left)?;
        let (count, unit) = match right {
            Expr::Literal(Literal::Interval(text), _) => interval(text)?,
            Expr::Cast { operand, to } if to.name == "interval" => match &**operand {
                Expr::Literal(Literal::String(text), _) => interval(text)?,
                _ => return None,
            },
            Expr::Literal(Literal::Number(text), _) if base != Moment::Now => {
                (text.parse().ok()?, Unit::Day)
            }
            _ => return None,
        };
        moved(base, count.checked_mul(sign)?, unit)
    }

    fn call_moment(&self, call: &FunctionCall) -> Option<Moment> {
        match call.name.as_str() {
            "now"
            | "current_timestamp"
            | "localtimestamp"
            | "transaction_timestamp"
            | "statement_timestamp"
            | "clock_timestamp" => Some(Moment::Now),
            "current_date" => Some(Moment::Today),
            "date_trunc" => {
                let mut found = arguments(call);
                let (Expr::Literal(Literal::String(unit), _), moment) =
                    (found.next()?, found.next()?)
                else {
                    return None;
                };
                match self.known_moment(moment)? {
                    Moment::Now | Moment::Today => started(Unit::read(unit)?, 0),
                    Moment::Ago(count, back) if back == Unit::read(unit)? => {
                        started(back, i32::try_from(count).ok()?)
                    }
                    _ => None,
                }
            }
            "date" | "datetime" => self.modified(call),
            _ => None,
        }
    }

    /// Recognizes SQLite's `date('now', '-30 days')`.
    fn modified(&self, call: &FunctionCall) -> Option<Moment> {
        let text = |argument: &Argument| match argument {
            Argument::Expr(Expr::Literal(Literal::String(text), _)) => Some(text.clone()),
            _ => None,
        };
        let texts: Option<Vec<String>> = call.arguments.iter().map(text).collect();
        let texts = texts?;
        let (first, modifiers) = texts.split_first()?;
        let base = if first.eq_ignore_ascii_case("now") {
            if call.name == "date" { Moment::Today } else { Moment::Now }
        } else {
            written(first)?
        };
        modifiers.iter().try_fold(base, |base, modifier| {
            let lower = modifier.to_ascii_lowercase();
            if lower == "localtime" || lower == "utc" {
                return Some(base);
            }
            if let Some(unit) = lower.strip_prefix("start of ") {
                let unit = Unit::read(unit)?;
                return match base {
                    Moment::Now | Moment::Today => started(unit, 0),
                    Moment::Ago(count, back) if back == unit => {
                        started(unit, i32::try_from(count).ok()?)
                    }
                    _ => None,
                };
            }
            let (count, unit) = interval(&lower)?;
            moved(base, count, unit)
        })
    }
}

fn started(unit: Unit, back: i32) -> Option<Moment> {
    match unit {
        Unit::Day if back == 0 => Some(Moment::Today),
        Unit::Second | Unit::Minute | Unit::Hour => None,
        _ => Some(Moment::Start(unit, back)),
    }
}

fn moved(base: Moment, count: i32, unit: Unit) -> Option<Moment> {
    let size = count.unsigned_abs();
    match base {
        Moment::Now | Moment::Today if count == 0 => Some(base),
        Moment::Now | Moment::Today if count < 0 => Some(Moment::Ago(size, unit)),
        Moment::Now | Moment::Today => Some(Moment::Ahead(size, unit)),
        Moment::Start(of, back) if of == unit => Some(Moment::Start(of, back.checked_sub(count)?)),
        Moment::Start(Unit::Quarter, back) if unit == Unit::Month && count % 3 == 0 => {
            Some(Moment::Start(Unit::Quarter, back.checked_sub(count / 3)?))
        }
        Moment::Start(Unit::Week, back) if unit == Unit::Day && count % 7 == 0 => {
            Some(Moment::Start(Unit::Week, back.checked_sub(count / 7)?))
        }
        Moment::Day(text) => {
            let date = day::parse(&text)?;
            let moved = match unit {
                Unit::Day => day::plus_days(date, i64::from(count)),
                Unit::Week => day::plus_days(date, i64::from(count) * 7),
                Unit::Month => day::plus_months(date, i64::from(count)),
                Unit::Quarter => day::plus_months(date, i64::from(count) * 3),
                Unit::Year => day::plus_months(date, i64::from(count) * 12),
                Unit::Second | Unit::Minute | Unit::Hour => None,
            };
            Some(Moment::Day(day::text(moved?)))
        }
        _ => None,
    }
}

/// Whether a cast's target is a date or a timestamp.
pub(super) fn is_temporal(name: &str) -> bool {
    matches!(name, "date" | "datetime" | "timestamp" | "timestamptz")
}
