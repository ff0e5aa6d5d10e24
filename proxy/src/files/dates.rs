//! Dates and times as texts write them.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// Order of day and month where both are numbers before the year.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum DateOrder {
    /// `31/12/2024`
    DayFirst,
    /// `12/31/2024`
    MonthFirst,
}

/// A date, with a time and an offset from UTC if the text has them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Moment {
    pub(super) date: Date,
    pub(super) time: Option<Time>,
    pub(super) offset: Option<Offset>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Reads a date with or without a time. Two-digit years are not read: their century is unknown.
pub(super) fn moment(text: &str, order: DateOrder) -> Option<Moment> {
    // Dates take 8 to 18 characters, times with an offset at most 26.
    if !(8..=48).contains(&text.len()) || !text.is_ascii() {
        return None;
    }
    let (day, clock) = match text.find(':') {
        None => (text, None),
        Some(colon) => {
            let start = text[..colon].rfind(|c: char| !c.is_ascii_digit())?;
            let separator = text.as_bytes()[start];
            if !matches!(separator, b'T' | b't' | b' ') {
                return None;
            }
            (text[..start].trim_end_matches([' ', ',']), Some(&text[start + 1..]))
        }
    };
    let date = date(day, order)?;
    let Some(clock) = clock else { return Some(Moment { date, time: None, offset: None }) };
    let (clock, offset) = zone(clock)?;
    Some(Moment { date, time: Some(time(clock)?), offset })
}

impl Moment {
    /// The date in ISO form.
    pub(super) fn date_text(&self) -> String {
        self.date.to_string()
    }

    /// Date and time in ISO form, in UTC if an offset is known; a date alone begins at midnight.
    pub(super) fn text(&self) -> String {
        let moment = DateTime::from_parts(self.date, self.time.unwrap_or_default());
        let moment = match self.offset.map(|offset| offset.to_timestamp(moment)) {
            Some(Ok(timestamp)) => Offset::UTC.to_datetime(timestamp),
            _ => moment,
        };
        format!("{} {}", moment.date(), moment.time())
    }
}

fn date(text: &str, order: DateOrder) -> Option<Date> {
    let separators = ['-', '/', '.', ' ', ','];
    let mut parts = text.split(separators).filter(|part| !part.is_empty());
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (year, month, day) = if is_year(first) {
        // Years are followed by numbers only, without spaces.
        if text.contains([' ', ',']) {
            return None;
        }
        (first, small(second)?, small(third)?)
    } else if !is_year(third) {
        return None;
    } else if let Some(month) = month(second) {
        (third, month, small(first)?)
    } else if let Some(month) = month(first) {
        (third, month, small(second)?)
    } else if text.contains([' ', ',']) {
        return None;
    } else {
        match order {
            // A point between numbers always follows the day.
            DateOrder::MonthFirst if text.contains('.') => return None,
            DateOrder::MonthFirst => (third, small(first)?, small(second)?),
            DateOrder::DayFirst => (third, small(second)?, small(first)?),
        }
    };
    Date::new(year.parse().ok()?, month, day).ok()
}

/// A number of one or two digits.
fn small(part: &str) -> Option<i8> {
    let fits = part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| part.parse().ok()).flatten()
}

/// Number of a month by its English name or the first three letters of it.
fn month(part: &str) -> Option<i8> {
    let part = part.to_ascii_lowercase();
    let is_named = |name: &str| name == part || part.len() == 3 && name.starts_with(&part);
    let at = MONTHS.iter().position(|name| is_named(name))?;
    i8::try_from(at + 1).ok()
}

/// Time without the offset at its end, and the offset.
fn zone(text: &str) -> Option<(&str, Option<Offset>)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']).or_else(|| text.strip_suffix("UTC")) {
        return Some((clock.trim_end(), Some(Offset::UTC)));
    }
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, None)) };
    let digits = text[at + 1..].replace(':', "");
    let is_numeric = digits.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes) = match digits.len() {
        2 if is_numeric => (digits.parse::<i32>().ok()?, 0),
        4 if is_numeric => (digits[..2].parse::<i32>().ok()?, digits[2..].parse::<i32>().ok()?),
        _ => return None,
    };
    let sign = if text.as_bytes()[at] == b'-' { -1 } else { 1 };
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    Some((text[..at].trim_end(), Some(offset)))
}

