//! Days that are named by their distance from the day of the question.

use crate::day::{self, Date};

/// A day that follows from the day of the question; a default of date parameters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RelativeDay {
    /// The day of the question.
    Today,
    /// The day before.
    Yesterday,
    /// Monday of the same week.
    StartOfWeek,
    /// First day of the same month.
    StartOfMonth,
    /// First day of the same year.
    StartOfYear,
}

impl RelativeDay {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Today, Self::Yesterday, Self::StartOfWeek, Self::StartOfMonth, Self::StartOfYear];

    /// The day with a name such as `start_of_month`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|day| day.name() == name)
    }

    /// Name in a pack.
    pub fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Yesterday => "yesterday",
            Self::StartOfWeek => "start_of_week",
            Self::StartOfMonth => "start_of_month",
            Self::StartOfYear => "start_of_year",
        }
    }

    /// Words for users.
    pub fn words(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Yesterday => "yesterday",
            Self::StartOfWeek => "the start of this week",
            Self::StartOfMonth => "the start of this month",
            Self::StartOfYear => "the start of this year",
        }
    }

    /// The day for a question asked on `today`; `None` before the year 1.
    pub fn on(self, today: Date) -> Option<Date> {
        match self {
            Self::Today => Some(today),
            Self::Yesterday => day::plus_days(today, -1),
            Self::StartOfWeek => {
                day::plus_days(today, -i64::from(today.weekday().to_monday_zero_offset()))
            }
            Self::StartOfMonth => day::new(today.year(), i16::from(today.month()), 1),
            Self::StartOfYear => day::new(today.year(), 1, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RelativeDay;
    use crate::day;

    #[test]
    fn days_follow_from_the_day_of_the_question() {
        let on = |name: &str, today: &str| {
            let found = RelativeDay::named(name)?.on(day::parse(today)?);
            found.map(day::text)
        };
        for (name, today, found) in [
            ("today", "2026-11-20", "2026-11-20"),
            ("yesterday", "2024-03-01", "2024-02-29"),
            ("start_of_week", "2026-11-20", "2026-11-16"),
            ("start_of_week", "2026-11-16", "2026-11-16"),
            ("start_of_week", "2026-11-22", "2026-11-16"),
            ("start_of_week", "2026-01-01", "2025-12-29"),
            ("start_of_month", "2026-11-20", "2026-11-01"),
            ("start_of_year", "2026-11-20", "2026-01-01"),
        ] {
            assert_eq!(on(name, today).as_deref(), Some(found), "{name} on {today}");
        }
        assert_eq!(on("yesterday", "0001-01-01"), None);
        assert_eq!(on("tomorrow", "2026-11-20"), None);
    }
}
