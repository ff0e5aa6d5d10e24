//! Cells of a result.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A cell. Integers beyond ±2^53 and exact decimals are text; the data type of the column says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(type = "null | boolean | number | string"))]
#[serde(untagged)]
pub enum Cell {
    /// NULL.
    #[default]
    Null,
    /// True or false.
    Boolean(bool),
    /// Integer within ±2^53.
    Integer(i64),
    /// Floating-point number.
    Number(f64),
    /// Text, and any value without a JSON type of its own.
    Text(String),
}

/// Reads a cell without the buffer that serde uses for untagged enums, which takes more time and code.
impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor)
    }
}

struct CellVisitor;

impl Visitor<'_> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("null, a boolean, a number or a text")
    }

    fn visit_unit<E: Error>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Cell, E> {
        Ok(Cell::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Cell, E> {
        Ok(i64::try_from(value).map_or(Cell::Number(value as f64), Cell::Integer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Cell, E> {
        Ok(Cell::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Cell, E> {
        Ok(Cell::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Cell, E> {
        Ok(Cell::Text(value))
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    #[test]
    fn cells_are_read_as_they_are_written() {
        let cells = [
            Cell::Null,
            Cell::Boolean(true),
            Cell::Integer(-7),
            Cell::Number(2.5),
            Cell::Text("größer 🍷".to_owned()),
        ];
        let text = serde_json::to_string(&cells).unwrap();
        assert_eq!(text, r#"[null,true,-7,2.5,"größer 🍷"]"#);
        assert_eq!(serde_json::from_str::<Vec<Cell>>(&text).unwrap(), cells);
    }

    #[test]
    fn a_number_beyond_the_integers_is_a_floating_point_number() {
        let cell: Cell = serde_json::from_str("18446744073709551615").unwrap();
        assert_eq!(cell, Cell::Number(18_446_744_073_709_551_615.0));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["[1]", r#"{"a":1}"#] {
            assert!(serde_json::from_str::<Cell>(text).is_err(), "{text}");
        }
    }
}
