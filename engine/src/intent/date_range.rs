//! Calendar ranges and grouping periods.

use serde::{Deserialize, Serialize};

/// A half-open calendar range: `start` is inclusive, `end` is exclusive; either can be absent.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct DateRange {
    /// First day, `yyyy-mm-dd`.
    #[serde(default)]
    pub start: Option<String>,
    /// Day after the last, `yyyy-mm-dd`.
    #[serde(default)]
    pub end: Option<String>,
}

/// Length of a grouping period.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TimeGrain {
    /// Calendar day.
    Day,
    /// ISO week.
    Week,
    /// Calendar month.
    Month,
    /// Calendar quarter.
    Quarter,
    /// Calendar year.
    Year,
    /// Day of the week, of all weeks together.
    DayOfWeek,
    /// Hour of the day, of all days together.
    HourOfDay,
    /// Month of the year, of all years together.
    MonthOfYear,
}
