//! Years, quarters, months, weeks and days as positions on a time axis.

/// Length of a period.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Grain {
    /// `2025-03-01`.
    Day,
    /// `2025-03`.
    Month,
    /// `2025-Q1`.
    Quarter,
    /// `2025-W09`.
    Week,
    /// `2025`.
    Year,
}

/// Grain of a period in ISO notation, and its position in units of the grain.
///
/// Positions of weeks are approximate at the end of a year, by less than one week.
pub fn period(text: &str) -> Option<(Grain, f64)> {
    let year = number(text.get(..4)?)?;
    let rest = &text[4..];
    if rest.is_empty() {
        return Some((Grain::Year, year));
    }
    let rest = rest.strip_prefix(['-', ' '])?;
    if let Some(quarter) = rest.strip_prefix('Q') {
        let quarter = within(quarter, 1.0, 4.0).filter(|_| quarter.len() == 1)?;
        return Some((Grain::Quarter, year * 4.0 + quarter - 1.0));
    }
    if let Some(week) = rest.strip_prefix('W') {
        let week = within(week, 1.0, 53.0).filter(|_| week.len() == 2)?;
        return Some((Grain::Week, year * 52.1775 + week - 1.0));
    }
    let month = within(rest.get(..2)?, 1.0, 12.0)?;
    let rest = &rest[2..];
    if rest.is_empty() {
        return Some((Grain::Month, year * 12.0 + month - 1.0));
    }
    let day = within(rest.strip_prefix('-')?.get(..2)?, 1.0, 31.0)?;
    let is_date = rest.len() == 3 || rest[3..].starts_with([' ', 'T']);
    is_date.then(|| (Grain::Day, days(year, month, day)))
}

/// Positions of texts that are all periods of one grain.
pub fn positions<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Vec<f64>> {
    let mut grain = None;
    texts
        .map(|text| {
            let (found, position) = period(text)?;
            (*grain.get_or_insert(found) == found).then_some(position)
        })
        .collect()
}

/// Number of days from a fixed date in the Gregorian calendar.
fn days(year: f64, month: f64, day: f64) -> f64 {
    // Years start in March, so that the leap day is the last one.
    let (year, month) = if month <= 2.0 { (year - 1.0, month + 9.0) } else { (year, month - 3.0) };
    let leaps = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
    year * 365.0 + leaps + (month * 153.0 / 5.0 + 0.4).floor() + day
}

fn within(text: &str, least: f64, most: f64) -> Option<f64> {
    number(text).filter(|number| (least..=most).contains(number))
}

fn number(text: &str) -> Option<f64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Grain, period, positions};

    fn distance(from: &str, to: &str) -> f64 {
        let positions = positions([from, to].into_iter()).expect("two periods");
        positions[1] - positions[0]
    }

    fn is_about(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn neighbours_are_one_unit_apart() {
        for (from, to) in [
            ("2024", "2025"),
            ("2024-Q4", "2025-Q1"),
            ("2024-12", "2025-01"),
            ("2024-02-28", "2024-02-29"),
            ("2024-02-29", "2024-03-01"),
            ("2023-02-28", "2023-03-01"),
            ("2024-12-31", "2025-01-01"),
            ("2025-07-31T00:00:00", "2025-08-01 00:00"),
        ] {
            assert!(is_about(distance(from, to), 1.0), "{from} {to}");
        }
    }

    #[test]
    fn weeks_ascend_over_the_end_of_a_year() {
        assert!(distance("2024-W52", "2025-W01") > 0.0);
        assert!(distance("2020-W53", "2021-W01") > 0.0);
    }

    #[test]
    fn a_missing_month_takes_its_place() {
        assert!(is_about(distance("2025-01", "2025-04"), 3.0));
    }

    #[test]
    fn other_texts_are_no_periods() {
        for text in [
            "",
            "202",
            "2025-13",
            "2025-Q5",
            "2025-W54",
            "2025-03-1",
            "2025-03-01x",
            "March",
            "12345",
            "20é5",
        ] {
            assert_eq!(period(text), None, "{text:?}");
        }
    }

    #[test]
    fn grains_do_not_mix() {
        assert_eq!(positions(["2025", "2025-03"].into_iter()), None);
        assert_eq!(period("2025-03").map(|(grain, _)| grain), Some(Grain::Month));
    }
}
