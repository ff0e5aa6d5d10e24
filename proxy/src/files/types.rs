//! Type of a column, sniffed from all its values, and its values in that type.

use rusqlite::types::Value;

use super::dates::{DateOrder, moment};
use super::numbers::{Decimals, Number, number};

/// What stands for a missing value in columns of other types than text, in lower case.
const MISSING: [&str; 16] = [
    "null", "\\n", "na", "n/a", "nan", "none", "-", "--", "?", "#n/a", "#div/0!", "#value!",
    "#ref!", "#name?", "#num!", "#null!",
];
/// Pairs of words that are false and true, in lower case. A column uses one pair.
const FLAGS: [(&str, &str); 2] = [("false", "true"), ("no", "yes")];

/// Type of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Type {
    /// Truth values, by the position of their pair of words.
    Boolean(usize),
    /// Integers.
    Integer(Decimals),
    /// Numbers with decimals.
    Real(Decimals),
    /// Dates.
    Date(DateOrder),
    /// Dates with times; without an offset, or in UTC.
    DateTime(DateOrder),
    /// Anything else.
    Text,
}

impl Type {
    /// The type as a column declares it.
    pub(super) fn declaration(self) -> &'static str {
        match self {
            Self::Boolean(_) => "BOOLEAN",
            Self::Integer(_) => "INTEGER",
            Self::Real(_) => "REAL",
            Self::Date(_) => "DATE",
            Self::DateTime(_) => "DATETIME",
            Self::Text => "TEXT",
        }
    }

    /// The type in DuckDB.
    #[cfg(unix)]
    pub(super) fn of_duckdb(self) -> &'static str {
        match self {
            Self::Boolean(_) => "BOOLEAN",
            Self::Integer(_) => "BIGINT",
            Self::Real(_) => "DOUBLE",
            Self::Date(_) => "DATE",
            Self::DateTime(_) => "TIMESTAMP",
            Self::Text => "VARCHAR",
        }
    }

    /// A field as a stored value. Empty fields are NULL; what is not of the type stays as it is.
    pub(super) fn value(self, text: &str) -> Value {
        if text.is_empty() || self != Self::Text && is_missing(text) {
            return Value::Null;
        }
        let value = match self {
            Self::Boolean(pair) => flag(text, pair).map(|is_true| Value::Integer(is_true.into())),
            Self::Integer(decimals) | Self::Real(decimals) => {
                number(text, decimals).map(|number| match number {
                    Number::Integer(value) => Value::Integer(value),
                    Number::Real(value) => Value::Real(value),
                })
            }
            Self::Date(order) => moment(text, order).map(|date| Value::Text(date.date_text())),
            Self::DateTime(order) => moment(text, order).map(|time| Value::Text(time.text())),
            Self::Text => None,
        };
        value.unwrap_or_else(|| Value::Text(text.to_owned()))
    }
}

fn is_missing(text: &str) -> bool {
    let can_be = text.len() <= 8 && !text.starts_with(|first: char| first.is_ascii_digit());
    can_be && MISSING.iter().any(|mark| mark.eq_ignore_ascii_case(text))
}

fn flag(text: &str, pair: usize) -> Option<bool> {
    let (no, yes) = FLAGS.get(pair)?;
    if text.eq_ignore_ascii_case(yes) {
        Some(true)
    } else {
        text.eq_ignore_ascii_case(no).then_some(false)
    }
}

/// What the types of other columns in a file tell about a column that can be read in two ways.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    pub(super) decimals: Option<Decimals>,
    pub(super) order: Option<DateOrder>,
}

/// The ways in which all values of a column so far can be read.
#[derive(Clone, Debug)]
pub(super) struct Sniffer {
    filled: u64,
    marked: u64,
    flags: [bool; 2],
    /// For a point and a comma: whether all are numbers, and whether one has decimals.
    numbers: [Option<bool>; 2],
    /// Whether a number has a point or a comma.
    separated: bool,
    /// For the day and the month first: whether all are dates.
    dates: [bool; 2],
    /// Whether the order makes a difference for a date.
    ordered: bool,
    timed: bool,
    /// Whether there are times without and with an offset.
    zones: [bool; 2],
}

const DECIMALS: [Decimals; 2] = [Decimals::Point, Decimals::Comma];
const ORDERS: [DateOrder; 2] = [DateOrder::DayFirst, DateOrder::MonthFirst];

