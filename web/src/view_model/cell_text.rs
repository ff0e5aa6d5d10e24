//! Text of result cells.

use wherefore_engine::session::Cell;

use super::column_format::{ColumnFormat, ColumnKind, decimal_text};
use super::decimal::Decimal;
use super::locale::Locale;
use crate::texts;

/// Longer cells are shortened to this number of characters.
pub const CELL_CHARACTERS: usize = 300;
/// Texts in rows of equal height are shortened to this number of characters.
pub const LINE_CHARACTERS: usize = 40;

/// Numbers with more digits before the point are displayed with an exponent.
const WHOLE_DIGITS: usize = 24;

/// Displayed form of a cell.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CellText {
    /// Empty text.
    Empty,
    /// NULL.
    Null,
    /// Any other value; `exact` is set if `shown` differs from the stored value.
    Text {
        /// Displayed text.
        shown: String,
        /// The stored value, if `shown` leaves something out.
        exact: Option<String>,
    },
}

impl CellText {
    /// Displayed form of a cell in the format of its column.
    pub fn of(cell: &Cell, format: &ColumnFormat) -> Self {
        match (cell, format.kind) {
            (Cell::Null, _) => Self::Null,
            (Cell::Boolean(value), _) => {
                Self::whole(if *value { texts::is_true() } else { texts::is_false() })
            }
            (Cell::Text(text), ColumnKind::Moment(precision)) => {
                Self::short(precision.shown(text), text.clone())
            }
            (Cell::Text(text), ColumnKind::Text) => Self::text(text),
            (Cell::Text(text), _) if Decimal::parse(text).is_none() => Self::text(text),
            _ => Self::number(cell, format),
        }
    }

    fn number(cell: &Cell, format: &ColumnFormat) -> Self {
        let exact = match cell {
            Cell::Number(value) => value.to_string(),
            _ => decimal_text(cell).unwrap_or_default(),
        };
        let plain = decimal_text(cell).unwrap_or_default();
        let shown = match (Decimal::parse(&plain), cell) {
            (Some(_), Cell::Number(value)) if plain.len() > WHOLE_DIGITS && value.abs() >= 1.0 => {
                format!("{value:e}")
            }
            (Some(decimal), _) => format.number(&decimal, &plain),
            (None, _) => plain,
        };
        Self::short(shown, exact)
    }

    fn text(text: &str) -> Self {
        if text.is_empty() {
            return Self::Empty;
        }
        match clipped(text, CELL_CHARACTERS) {
            Some(shown) => Self::Text { shown, exact: Some(text.to_owned()) },
            None => Self::whole(text),
        }
    }

    fn short(shown: String, exact: String) -> Self {
        let exact = (shown != exact).then_some(exact);
        Self::Text { shown, exact }
    }

    fn whole(text: &str) -> Self {
        Self::Text { shown: text.to_owned(), exact: None }
    }
}

/// The first `most` characters of a longer text, and `…`.
pub fn clipped(text: &str, most: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(most)?;
    Some(format!("{}…", text[..end].trim_end()))
}

/// A count with thousands separators.
pub fn grouped(count: usize) -> String {
    Locale::with(|locale| locale.number("", &count.to_string(), ""))
}

#[cfg(test)]
mod tests {
    use super::{CELL_CHARACTERS, CellText};
    use crate::view_model::column_format::{ColumnFormat, ColumnKind};
    use crate::view_model::moments::MomentPrecision;
    use wherefore_engine::session::Cell;

    fn of(cell: &Cell, kind: ColumnKind) -> CellText {
        let format = ColumnFormat {
            name: String::new(),
            title: String::new(),
            unit: None,
            kind,
            numeric: false,
        };
        CellText::of(cell, &format)
    }

    fn text(shown: &str, exact: Option<&str>) -> CellText {
        CellText::Text { shown: shown.to_owned(), exact: exact.map(str::to_owned) }
    }

    #[test]
    fn null_and_empty_are_not_the_same() {
        assert_eq!(of(&Cell::Null, ColumnKind::Text), CellText::Null);
        assert_eq!(of(&Cell::Text(String::new()), ColumnKind::Text), CellText::Empty);
        let quantity = ColumnKind::Quantity { places: 2 };
        assert_eq!(of(&Cell::Text(String::new()), quantity), CellText::Empty);
    }

    #[test]
    fn a_formatted_number_keeps_its_exact_value() {
        let quantity = ColumnKind::Quantity { places: 1 };
        let sum = Cell::Number(0.1 + 0.2);
        assert_eq!(of(&sum, quantity), text("0.3", Some("0.30000000000000004")));
        let decimal = Cell::Text("85085.5000".into());
        assert_eq!(of(&decimal, quantity), text("85,085.5", Some("85085.5000")));
        assert_eq!(of(&Cell::Integer(7), ColumnKind::Quantity { places: 0 }), text("7", None));
    }

    #[test]
    fn a_code_is_not_grouped() {
        assert_eq!(of(&Cell::Integer(10_248), ColumnKind::Code), text("10248", None));
    }

    #[test]
    fn numbers_without_a_decimal_form_are_left_as_they_are() {
        let quantity = ColumnKind::Quantity { places: 2 };
        assert_eq!(of(&Cell::Text("1.2e1000000".into()), quantity), text("1.2e1000000", None));
        assert_eq!(of(&Cell::Number(f64::NAN), quantity), text("NaN", None));
    }

    #[test]
    fn a_huge_number_has_an_exponent() {
        let CellText::Text { shown, .. } =
            of(&Cell::Number(1e300), ColumnKind::Quantity { places: 0 })
        else {
            panic!("text expected")
        };
        assert_eq!(shown, "1e300");
    }

    #[test]
    fn a_date_keeps_its_stored_form() {
        assert_eq!(
            of(&Cell::Text("2025-03-01T00:00:00".into()), ColumnKind::Moment(MomentPrecision::Day)),
            text("2025-03-01", Some("2025-03-01T00:00:00"))
        );
    }

    #[test]
    fn long_cells_are_cut_between_characters() {
        let long = "é".repeat(CELL_CHARACTERS + 1);
        let CellText::Text { shown, exact } = of(&Cell::Text(long.clone()), ColumnKind::Text)
        else {
            panic!("text expected")
        };
        assert_eq!(shown.chars().count(), CELL_CHARACTERS + 1);
        assert_eq!(exact, Some(long));
    }
}
