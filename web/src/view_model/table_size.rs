//! What is said of the size and the order of a table, and the widths of its columns.

use wherefore_engine::session::Cell;

use super::cell_text::{CellText, grouped};
use super::column_format::ColumnFormat;
use super::words::row_count;
use crate::texts;

/// Number of rows whose texts decide the width of a column.
const SAMPLED_ROWS: usize = 500;
/// Limits of the width of a column, in characters.
const WIDTH: std::ops::RangeInclusive<usize> = 5..=36;
/// Characters that the sign of an order needs in a header.
const SORT_SIGN: usize = 3;

/// Number of rows: those fetched, those found by a search, and the order that the page gave them.
pub fn size(total: usize, truncated: bool, found: Option<usize>, order: Option<&str>) -> String {
    let count = match found {
        Some(found) => texts::found_rows(&grouped(found), &grouped(total)),
        None => row_count(total, truncated),
    };
    match order {
        Some(order) if truncated && found.is_none() => texts::among_fetched(&count, order),
        Some(order) => format!("{count}, {order}"),
        None => count,
    }
}

/// Widths of the columns in characters, from their headers and a sample of their cells.
pub fn widths(rows: &[Vec<Cell>], formats: &[ColumnFormat]) -> Vec<usize> {
    let step = rows.len().div_ceil(SAMPLED_ROWS).max(1);
    let width = |(column, format): (usize, &ColumnFormat)| {
        let cells = rows.iter().step_by(step).filter_map(|row| row.get(column));
        let cell = cells.map(|cell| shown_width(cell, format)).max().unwrap_or(0);
        // Headers are bold, which makes them wider by an eighth.
        let head = format.label().chars().count();
        let head = head + head / 8 + SORT_SIGN;
        cell.max(head).clamp(*WIDTH.start(), *WIDTH.end())
    };
    formats.iter().enumerate().map(width).collect()
}

fn shown_width(cell: &Cell, format: &ColumnFormat) -> usize {
    match CellText::of(cell, format) {
        CellText::Empty | CellText::Null => texts::empty().chars().count(),
        CellText::Text { shown, .. } => shown.chars().take(*WIDTH.end() + 1).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::{size, widths};
    use crate::view_model::column_format::formats_of;
    use wherefore_engine::catalog::{Catalog, DataType};
    use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

    #[test]
    fn the_size_says_what_was_fetched_and_found() {
        assert_eq!(size(1, false, None, None), "1 row");
        assert_eq!(size(1_000, true, None, None), "first 1,000 of more than 1,000 rows");
        assert_eq!(size(200, false, Some(12), None), "12 of 200 fetched rows");
        assert_eq!(
            size(1_000, true, Some(12), Some("sorted by total, largest first")),
            "12 of 1,000 fetched rows, sorted by total, largest first"
        );
    }

    #[test]
    fn the_order_of_incomplete_rows_is_said_to_be_of_the_fetched_ones() {
        let order = Some("sorted by city, A to Z");
        assert_eq!(size(20, false, None, order), "20 rows, sorted by city, A to Z");
        assert_eq!(
            size(20, true, None, order),
            "first 20 of more than 20 rows, sorted by city, A to Z among the fetched rows"
        );
    }

    #[test]
    fn a_column_is_as_wide_as_its_texts_within_limits() {
        let column = |name: &str| ResultColumn { name: name.into(), data_type: DataType::Text };
        let result = ResultSet {
            columns: vec![column("a"), column("a_long_heading"), column("c")],
            rows: vec![
                vec![Cell::Null, Cell::Null, Cell::Text("x".repeat(400))],
                vec![Cell::Text("1234567".into()), Cell::Null, Cell::Null],
            ],
            ..ResultSet::default()
        };
        let formats = formats_of(&result, "", &Catalog::default());
        assert_eq!(widths(&result.rows, &formats), [7, 18, 36]);
        assert_eq!(widths(&[], &formats), [5, 18, 5]);
    }
}
