//! Bounds of ranges, and phrases for what lies between them.

use super::moment::{Moment, Unit};
use super::names::Teller;
use crate::bind::Kind;
use crate::tree::{BinaryOperator, Expr};
use wherefore_catalog::day;

/// One bound of a range.
pub(super) struct End<'e> {
    pub(super) operand: &'e Expr,
    pub(super) value: &'e Expr,
    pub(super) is_low: bool,
    /// Whether the bound is inclusive.
    pub(super) is_included: bool,
}

/// The bound that a comparison of an expression with a value sets.
pub(super) fn end(expr: &Expr) -> Option<End<'_>> {
    let Expr::Binary { operator, left, right } = expr else { return None };
    let (is_low, is_included) = match operator {
        BinaryOperator::Greater => (true, false),
        BinaryOperator::GreaterOrEqual => (true, true),
        BinaryOperator::Less => (false, false),
        BinaryOperator::LessOrEqual => (false, true),
        _ => return None,
    };
    let turned = is_value(left) && !is_value(right);
    Some(if turned {
        End { operand: right, value: left, is_low: !is_low, is_included }
    } else {
        End { operand: left, value: right, is_low, is_included }
    })
}

/// Whether an expression contains no column and no subquery.
pub(super) fn is_value(expr: &Expr) -> bool {
    let mut names = false;
    crate::walk::walk(expr, &mut |part| {
        names |= matches!(part, Expr::Column { .. } | Expr::Subquery(_));
    });
    !names
}

/// Whether values of this type can have a time of day.
fn has_times(kind: Option<Kind>) -> bool {
    kind != Some(Kind::Date)
}

impl Teller<'_> {
    /// Whether a comparison is one of dates or timestamps, by the type of either side.
    pub(super) fn is_temporal(&self, operand: &Expr, value: &Expr) -> bool {
        match self.kind(operand) {
            Some(kind) if kind.is_temporal() => true,
            Some(Kind::Text | Kind::Untyped) | None => self.known_moment(value).is_some(),
            Some(_) => false,
        }
    }

    /// A range of dates or timestamps, such as `before 2026-01-01`, to follow the phrase for the column.
    pub(super) fn time_range(
        &self,
        low: Option<&End<'_>>,
        high: Option<&End<'_>>,
        block: usize,
    ) -> String {
        let kind = low.or(high).and_then(|end| self.kind(end.operand));
        let moment = |end: &End<'_>| (self.moment(end.value, block), end.is_included);
        match (low.map(moment), high.map(moment)) {
            (Some(low), Some(high)) => both(&low, &high, kind),
            (Some(low), None) => after(&low, kind),
            (None, Some(high)) => before(&high, kind),
            (None, None) => "at any time".to_owned(),
        }
    }

    /// A range of numbers or texts, to follow `is`.
    pub(super) fn plain_range(&self, low: &End<'_>, high: &End<'_>, block: usize) -> String {
        let value = |end: &End<'_>| self.value(end.value, end.operand, block);
        let (first, last) = (value(low), value(high));
        match (low.is_included, high.is_included) {
            (true, true) => format!("from {first} up to and including {last}"),
            (true, false) => format!("at least {first} and less than {last}"),
            (false, true) => format!("more than {first} and at most {last}"),
            (false, false) => format!("more than {first} and less than {last}"),
        }
    }
}

type Limit = (Moment, bool);

fn after((moment, is_included): &Limit, kind: Option<Kind>) -> String {
    match moment {
        Moment::Ago(1, unit) => format!("in the last {}", unit.word()),
        Moment::Ago(count, unit) => format!("in the last {}", unit.count(*count)),
        Moment::Ahead(count, unit) => format!("at least {} from now", unit.count(*count)),
        Moment::Day(day) if *is_included => format!("on or after {day}"),
        Moment::Day(day) if has_times(kind) => format!("after the start of {day}"),
        Moment::Day(day) => format!("after {day}"),
        Moment::Time(time) | Moment::Other(time) if *is_included => format!("at or after {time}"),
        Moment::Time(time) | Moment::Other(time) => format!("after {time}"),
        Moment::Now => "after now".to_owned(),
        Moment::Start(unit, back) => format!("since the start of {}", period(*unit, *back)),
        Moment::Today if *is_included => "today or later".to_owned(),
        Moment::Today => "after today".to_owned(),
    }
}

