//! Cell values.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::{Date, DateTime, Time};

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Boolean.
    Boolean(bool),
    /// Calendar date.
    Date(Date),
    /// Exact decimal.
    Decimal(Decimal),
    /// Integer.
    Integer(i64),
    /// NULL.
    Null,
    /// Text, including JSON documents.
    Text(Cow<'static, str>),
    /// Time of day.
    Time(Time),
    /// Date and time of day without time zone.
    Timestamp(DateTime),
}

/// A decimal of `units` × 10^-`scale`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Decimal {
    /// Unscaled value.
    pub units: i64,
    /// Digits after the decimal point.
    pub scale: u32,
}

impl Decimal {
    /// Amount of money in cents.
    pub(crate) fn cents(units: i64) -> Self {
        Self { units, scale: 2 }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scale == 0 {
            return write!(formatter, "{}", self.units);
        }
        let divisor = 10_u64.pow(self.scale);
        let size = self.units.unsigned_abs();
        let sign = if self.units < 0 { "-" } else { "" };
        let width = self.scale as usize;
        write!(formatter, "{sign}{}.{:0width$}", size / divisor, size % divisor)
    }
}

impl fmt::Display for Value {
    /// Text representation that both databases parse; empty for NULL.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(formatter, "{value}"),
            Self::Date(value) => write!(formatter, "{value}"),
            Self::Decimal(value) => write!(formatter, "{value}"),
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Null => Ok(()),
            Self::Text(value) => formatter.write_str(value),
            Self::Time(value) => write!(formatter, "{value}"),
            Self::Timestamp(value) => write!(formatter, "{} {}", value.date(), value.time()),
        }
    }
}

macro_rules! from {
    ($($source:ty => $variant:ident),* $(,)?) => {
        $(impl From<$source> for Value {
            fn from(value: $source) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! {
    bool => Boolean,
    Date => Date,
    Decimal => Decimal,
    i64 => Integer,
    i32 => Integer,
    u32 => Integer,
    &'static str => Text,
    String => Text,
    Time => Time,
    DateTime => Timestamp,
}

impl From<&String> for Value {
    fn from(value: &String) -> Self {
        Self::Text(Cow::Owned(value.clone()))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn decimals_print_every_digit_after_the_point() {
        for (units, scale, expected) in [
            (5, 2, "0.05"),
            (-5, 2, "-0.05"),
            (12_345, 2, "123.45"),
            (7, 0, "7"),
            (380, 3, "0.380"),
        ] {
            assert_eq!(Decimal { units, scale }.to_string(), expected);
        }
    }
}
