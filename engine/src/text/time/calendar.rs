//! Calendar periods, and units of time.

use crate::day::{self, Date, plus_days, plus_months};
use crate::intent::{DateRange, TimeGrain};

/// A half-open range of days: from `start` up to, but not including, `end`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Period {
    pub(super) start: Date,
    pub(super) end: Date,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Unit {
    Day,
    Week,
    Fortnight,
    Month,
    Quarter,
    Year,
    Decade,
    Weekend,
}

impl Period {
    /// The period; `None` if it is empty.
    pub(super) fn new(start: Date, end: Date) -> Option<Self> {
        (start < end).then_some(Self { start, end })
    }

    /// One day.
    pub(super) fn day(day: Date) -> Option<Self> {
        Self::new(day, plus_days(day, 1)?)
    }

    /// A number of whole months, from the first day of a month.
    pub(super) fn months(year: i16, month: u8, count: i32) -> Option<Self> {
        let start = date(year, month, 1)?;
        Self::new(start, plus_months(start, i64::from(count))?)
    }

    /// Its last day.
    pub(super) fn last_day(self) -> Option<Date> {
        plus_days(self.end, -1)
    }

    /// The serializable range.
    pub(super) fn range(self) -> DateRange {
        DateRange { start: Some(day::text(self.start)), end: Some(day::text(self.end)) }
    }
}

impl Unit {
    /// The unit with this value in the word list.
    pub(super) fn from_value(value: i32) -> Option<Self> {
        Some(match value {
            0 => Self::Day,
            1 => Self::Week,
            2 => Self::Fortnight,
            3 => Self::Month,
            4 => Self::Quarter,
            5 => Self::Year,
            6 => Self::Decade,
            7 => Self::Weekend,
            _ => return None,
        })
    }

    /// The grouping period that corresponds to the unit.
    pub(super) fn grain(self) -> Option<TimeGrain> {
        match self {
            Self::Day | Self::Weekend => Some(TimeGrain::Day),
            Self::Week | Self::Fortnight => Some(TimeGrain::Week),
            Self::Month => Some(TimeGrain::Month),
            Self::Quarter => Some(TimeGrain::Quarter),
            Self::Year => Some(TimeGrain::Year),
            Self::Decade => None,
        }
    }

    /// The calendar period of this unit that contains a day; weeks start on Monday, and a weekend belongs to its week.
    pub(super) fn containing(self, day: Date) -> Option<Period> {
        let monday = plus_days(day, -i64::from(day.weekday().to_monday_zero_offset()))?;
        let month = u8::try_from(day.month()).ok()?;
        match self {
            Self::Day => Period::day(day),
            Self::Week | Self::Fortnight => Period::new(monday, plus_days(monday, 7)?),
            Self::Month => Period::months(day.year(), month, 1),
            Self::Quarter => Period::months(day.year(), (month - 1) / 3 * 3 + 1, 3),
            Self::Year => Period::months(day.year(), 1, 12),
            Self::Decade => Period::months(day.year() / 10 * 10, 1, 120),
            Self::Weekend => Period::new(plus_days(monday, 5)?, plus_days(monday, 7)?),
        }
    }

    /// The day `count` units later, clamped to the last day of the month.
    pub(super) fn later(self, day: Date, count: i64) -> Option<Date> {
        let times = |length: i64| count.checked_mul(length);
        match self {
            Self::Day => plus_days(day, count),
            Self::Week | Self::Weekend => plus_days(day, times(7)?),
            Self::Fortnight => plus_days(day, times(14)?),
            Self::Month => plus_months(day, count),
            Self::Quarter => plus_months(day, times(3)?),
            Self::Year => plus_months(day, times(12)?),
            Self::Decade => plus_months(day, times(120)?),
        }
    }
}

/// The date; `None` if it does not exist.
pub(super) fn date(year: i16, month: u8, day: u8) -> Option<Date> {
    day::new(year, i16::from(month), i16::from(day))
}

#[cfg(test)]
mod tests {
    use super::{Unit, date};

    #[test]
    fn the_calendar_has_an_end() {
        assert_eq!(Unit::Decade.later(date(2026, 11, 20).unwrap(), i64::MAX), None);
        assert_eq!(Unit::Year.containing(date(9999, 5, 5).unwrap()), None);
    }
}
