//! Dates, times and intervals as PostgreSQL writes them.

use std::ops::RangeInclusive;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Span};

/// Days since 1970 of the years 0 to 9999.
pub(super) const DAYS: RangeInclusive<i64> = -719_528..=2_932_896;
/// Microseconds since 1970 of the years 0 to 9999.
pub(super) const MICROSECONDS: RangeInclusive<i64> =
    *DAYS.start() * DAY * 1_000_000..=(*DAYS.end() + 1) * DAY * 1_000_000 - 1;

/// Seconds of a day.
const DAY: i64 = 86_400;
const EPOCH: Date = Date::constant(1970, 1, 1);
const SECOND: i64 = 1_000_000_000;

/// A date, given its days since 1970; `None` outside the years that can be computed.
pub(super) fn date(days: i64) -> Option<String> {
    if days.unsigned_abs() >= i32::MAX.unsigned_abs().into() {
        return Some(if days > 0 { "infinity" } else { "-infinity" }.to_owned());
    }
    let date = EPOCH.checked_add(Span::new().try_days(days).ok()?).ok()?;
    Some(date.to_string())
}

/// A time of day, given its nanoseconds.
pub(super) fn time(nanos: i64) -> String {
    let (seconds, rest) = (nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND));
    let (minutes, hours) = (seconds / 60 % 60, seconds / 3_600);
    format!("{hours:02}:{minutes:02}:{:02}{}", seconds % 60, fraction(rest))
}

/// A value of a column of timestamps, such as `2024-05-01 10:00:00.5`.
pub(super) fn moment(column: &ArrayRef, row: usize) -> Option<String> {
    macro_rules! value {
        ($unit:ty) => {
            column.as_primitive_opt::<$unit>().map(|values| values.value(row))
        };
    }
    let (value, per_second) = None
        .or_else(|| value!(TimestampMicrosecondType).map(|value| (value, 1_000_000)))
        .or_else(|| value!(TimestampNanosecondType).map(|value| (value, SECOND)))
        .or_else(|| value!(TimestampMillisecondType).map(|value| (value, 1_000)))
        .or_else(|| value!(TimestampSecondType).map(|value| (value, 1)))?;
    if value == i64::MAX || value == -i64::MAX {
        return Some(if value > 0 { "infinity" } else { "-infinity" }.to_owned());
    }
    let nanos = value.rem_euclid(per_second) * (SECOND / per_second);
    let since = SignedDuration::new(value.div_euclid(per_second), i32::try_from(nanos).ok()?);
    let midnight = EPOCH.to_datetime(jiff::civil::Time::midnight());
    let moment: DateTime = midnight.checked_add(since).ok()?;
    let (date, time) = (moment.date(), moment.time());
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    Some(format!("{date} {hour:02}:{minute:02}:{second:02}{}", fraction(nanos)))
}

/// An interval, such as `1 year 2 mons 3 days 04:05:06.5`.
pub(super) fn interval(months: i32, days: i32, nanos: i64) -> String {
    let mut parts = Vec::new();
    let mut part = |count: i32, one: &str, many: &str| {
        if count != 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    };
    part(months / 12, "year", "years");
    part(months % 12, "mon", "mons");
    part(days, "day", "days");
    if nanos != 0 || parts.is_empty() {
        let sign = if nanos < 0 { "-" } else { "" };
        let nanos = i64::try_from(nanos.unsigned_abs()).unwrap_or(i64::MAX);
        parts.push(format!("{sign}{}", time(nanos)));
    }
    parts.join(" ")
}

/// Nanoseconds as a fraction without trailing zeros.
fn fraction(nanos: i64) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::TimestampMicrosecondArray;

    use super::*;

    #[test]
    fn dates_and_times_are_written_as_by_postgresql() {
        assert_eq!(date(19_844).unwrap(), "2024-05-01");
        assert_eq!(date(-1).unwrap(), "1969-12-31");
        assert_eq!(date(i32::MAX.into()).unwrap(), "infinity");
        assert_eq!(time(36_000_500_000_000), "10:00:00.5");
        let moments = [1_500_000, -1, i64::MAX];
        let column: ArrayRef = Arc::new(TimestampMicrosecondArray::from(moments.to_vec()));
        assert_eq!(moment(&column, 0).unwrap(), "1970-01-01 00:00:01.5");
        assert_eq!(moment(&column, 1).unwrap(), "1969-12-31 23:59:59.999999");
        assert_eq!(moment(&column, 2).unwrap(), "infinity");
    }

    #[test]
    fn intervals_are_written_as_by_postgresql() {
        assert_eq!(interval(14, 3, 14_706_500_000_000), "1 year 2 mons 3 days 04:05:06.5");
        assert_eq!(interval(0, 1, 0), "1 day");
        assert_eq!(interval(0, 0, 0), "00:00:00");
        assert_eq!(interval(0, -2, -90 * SECOND * 60), "-2 days -01:30:00");
    }
}
