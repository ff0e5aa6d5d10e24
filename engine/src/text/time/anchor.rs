//! Anchors: expressions that denote a period or a day by themselves.

use super::calendar::{Period, date};
use super::grammar::Grammar;
use crate::day::Date;
use crate::intent::TimeGrain;

/// Contexts in which an expression denotes a time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Footing {
    /// In any context.
    Certain,
    /// In most contexts; reliably only next to a preposition or in a range.
    Bare,
    /// Only next to a preposition or in a range, because the word has another meaning.
    Ordinary,
    /// Only as a bound of a range.
    Bound,
}

/// The period that an anchor denotes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum When {
    Fixed(Period),
    Yearly(Yearly),
}

/// A period that recurs every year.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Yearly {
    /// Days of a month, both inclusive.
    Days { month: u8, first: u8, last: u8 },
    /// Half of the year, 1 or 2.
    Half(u8),
    /// Month, 1 to 12.
    Month(u8),
    /// Quarter, 1 to 4.
    Quarter(u8),
    /// Meteorological season of the northern hemisphere: 1 is spring, 4 is winter, which ends in the next year.
    Season(u8),
}

/// An expression that denotes a period or a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub(super) when: When,
    pub(super) grain: Option<TimeGrain>,
    pub(super) footing: Footing,
    /// The exact day, used if the expression is the bound of a range, such as "since 2 weeks ago".
    pub(super) exact: Option<Date>,
    /// An alternative reading.
    pub(super) rival: Option<Period>,
    /// Whether the period is relative to today.
    pub(super) relative: bool,
    /// Whether both ends of the range are stated.
    pub(super) stretch: bool,
    /// Whether the year is not stated.
    pub(super) year_assumed: bool,
    /// Index of the piece after the expression.
    pub(super) end: usize,
}

impl Anchor {
    /// An anchor that denotes a time in any context.
    pub(super) fn fixed(period: Period, grain: Option<TimeGrain>, end: usize) -> Self {
        Self::new(When::Fixed(period), grain, end)
    }

    /// An anchor without a year.
    pub(super) fn yearly(yearly: Yearly, end: usize) -> Self {
        Self { year_assumed: true, ..Self::new(When::Yearly(yearly), yearly.grain(), end) }
    }

    /// The same anchor with another footing.
    pub(super) fn with(self, footing: Footing) -> Self {
        Self { footing, ..self }
    }

    /// The same anchor, relative to today.
    pub(super) fn relative(self) -> Self {
        Self { relative: true, ..self }
    }

    /// Whether a date in digits was read month first although day first is possible.
    pub(super) fn is_month_first(&self) -> bool {
        self.rival.is_some() && !self.relative
    }

    /// The period; without a year, the latest one that has begun.
    pub(super) fn period(&self, grammar: &Grammar<'_>) -> Option<Period> {
        match self.when {
            When::Fixed(period) => Some(period),
            When::Yearly(yearly) => yearly.latest(grammar),
        }
    }

    fn new(when: When, grain: Option<TimeGrain>, end: usize) -> Self {
        Self {
            when,
            grain,
            footing: Footing::Certain,
            exact: None,
            rival: None,
            relative: false,
            stretch: false,
            year_assumed: false,
            end,
        }
    }
}

impl Yearly {
    /// The period in a year; `None` if the year does not have it.
    pub(super) fn in_year(self, year: i16) -> Option<Period> {
        match self {
            Self::Days { month, first, last } => {
                let last = Period::day(date(year, month, last)?)?;
                Period::new(date(year, month, first)?, last.end)
            }
            Self::Half(half) => Period::months(year, half * 6 - 5, 6),
            Self::Month(month) => Period::months(year, month, 1),
            Self::Quarter(quarter) => Period::months(year, quarter * 3 - 2, 3),
            Self::Season(season) => Period::months(year, season * 3, 3),
        }
    }

    /// The latest period that has begun.
    pub(super) fn latest(self, grammar: &Grammar<'_>) -> Option<Period> {
        self.years_back(grammar).find(|period| period.start <= grammar.today)
    }

    /// The latest period that is over.
    pub(super) fn latest_over(self, grammar: &Grammar<'_>) -> Option<Period> {
        self.years_back(grammar).find(|period| period.end <= grammar.today)
    }

    /// The first period that has not begun.
    pub(super) fn upcoming(self, grammar: &Grammar<'_>) -> Option<Period> {
        self.first_from(grammar.today.year(), |period| period.start > grammar.today)
    }

    /// The first period from a year on that meets a condition.
    pub(super) fn first_from(self, year: i16, holds: impl Fn(&Period) -> bool) -> Option<Period> {
        (0..9).filter_map(|offset| self.in_year(year.checked_add(offset)?)).find(holds)
    }

    fn years_back(self, grammar: &Grammar<'_>) -> impl Iterator<Item = Period> {
        let year = grammar.today.year();
        (0..9).filter_map(move |offset| self.in_year(year.checked_sub(offset)?))
    }

    fn grain(self) -> Option<TimeGrain> {
        match self {
            Self::Days { .. } => Some(TimeGrain::Day),
            Self::Half(_) | Self::Season(_) => None,
            Self::Month(_) => Some(TimeGrain::Month),
            Self::Quarter(_) => Some(TimeGrain::Quarter),
        }
    }
}