fn before((moment, is_included): &Limit, kind: Option<Kind>) -> String {
    match moment {
        Moment::Ago(count, unit) if *is_included => {
            format!("at least {} ago", unit.count(*count))
        }
        Moment::Ago(count, unit) => format!("more than {} ago", unit.count(*count)),
        Moment::Ahead(count, unit) => format!("before {} from now", unit.count(*count)),
        Moment::Day(day) if !*is_included => format!("before {day}"),
        Moment::Day(day) if has_times(kind) => format!("up to {day} 00:00"),
        Moment::Day(day) => format!("on or before {day}"),
        Moment::Time(time) | Moment::Other(time) if *is_included => format!("at or before {time}"),
        Moment::Time(time) | Moment::Other(time) => format!("before {time}"),
        Moment::Now => "up to now".to_owned(),
        Moment::Start(unit, back) => format!("before the start of {}", period(*unit, *back)),
        Moment::Today if *is_included && !has_times(kind) => "up to today".to_owned(),
        Moment::Today => "before today".to_owned(),
    }
}

fn both(low: &Limit, high: &Limit, kind: Option<Kind>) -> String {
    let apart = || format!("{} and {}", after(low, kind), before(high, kind));
    match (&low.0, &high.0) {
        (Moment::Day(first), Moment::Day(last)) if low.1 => {
            let end = if high.1 && !has_times(kind) {
                Some(last.clone())
            } else if high.1 {
                return format!("from {first} up to {last} 00:00");
            } else {
                day::parse(last).and_then(|date| day::plus_days(date, -1)).map(day::text)
            };
            match end {
                Some(end) if end == *first => format!("on {first}"),
                Some(end) if end > *first => format!("from {first} up to and including {end}"),
                _ => apart(),
            }
        }
        (Moment::Day(first), Moment::Time(last)) if low.1 && high.1 => {
            match last.split_once(" 23:59:59") {
                Some((day, _)) if day >= first.as_str() => {
                    if day == first {
                        format!("on {first}")
                    } else {
                        format!("from {first} up to and including {day}")
                    }
                }
                _ => format!("from {first} up to {last}"),
            }
        }
        (Moment::Start(unit, back), Moment::Start(other, next))
            if unit == other && low.1 && !high.1 && *next == back - 1 =>
        {
            format!("in {}", period(*unit, *back))
        }
        (Moment::Ago(..) | Moment::Start(..), Moment::Now) => after(low, kind),
        (Moment::Ago(..) | Moment::Start(..), Moment::Today) if high.1 && !has_times(kind) => {
            after(low, kind)
        }
        (Moment::Ago(first, unit), Moment::Today) if !high.1 => {
            format!("in the last {} before today", unit.count(*first))
        }
        (Moment::Ago(first, unit), Moment::Ago(last, other)) => {
            format!("between {} and {} ago", unit.count(*first), other.count(*last))
        }
        (Moment::Today | Moment::Now, Moment::Ahead(1, unit)) => {
            format!("in the next {}", unit.word())
        }
        (Moment::Today | Moment::Now, Moment::Ahead(count, unit)) => {
            format!("in the next {}", unit.count(*count))
        }
        _ => apart(),
    }
}

/// The current period, or one before or after it.
pub(super) fn period(unit: Unit, back: i32) -> String {
    let word = unit.word();
    match back {
        0 => format!("this {word}"),
        1 if unit == Unit::Day => "yesterday".to_owned(),
        -1 if unit == Unit::Day => "tomorrow".to_owned(),
        1 => format!("last {word}"),
        -1 => format!("next {word}"),
        _ if back > 0 => format!("the {word} {} ago", unit.count(back.unsigned_abs())),
        _ => format!("the {word} {} from now", unit.count(back.unsigned_abs())),
    }
}

/// A point in time, to follow `is`.
pub(super) fn exact(moment: &Moment) -> String {
    match moment {
        Moment::Ago(count, unit) => format!("exactly {} ago", unit.count(*count)),
        Moment::Ahead(count, unit) => format!("exactly {} from now", unit.count(*count)),
        Moment::Day(text) | Moment::Time(text) | Moment::Other(text) => text.clone(),
        Moment::Now => "now".to_owned(),
        Moment::Start(unit, back) => format!("the start of {}", period(*unit, *back)),
        Moment::Today => "today".to_owned(),
    }
}