/// A time of the day, with 12 or 24 hours.
fn time(text: &str) -> Option<Time> {
    let upper = text.to_ascii_uppercase();
    let (clock, half) = if let Some(clock) = upper.strip_suffix("AM") {
        (clock.trim_end(), Some(0))
    } else if let Some(clock) = upper.strip_suffix("PM") {
        (clock.trim_end(), Some(12))
    } else {
        (upper.as_str(), None)
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (small(parts.next()?)?, parts.next()?);
    let minute = small(minute).filter(|_| minute.len() == 2)?;
    let (second, fraction) = match parts.next() {
        None => ("00", ""),
        Some(part) => part.split_once(['.', ',']).unwrap_or((part, "")),
    };
    let second = small(second).filter(|_| second.len() == 2 && parts.next().is_none())?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) || fraction.len() > 9 {
        return None;
    }
    let hour = match half {
        None => hour,
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
    };
    let nanoseconds = format!("{fraction:0<9}").parse().ok()?;
    Time::new(hour, minute, second, nanoseconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_are_read() {
        for (text, day_first, month_first) in [
            ("2024-02-29", Some("2024-02-29"), Some("2024-02-29")),
            ("2024/2/9", Some("2024-02-09"), Some("2024-02-09")),
            ("29.02.2024", Some("2024-02-29"), None),
            ("3/4/2024", Some("2024-04-03"), Some("2024-03-04")),
            ("03-04-2024", Some("2024-04-03"), Some("2024-03-04")),
            ("31/12/2024", Some("2024-12-31"), None),
            ("12/31/2024", None, Some("2024-12-31")),
            ("5-Jan-2024", Some("2024-01-05"), Some("2024-01-05")),
            ("5 January 2024", Some("2024-01-05"), Some("2024-01-05")),
            ("Jan 5, 2024", Some("2024-01-05"), Some("2024-01-05")),
            ("2023-02-29", None, None),
            ("1/5/24", None, None),
            ("2024-01", None, None),
            ("2024-01-02-03", None, None),
            ("2024 01 02", None, None),
            ("20240102", None, None),
            ("192.168.1.12", None, None),
            ("1.2.3.2024", None, None),
            ("12.5.2024x", None, None),
            ("٢٠٢٤-٠١-٠٢", None, None),
        ] {
            let read = |order| moment(text, order).map(|moment| moment.date_text());
            assert_eq!(read(DateOrder::DayFirst).as_deref(), day_first, "{text}");
            assert_eq!(read(DateOrder::MonthFirst).as_deref(), month_first, "{text}");
        }
    }

    #[test]
    fn times_are_read_and_offsets_are_applied() {
        for (text, expected) in [
            ("2024-02-29 10:11", Some("2024-02-29 10:11:00")),
            ("2024-02-29T10:11:12", Some("2024-02-29 10:11:12")),
            ("2024-02-29T10:11:12.5", Some("2024-02-29 10:11:12.5")),
            ("2024-02-29T23:30:00-02:00", Some("2024-03-01 01:30:00")),
            ("2024-02-29 10:11:12+0530", Some("2024-02-29 04:41:12")),
            ("2024-02-29T10:11:12Z", Some("2024-02-29 10:11:12")),
            ("2024-02-29 10:11:12 UTC", Some("2024-02-29 10:11:12")),
            ("29.02.2024 9:05", Some("2024-02-29 09:05:00")),
            ("29/02/2024, 9:05 PM", Some("2024-02-29 21:05:00")),
            ("29/02/2024 12:05 am", Some("2024-02-29 00:05:00")),
            ("2024-02-29 25:00", None),
            ("2024-02-29 10:1", None),
            ("2024-02-29 13:00 PM", None),
            ("2024-02-29 10:11:12:13", None),
            ("10:11:12", None),
            ("note: 2024-02-29", None),
        ] {
            let read = moment(text, DateOrder::DayFirst).map(|moment| moment.text());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }
}
