//! Caps of a result: rows, bytes, cells and columns.

use std::time::Duration;

use wherefore_engine::session::{Cell, ResultColumn, ResultSet};

use super::DatabaseError;

/// Largest magnitude of a whole number that JSON readers keep exactly.
const SAFE_INTEGER: i64 = 1 << 53;

/// Caps of one run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RunLimits {
    /// Most rows.
    pub rows: u32,
    /// Most bytes of all cells together.
    pub bytes: usize,
    /// Most bytes of one cell; a longer text is cut and ends in `…`.
    pub cell_bytes: usize,
    /// Most columns.
    pub columns: usize,
    /// Longest time the statement may run.
    pub timeout: Duration,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            rows: 1_000,
            bytes: 5_000_000,
            cell_bytes: 64 * 1024,
            columns: 200,
            timeout: Duration::from_secs(15),
        }
    }
}

/// A result while its rows arrive; says when a cap is reached.
#[derive(Debug)]
pub(super) struct CappedResult {
    limits: RunLimits,
    bytes: usize,
    result: ResultSet,
}

impl CappedResult {
    /// An empty result of these columns.
    pub(super) fn new(
        columns: Vec<ResultColumn>,
        limits: RunLimits,
    ) -> Result<Self, DatabaseError> {
        if columns.len() > limits.columns {
            return Err(DatabaseError::Columns { found: columns.len(), limit: limits.columns });
        }
        Ok(Self { limits, bytes: 0, result: ResultSet { columns, ..ResultSet::default() } })
    }

    /// Takes a row; false where it, and all after it, are left out.
    pub(super) fn push(&mut self, mut row: Vec<Cell>) -> bool {
        for cell in &mut row {
            if let Cell::Text(text) = cell {
                cut(text, self.limits.cell_bytes);
            }
        }
        let bytes = self.bytes + row.iter().map(size).sum::<usize>();
        if self.result.rows.len() >= self.limits.rows as usize || bytes > self.limits.bytes {
            self.result.truncated = true;
            return false;
        }
        self.bytes = bytes;
        self.result.rows.push(row);
        true
    }

    /// The result, with the time it took.
    pub(super) fn finish(mut self, elapsed: Duration) -> ResultSet {
        self.result.elapsed_ms = u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX);
        self.result
    }

    /// Columns and rows so far.
    pub(super) fn result_mut(&mut self) -> &mut ResultSet {
        &mut self.result
    }
}

/// A whole number as a cell: text where JSON readers would round it.
pub(super) fn integer_cell(value: i64) -> Cell {
    if (-SAFE_INTEGER..=SAFE_INTEGER).contains(&value) {
        Cell::Integer(value)
    } else {
        Cell::Text(value.to_string())
    }
}

/// A floating-point number as a cell: text where JSON has no form for it.
pub(super) fn number_cell(value: f64) -> Cell {
    if value.is_finite() { Cell::Number(value) } else { Cell::Text(value.to_string()) }
}

fn size(cell: &Cell) -> usize {
    match cell {
        Cell::Null | Cell::Boolean(_) => 5,
        Cell::Integer(_) | Cell::Number(_) => 8,
        Cell::Text(text) => text.len() + 2,
    }
}

fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        text.truncate(text.floor_char_boundary(limit));
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_column(limits: RunLimits) -> CappedResult {
        CappedResult::new(vec![ResultColumn::default()], limits).unwrap()
    }

    #[test]
    fn the_row_beyond_the_limit_is_left_out_and_said_so() {
        let mut result = one_column(RunLimits { rows: 2, ..RunLimits::default() });
        assert!(result.push(vec![Cell::Integer(1)]));
        assert!(result.push(vec![Cell::Integer(2)]));
        assert!(!result.push(vec![Cell::Integer(3)]));
        let result = result.finish(Duration::ZERO);
        assert_eq!(result.rows.len(), 2);
        assert!(result.truncated);
    }

    #[test]
    fn bytes_are_capped_over_all_rows() {
        let mut result = one_column(RunLimits { bytes: 100, ..RunLimits::default() });
        assert!(result.push(vec![Cell::Text("x".repeat(60))]));
        assert!(!result.push(vec![Cell::Text("x".repeat(60))]));
        assert!(result.finish(Duration::ZERO).truncated);
    }

    #[test]
    fn a_long_cell_is_cut_between_characters() {
        let mut result = one_column(RunLimits { cell_bytes: 4, ..RunLimits::default() });
        result.push(vec![Cell::Text("aéééé".into())]);
        assert_eq!(result.finish(Duration::ZERO).rows, [[Cell::Text("aé…".into())]]);
    }

    #[test]
    fn whole_numbers_that_json_rounds_come_as_text() {
        assert_eq!(integer_cell(1 << 53), Cell::Integer(1 << 53));
        assert_eq!(integer_cell((1 << 53) + 1), Cell::Text("9007199254740993".into()));
        assert_eq!(integer_cell(i64::MIN), Cell::Text(i64::MIN.to_string()));
    }

    #[test]
    fn too_many_columns_are_refused() {
        let columns = vec![ResultColumn::default(); 201];
        assert!(matches!(
            CappedResult::new(columns, RunLimits::default()),
            Err(DatabaseError::Columns { found: 201, limit: 200 })
        ));
    }
}
