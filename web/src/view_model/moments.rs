//! Dates and times of a result column in a short form.

use super::locale::Locale;

/// Precision in which all times of a column are shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MomentPrecision {
    /// `2025-03-01`: every time is midnight.
    Day,
    /// `2025-03-01 14:05`: every time is a whole minute.
    Minute,
    /// `2025-03-01 14:05:09`.
    Second,
}

impl MomentPrecision {
    /// The coarsest precision that drops nothing but fractions of seconds.
    pub fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut precision = Self::Day;
        for clock in texts.filter_map(split).map(|(_, clock, _)| clock) {
            if !clock.is_empty() && clock != "00:00" {
                precision = match clock.split_at_checked(5) {
                    Some((time, seconds)) if is_zero(seconds) => match time {
                        "00:00" => precision,
                        _ if precision == Self::Day => Self::Minute,
                        _ => precision,
                    },
                    _ => return Self::Second,
                };
            }
        }
        precision
    }

    /// A date or timestamp in this precision; other texts are returned unchanged.
    pub fn shown(self, text: &str) -> String {
        let Some((date, clock, zone)) = split(text) else { return text.to_owned() };
        let date = Locale::with(|locale| locale.day(date));
        if clock.is_empty() || self == Self::Day {
            return date;
        }
        let length = if self == Self::Minute { 5 } else { 8 };
        let clock = clock.get(..length).unwrap_or(clock);
        match zone {
            "" => format!("{date} {clock}"),
            "Z" | "+00" | "+00:00" => format!("{date} {clock} UTC"),
            zone => format!("{date} {clock} {zone}"),
        }
    }
}

/// Date, time of day and zone of a text in ISO format; time and zone may be empty.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (date, rest) = text.split_at_checked(10)?;
    let is_date = date.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if !is_date {
        return None;
    }
    if rest.is_empty() {
        return Some((date, "", ""));
    }
    let rest = rest.strip_prefix([' ', 'T'])?;
    let end = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(end);
    let is_clock = clock.len() >= 5
        && clock.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    is_clock.then_some((date, clock, zone))
}

fn is_zero(seconds: &str) -> bool {
    seconds.bytes().all(|byte| matches!(byte, b'0' | b':' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::MomentPrecision;

    fn column(texts: &[&str]) -> Vec<String> {
        let precision = MomentPrecision::of(texts.iter().copied());
        texts.iter().map(|text| precision.shown(text)).collect()
    }

    #[test]
    fn midnight_is_dropped_if_it_is_all_there_is() {
        assert_eq!(
            column(&["2025-03-01T00:00:00", "2025-03-02 00:00"]),
            ["2025-03-01", "2025-03-02"]
        );
        assert_eq!(
            column(&["2025-03-01T00:00:00", "2025-03-02T14:05:00"]),
            ["2025-03-01 00:00", "2025-03-02 14:05"]
        );
    }

    #[test]
    fn one_time_with_seconds_shows_the_seconds_of_all() {
        assert_eq!(
            column(&["2025-03-01T14:05:00", "2025-03-01T14:05:09.123"]),
            ["2025-03-01 14:05:00", "2025-03-01 14:05:09"]
        );
    }

    #[test]
    fn the_zone_is_kept() {
        assert_eq!(
            column(&["2025-03-01T14:05:00+00:00", "2025-03-01T14:05:00+02:00"]),
            ["2025-03-01 14:05 UTC", "2025-03-01 14:05 +02:00"]
        );
    }

    #[test]
    fn other_texts_are_left_as_they_are() {
        for text in ["yesterday", "infinity", "2025-03", "2025-03-01 at noon", "20é5-03-01"] {
            assert_eq!(MomentPrecision::Day.shown(text), text);
        }
    }
}
