//! Calendar ranges in words.

use crate::day;
use crate::intent::DateRange;

/// Names of the months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A calendar range in words; the last day is named, not the day after it.
///
/// Whole years, quarters and months are named ("in 2025", "in Q3 2025", "in October 2025"), other ranges by their first
/// and last day.
pub(crate) fn range_words(range: &DateRange) -> String {
    let last = range.end.as_ref().map(|end| {
        day::parse(end)
            .and_then(|date| day::plus_days(date, -1))
            .map_or_else(|| end.clone(), day::text)
    });
    if let Some(period) = period(range) {
        return format!("in {period}");
    }
    match (&range.start, last) {
        (Some(start), Some(last)) if *start == last => format!("on {start}"),
        (Some(start), Some(last)) => format!("from {start} to {last}"),
        (Some(start), None) => format!("{start} or later"),
        (None, Some(last)) => format!("{last} or earlier"),
        (None, None) => "any time".to_owned(),
    }
}

/// The calendar year, quarter or month that a range is.
fn period(range: &DateRange) -> Option<String> {
    let start = day::parse(range.start.as_ref()?)?;
    let end = day::parse(range.end.as_ref()?)?;
    let lasts = |months: i64| day::plus_months(start, months) == Some(end);
    let (year, month) = (start.year(), usize::try_from(start.month()).ok()?);
    if start.day() != 1 {
        None
    } else if month == 1 && lasts(12) {
        Some(year.to_string())
    } else if month % 3 == 1 && lasts(3) {
        Some(format!("Q{} {year}", month.div_ceil(3)))
    } else if lasts(1) {
        Some(format!("{} {year}", MONTHS.get(month - 1)?))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::range_words;
    use crate::intent::DateRange;

    #[test]
    fn whole_periods_are_named_and_others_told_by_their_days() {
        let words = |start: &str, end: &str| {
            range_words(&DateRange { start: Some(start.to_owned()), end: Some(end.to_owned()) })
        };
        assert_eq!(words("2025-01-01", "2026-01-01"), "in 2025");
        assert_eq!(words("2025-07-01", "2025-10-01"), "in Q3 2025");
        assert_eq!(words("2024-02-01", "2024-03-01"), "in February 2024");
        assert_eq!(words("2025-02-01", "2025-05-01"), "from 2025-02-01 to 2025-04-30");
        assert_eq!(words("2025-07-01", "2026-07-01"), "from 2025-07-01 to 2026-06-30");
        assert_eq!(words("2025-07-02", "2025-08-02"), "from 2025-07-02 to 2025-08-01");
        assert_eq!(words("2025-07-02", "2025-07-03"), "on 2025-07-02");
    }
}
