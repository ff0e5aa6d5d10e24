//! Calendar days, from the year 1 to 9999.
//!
//! All fallible calls of jiff are in this module and discard the error, so that the texts of jiff's errors (about 90 kB
//! of uncompressed Wasm) are not linked.

use jiff::Span;
pub use jiff::civil::Date;

/// Parses `yyyy-mm-dd`; `None` for other text and for days that do not exist.
pub fn parse(text: &str) -> Option<Date> {
    let number = |range: std::ops::Range<usize>| -> Option<i16> {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let formed = text.len() == 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    formed.then(|| new(number(0..4)?, number(5..7)?, number(8..10)?))?
}

/// The day; `None` if it does not exist.
pub fn new(year: i16, month: i16, day: i16) -> Option<Date> {
    within(Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?)
}

/// The day as `yyyy-mm-dd`.
pub fn text(day: Date) -> String {
    format!("{:04}-{:02}-{:02}", day.year(), day.month(), day.day())
}

/// The day `count` days later.
pub fn plus_days(day: Date, count: i64) -> Option<Date> {
    within(day.checked_add(Span::new().try_days(count).ok()?).ok()?)
}

/// The same day of the month `count` months later, clamped to the last day of that month.
pub fn plus_months(day: Date, count: i64) -> Option<Date> {
    within(day.checked_add(Span::new().try_months(count).ok()?).ok()?)
}

/// Number of days between two days.
pub fn between(one: Date, other: Date) -> u64 {
    one.duration_since(other).as_hours().unsigned_abs() / 24
}

fn within(day: Date) -> Option<Date> {
    (1..=9999).contains(&day.year()).then_some(day)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn months_end_on_their_last_day() {
        assert_eq!(plus_months(date(2024, 3, 31), -1), Some(date(2024, 2, 29)));
        assert_eq!(plus_months(date(2023, 12, 31), 2), Some(date(2024, 2, 29)));
    }

    #[test]
    fn the_calendar_has_an_end() {
        assert_eq!(plus_days(date(9999, 12, 31), 1), None);
        assert_eq!(plus_days(date(1, 1, 1), -1), None);
        assert_eq!(plus_days(date(2026, 11, 20), i64::MAX), None);
        assert_eq!(plus_months(date(2026, 11, 20), i64::MIN), None);
    }

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in
            ["2026-02-29", "2026-13-01", "0000-01-01", "2026-1-1", "2026-01-01T10", "+026-01-01"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(days in 0_i64..3_652_059) {
            let day = plus_days(date(1, 1, 1), days).unwrap();
            prop_assert_eq!(parse(&text(day)), Some(day));
            prop_assert_eq!(text(day), day.to_string());
            prop_assert_eq!(between(day, date(1, 1, 1)), days.unsigned_abs());
        }

        #[test]
        fn any_text_is_taken(text: String) {
            parse(&text);
        }
    }
}
