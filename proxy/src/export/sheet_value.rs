//! Cells of a result as values of a spreadsheet.

use jiff::civil::{Date, DateTime, Time};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::Cell;

use super::csv::is_numeral;
use super::xlsx::MOST_PLACES;

/// Significant digits that Excel keeps of a number.
const SAFE_DIGITS: usize = 15;
/// Smallest integer with more digits.
const UNSAFE_INTEGER: u64 = 1_000_000_000_000_000;
/// Day 0 of Excel.
const EPOCH: Date = Date::constant(1899, 12, 30);
/// First day that Excel does not shift by its leap day of 1900.
const FIRST_DAY: f64 = 61.0;
const SECONDS_OF_DAY: f64 = 86_400.0;

/// Value of a cell of a spreadsheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SheetValue {
    Empty,
    Boolean(bool),
    /// A number, and its decimal places if they are shown.
    Number(f64, Option<usize>),
    /// Day of Excel.
    Date(f64),
    /// Day of Excel with a fraction; whether it has a fraction of a second, and whether it is in UTC.
    Moment {
        day: f64,
        is_precise: bool,
        is_utc: bool,
    },
    Text(String),
}

/// The value of a cell of a column with this type. What Excel has no exact value for stays text.
pub(super) fn sheet_value(cell: Cell, data_type: DataType) -> SheetValue {
    match cell {
        Cell::Null => SheetValue::Empty,
        Cell::Boolean(value) => SheetValue::Boolean(value),
        Cell::Integer(value) if value.unsigned_abs() < UNSAFE_INTEGER => {
            SheetValue::Number(value as f64, None)
        }
        Cell::Integer(value) => SheetValue::Text(value.to_string()),
        Cell::Number(value) if value.is_finite() => SheetValue::Number(value, None),
        Cell::Number(value) => SheetValue::Text(value.to_string()),
        Cell::Text(text) if text.is_empty() => SheetValue::Empty,
        Cell::Text(text) => {
            let typed = match data_type {
                DataType::Date => date(&text),
                DataType::Timestamp => moment(&text),
                kind if kind.is_numeric() => decimal(&text),
                _ => None,
            };
            typed.unwrap_or(SheetValue::Text(text))
        }
    }
}

/// A decimal with few enough digits.
fn decimal(text: &str) -> Option<SheetValue> {
    if !is_numeral(text) {
        return None;
    }
    let places = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit);
    if digits.count() > SAFE_DIGITS || places > MOST_PLACES {
        return None;
    }
    Some(SheetValue::Number(text.parse().ok()?, Some(places)))
}

/// A day from March 1900 to the end of 9999.
fn date(text: &str) -> Option<SheetValue> {
    // A date with a time parses as the date alone.
    let date = (text.len() == 10).then(|| text.parse::<Date>().ok())??;
    let day = days(date)?;
    (day >= FIRST_DAY).then_some(SheetValue::Date(day))
}

/// A moment without a time zone or in UTC.
fn moment(text: &str) -> Option<SheetValue> {
    let local = ["Z", "+00:00", "+00"].iter().find_map(|zone| text.strip_suffix(zone));
    let is_utc = local.is_some();
    let local = local.unwrap_or(text);
    // A time with an offset parses without it.
    if local.get(10..).is_some_and(|time| time.contains(['+', '-', '['])) {
        return None;
    }
    let moment: DateTime = local.parse().ok()?;
    let since = moment.duration_since(moment.date().to_datetime(Time::midnight()));
    let day = days(moment.date())?;
    (day >= FIRST_DAY).then_some(SheetValue::Moment {
        day: day + since.as_secs_f64() / SECONDS_OF_DAY,
        is_precise: moment.subsec_nanosecond() != 0,
        is_utc,
    })
}

/// Days since day 0 of Excel.
fn days(date: Date) -> Option<f64> {
    Some(f64::from(date.since(EPOCH).ok()?.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, data_type: DataType) -> SheetValue {
        sheet_value(Cell::Text(text.to_owned()), data_type)
    }

    fn text(text: &str) -> SheetValue {
        SheetValue::Text(text.to_owned())
    }

    #[test]
    fn days_count_as_in_excel_and_others_stay_text() {
        assert_eq!(of("1900-03-01", DataType::Date), SheetValue::Date(61.0));
        assert_eq!(of("2024-02-29", DataType::Date), SheetValue::Date(45_351.0));
        assert_eq!(of("9999-12-31", DataType::Date), SheetValue::Date(2_958_465.0));
        for other in ["1900-02-28", "0000-00-00", "infinity", "2024-02-29 10:11:12"] {
            assert_eq!(of(other, DataType::Date), text(other));
        }
        assert_eq!(of("2024-02-29", DataType::Text), text("2024-02-29"));
    }

    #[test]
    fn a_moment_keeps_its_zone_or_stays_text() {
        let half = |is_precise, is_utc| SheetValue::Moment { day: 45_351.5, is_precise, is_utc };
        assert_eq!(of("2024-02-29 12:00:00", DataType::Timestamp), half(false, false));
        assert_eq!(of("2024-02-29 12:00:00+00", DataType::Timestamp), half(false, true));
        assert_eq!(of("2024-02-29T12:00:00Z", DataType::Timestamp), half(false, true));
        let precise = of("2024-02-29 12:00:00.25", DataType::Timestamp);
        assert!(matches!(precise, SheetValue::Moment { is_precise: true, is_utc: false, .. }));
        let zoned = "2024-02-29 12:00:00+02";
        assert_eq!(of(zoned, DataType::Timestamp), text(zoned));
    }

    #[test]
    fn numbers_that_excel_would_round_are_texts() {
        let number = |value, places| SheetValue::Number(value, Some(places));
        assert_eq!(of("-5.20", DataType::Number), number(-5.2, 2));
        assert_eq!(of("0.000000000000001", DataType::Number), number(1e-15, 15));
        assert_eq!(of("123456789012345", DataType::Number), number(123_456_789_012_345.0, 0));
        for long in ["1234567890123456", "0.1234567890123456", "0.0000000000000001", "1e5", "-"] {
            assert_eq!(of(long, DataType::Number), text(long));
        }
        assert_eq!(
            sheet_value(Cell::Integer(-7), DataType::Integer),
            SheetValue::Number(-7.0, None)
        );
        let long = Cell::Integer(9_007_199_254_740_992);
        assert_eq!(sheet_value(long, DataType::Integer), text("9007199254740992"));
        assert_eq!(sheet_value(Cell::Number(f64::INFINITY), DataType::Number), text("inf"));
    }

    #[test]
    fn a_number_in_a_column_of_text_stays_text() {
        assert_eq!(of("007", DataType::Text), text("007"));
    }
}
