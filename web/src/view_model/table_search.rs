//! Search in the rows of a result.

use wherefore_engine::session::Cell;

use super::cell_text::CellText;
use super::column_format::ColumnFormat;

/// The text of each row in lower case, as it is shown and as it is stored.
pub struct SearchIndex(Vec<String>);

impl SearchIndex {
    /// Index of all rows.
    pub fn of(rows: &[Vec<Cell>], formats: &[ColumnFormat]) -> Self {
        Self(rows.iter().map(|cells| row_text(cells, formats)).collect())
    }

    /// Indices of the rows that contain each word of a search, in any case.
    pub fn matching(&self, search: &str) -> Vec<u32> {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        let fits = |text: &String| words.iter().all(|word| text.contains(word.as_str()));
        let found = self.0.iter().enumerate().filter(|(_, text)| fits(text));
        found.map(|(row, _)| row as u32).collect()
    }
}

fn row_text(cells: &[Cell], formats: &[ColumnFormat]) -> String {
    let mut text = String::new();
    for (cell, format) in cells.iter().zip(formats) {
        // Words of a search contain no white space, so a line break separates what must not match as one word.
        match CellText::of(cell, format) {
            CellText::Empty => {}
            CellText::Null => text.push_str("null\n"),
            CellText::Text { shown, exact } => {
                text.push_str(&shown.to_lowercase());
                text.push('\n');
                if let Some(exact) = exact {
                    text.push_str(&exact.to_lowercase());
                    text.push('\n');
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::SearchIndex;
    use crate::view_model::column_format::formats_of;
    use wherefore_engine::catalog::{Catalog, DataType};
    use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

    fn found(search: &str) -> Vec<u32> {
        let text = |text: &str| Cell::Text(text.into());
        let column = |name: &str, data_type| ResultColumn { name: name.into(), data_type };
        let result = ResultSet {
            columns: vec![
                column("city", DataType::Text),
                column("total_price", DataType::Number),
                column("note", DataType::Text),
            ],
            rows: vec![
                vec![text("Linz an der Donau"), text("1234.5"), Cell::Null],
                vec![text("Graz"), text("12"), text(&format!("{} end", "x".repeat(400)))],
            ],
            ..ResultSet::default()
        };
        let formats = formats_of(&result, "", &Catalog::default());
        SearchIndex::of(&result.rows, &formats).matching(search)
    }

    #[test]
    fn each_word_has_to_be_in_the_row_in_any_case() {
        assert_eq!(found("DONAU linz"), [0]);
        assert_eq!(found("linz graz"), [] as [u32; 0]);
        assert_eq!(found(" "), [0, 1]);
    }

    #[test]
    fn numbers_are_found_as_shown_and_as_stored() {
        assert_eq!(found("1,234.50"), [0]);
        assert_eq!(found("1234.5"), [0]);
    }

    #[test]
    fn null_and_the_end_of_a_long_text_are_found() {
        assert_eq!(found("null"), [0]);
        assert_eq!(found("end"), [1]);
    }

    #[test]
    fn no_word_matches_across_two_cells() {
        assert_eq!(found("donau1"), [] as [u32; 0]);
    }
}