impl Default for Sniffer {
    fn default() -> Self {
        Self {
            filled: 0,
            marked: 0,
            flags: [true; 2],
            numbers: [Some(false); 2],
            separated: false,
            dates: [true; 2],
            ordered: false,
            timed: false,
            zones: [false; 2],
        }
    }
}

impl Sniffer {
    /// Takes a field into account.
    pub(super) fn see(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.filled += 1;
        if self.is_text() {
            return;
        }
        if is_missing(text) {
            self.marked += 1;
            return;
        }
        if self.flags != [false; 2] {
            for (pair, possible) in self.flags.iter_mut().enumerate() {
                *possible = *possible && flag(text, pair).is_some();
            }
        }
        self.see_number(text);
        self.see_date(text);
    }

    fn see_number(&mut self, text: &str) {
        if self.numbers == [None; 2] {
            return;
        }
        for (has_decimals, decimals) in self.numbers.iter_mut().zip(DECIMALS) {
            *has_decimals = has_decimals.and_then(|before| {
                let read = number(text, decimals)?;
                Some(before || matches!(read, Number::Real(_)))
            });
        }
        self.separated |= text.contains(['.', ',']);
    }

    fn see_date(&mut self, text: &str) {
        if self.dates == [false; 2] {
            return;
        }
        let read = if text.len() < 8 { [None; 2] } else { ORDERS.map(|order| moment(text, order)) };
        for (possible, moment) in self.dates.iter_mut().zip(read) {
            *possible = *possible && moment.is_some();
        }
        self.ordered |= read[0] != read[1];
        if let Some(moment) = read.into_iter().flatten().next()
            && moment.time.is_some()
        {
            self.timed = true;
            self.zones[usize::from(moment.offset.is_some())] = true;
        }
    }

    fn is_text(&self) -> bool {
        self.flags == [false; 2] && self.numbers == [None; 2] && self.dates == [false; 2]
    }

    /// Whether all fields were empty.
    pub(super) fn is_empty(&self) -> bool {
        self.filled == 0
    }

    /// Number of fields that were not empty.
    pub(super) fn filled(&self) -> u64 {
        self.filled
    }

    /// What this column tells about others that can be read in two ways.
    pub(super) fn hint(&self) -> Hints {
        if self.filled == self.marked {
            return Hints::default();
        }
        let decimals = match self.numbers {
            [Some(_), None] => Some(Decimals::Point),
            [None, Some(_)] => Some(Decimals::Comma),
            _ => None,
        };
        let order = match self.dates {
            [true, false] => Some(DateOrder::DayFirst),
            [false, true] => Some(DateOrder::MonthFirst),
            _ => None,
        };
        Hints { decimals, order }
    }

    /// Type of the column; a date whose day and month cannot be told apart is text.
    pub(super) fn kind(&self, hints: Hints) -> Type {
        if self.filled == self.marked {
            return Type::Text;
        }
        if let Some(pair) = self.flags.iter().position(|possible| *possible) {
            return Type::Boolean(pair);
        }
        let numeric = |has_decimals, decimals| {
            if has_decimals { Type::Real(decimals) } else { Type::Integer(decimals) }
        };
        match self.numbers {
            [Some(point), Some(comma)] => {
                let likely = hints.decimals.filter(|_| self.separated);
                return match likely.unwrap_or(Decimals::Point) {
                    Decimals::Point => numeric(point, Decimals::Point),
                    Decimals::Comma => numeric(comma, Decimals::Comma),
                };
            }
            [Some(point), None] => return numeric(point, Decimals::Point),
            [None, Some(comma)] => return numeric(comma, Decimals::Comma),
            [None, None] => {}
        }
        let order = match self.dates {
            [true, true] if !self.ordered => Some(DateOrder::DayFirst),
            [true, true] => hints.order,
            [true, false] => Some(DateOrder::DayFirst),
            [false, true] => Some(DateOrder::MonthFirst),
            [false, false] => None,
        };
        match order {
            Some(_) if self.zones == [true; 2] => Type::Text,
            Some(order) if self.timed => Type::DateTime(order),
            Some(order) => Type::Date(order),
            None => Type::Text,
        }
    }

    /// Whether the column holds dates whose day and month cannot be told apart without a hint.
    pub(super) fn is_ambiguous_date(&self) -> bool {
        self.filled > self.marked && self.dates == [true; 2] && self.ordered
    }
}

