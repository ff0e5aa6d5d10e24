//! Text of result cells.

use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

/// Longer cells are shortened to this number of characters.
pub const CELL_CHARACTERS: usize = 300;

/// Maximum number of decimal places shown.
const PLACES: usize = 6;

/// Displayed form of a cell.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CellText {
    /// Empty text.
    Empty,
    /// NULL.
    Null,
    /// Any other value; `exact` is set if `shown` is shortened.
    Text {
        /// Displayed text.
        shown: String,
        /// The complete value, if `shown` leaves something out.
        exact: Option<String>,
    },
}

impl CellText {
    /// Displayed form of a cell; in numeric columns, exact decimals are cut after six places.
    pub fn of(cell: &Cell, numeric: bool) -> Self {
        match cell {
            Cell::Text(exact) if numeric && let Some(shown) = shortened(exact) => {
                Self::Text { shown, exact: Some(exact.clone()) }
            }
            Cell::Null => Self::Null,
            Cell::Boolean(value) => Self::whole(if *value { "true" } else { "false" }),
            Cell::Integer(value) => Self::whole(&value.to_string()),
            Cell::Number(value) => {
                let exact = value.to_string();
                let shown = rounded(*value);
                let exact = (shown != exact).then_some(exact);
                Self::Text { shown, exact }
            }
            Cell::Text(text) if text.is_empty() => Self::Empty,
            Cell::Text(text) => match text.char_indices().nth(CELL_CHARACTERS) {
                Some((end, _)) => {
                    Self::Text { shown: format!("{}…", &text[..end]), exact: Some(text.clone()) }
                }
                None => Self::whole(text),
            },
        }
    }

    fn whole(text: &str) -> Self {
        Self::Text { shown: text.to_owned(), exact: None }
    }
}

/// A number with at most twelve significant digits, which hides binary rounding errors.
fn rounded(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = usize::try_from(12 - whole_digits).unwrap_or(0).min(20);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A decimal cut after six places; `None` if it has no more than that.
fn shortened(decimal: &str) -> Option<String> {
    let (whole, places) = decimal.split_once('.')?;
    let is_plain = places.len() > PLACES
        && places.bytes().all(|byte| byte.is_ascii_digit())
        && whole.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    // Do not display a tiny number as zero.
    let is_tiny = whole.trim_start_matches('-') == "0" && places.starts_with("000000");
    if !is_plain || is_tiny {
        return None;
    }
    let shown = places[..PLACES].trim_end_matches('0');
    Some(if shown.is_empty() { whole.to_owned() } else { format!("{whole}.{shown}") })
}

/// Whether the cells of a column are right-aligned.
pub fn is_numeric(column: &ResultColumn) -> bool {
    matches!(column.data_type, DataType::Integer | DataType::Number)
}

/// A count with thousands separators.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{CELL_CHARACTERS, CellText, grouped, rounded, shortened};
    use wherefore_engine::session::Cell;

    #[test]
    fn null_and_empty_are_not_the_same() {
        assert_eq!(CellText::of(&Cell::Null, false), CellText::Null);
        assert_eq!(CellText::of(&Cell::Text(String::new()), false), CellText::Empty);
    }

    #[test]
    fn binary_fractions_do_not_show() {
        assert_eq!(rounded(2_328.599_999_999_957), "2328.6");
        assert_eq!(rounded(0.1 + 0.2), "0.3");
        assert_eq!(rounded(1e300).len(), 301);
        assert_eq!(rounded(-0.000_012_5), "-0.0000125");
        assert_eq!(rounded(100.0), "100");
        assert_eq!(rounded(f64::NAN), "NaN");
    }

    #[test]
    fn a_shortened_number_keeps_its_exact_value() {
        assert_eq!(
            CellText::of(&Cell::Number(0.1 + 0.2), false),
            CellText::Text { shown: "0.3".into(), exact: Some("0.30000000000000004".into()) }
        );
    }

    #[test]
    fn decimals_of_many_places_are_shortened() {
        for (decimal, shown) in [
            ("14.6987951807228916", Some("14.698795")),
            ("10.0000000000000000", Some("10")),
            ("-0.1234567", Some("-0.123456")),
            ("10.50", None),
            ("0.0000001", None),
            ("1.2e1000000", None),
            ("NaN", None),
            ("12345678901234567890", None),
        ] {
            assert_eq!(shortened(decimal).as_deref(), shown, "{decimal}");
        }
    }

    #[test]
    fn long_cells_are_cut_between_characters() {
        let long = "é".repeat(CELL_CHARACTERS + 1);
        let CellText::Text { shown, exact } = CellText::of(&Cell::Text(long.clone()), false) else {
            panic!("text expected")
        };
        assert_eq!(shown.chars().count(), CELL_CHARACTERS + 1);
        assert_eq!(exact, Some(long));
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