/// Type of one field alone; text for a field that is empty or marks a missing value.
pub(super) fn type_of(text: &str) -> Type {
    let mut sniffer = Sniffer::default();
    sniffer.see(text);
    // Even a date in an unknown order is no name of a column.
    sniffer.kind(Hints { order: Some(DateOrder::DayFirst), ..Hints::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniffed(values: &[&str], hints: Hints) -> Type {
        let mut sniffer = Sniffer::default();
        for value in values {
            sniffer.see(value);
        }
        sniffer.kind(hints)
    }

    // Promise: files.all-values
    #[test]
    fn a_type_fits_all_values_of_its_column() {
        for (values, expected) in [
            (&["1", "", "-20"][..], "INTEGER"),
            (&["1", "2.5"], "REAL"),
            (&["1,234", "12"], "INTEGER"),
            (&["1.234,56", "12"], "REAL"),
            (&["1.234,56", "12.5"], "TEXT"),
            (&["1.234,56", "n. a."], "TEXT"),
            (&["00123", "456"], "TEXT"),
            (&["1", "12E3"], "TEXT"),
            (&["9223372036854775808", "1"], "TEXT"),
            (&["true", "FALSE", ""], "BOOLEAN"),
            (&["yes", "No"], "BOOLEAN"),
            (&["yes", "true"], "TEXT"),
            (&["0", "1"], "INTEGER"),
            (&["2024-01-02", "2024-12-31"], "DATE"),
            (&["2024-01-02", "2024-12-31 10:00"], "DATETIME"),
            (&["2024-01-02T10:00:00Z", "2024-12-31T10:00:00+02:00"], "DATETIME"),
            (&["2024-01-02T10:00:00Z", "2024-12-31 10:00"], "TEXT"),
            (&["13/01/2024", "01/02/2024"], "DATE"),
            (&["01/13/2024", "01/02/2024"], "DATE"),
            (&["01/13/2024", "13/01/2024"], "TEXT"),
            (&["01/02/2024", "03/04/2024"], "TEXT"),
            (&["01/01/2024", "02/02/2024"], "DATE"),
            (&["1", "N/A", "NULL"], "INTEGER"),
            (&["2024-01-02", "-"], "DATE"),
            (&["NA", "DE", "FR"], "TEXT"),
            (&["NA", "NA"], "TEXT"),
            (&["1", "2024-01-02"], "TEXT"),
            (&["", ""], "TEXT"),
            (&[], "TEXT"),
        ] {
            assert_eq!(sniffed(values, Hints::default()).declaration(), expected, "{values:?}");
        }
    }

    #[test]
    fn other_columns_tell_how_to_read_what_has_two_readings() {
        let comma = Hints { decimals: Some(Decimals::Comma), ..Hints::default() };
        assert_eq!(sniffed(&["1.234"], comma), Type::Integer(Decimals::Comma));
        assert_eq!(sniffed(&["1,234"], comma), Type::Real(Decimals::Comma));
        assert_eq!(sniffed(&["1234"], comma), Type::Integer(Decimals::Point));
        let day = Hints { order: Some(DateOrder::DayFirst), ..Hints::default() };
        assert_eq!(sniffed(&["01/02/2024"], day), Type::Date(DateOrder::DayFirst));
        let mut european = Sniffer::default();
        european.see("12,5");
        assert_eq!(european.hint().decimals, Some(Decimals::Comma));
    }

    #[test]
    fn values_are_stored_in_their_type() {
        let comma = Decimals::Comma;
        for (kind, text, expected) in [
            (Type::Integer(Decimals::Point), "1,234", Value::Integer(1234)),
            (Type::Real(comma), "1.234,5", Value::Real(1234.5)),
            (Type::Real(comma), "n/a", Value::Null),
            (Type::Text, "n/a", Value::Text("n/a".into())),
            (Type::Text, "", Value::Null),
            (Type::Text, "00123", Value::Text("00123".into())),
            (Type::Boolean(1), "YES", Value::Integer(1)),
            (Type::Date(DateOrder::MonthFirst), "2/1/2024", Value::Text("2024-02-01".into())),
            (
                Type::DateTime(DateOrder::DayFirst),
                "2/1/2024",
                Value::Text("2024-01-02 00:00:00".into()),
            ),
        ] {
            assert_eq!(kind.value(text), expected, "{text}");
        }
    }
}
