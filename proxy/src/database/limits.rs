//! Limits of a result: rows, bytes, cell size, columns, time and cost.

use std::time::Duration;

use wherefore_engine::session::Cell;

use super::{DatabaseError, StatementOwner};

/// Largest magnitude of an integer that JSON parsers represent exactly (2^53).
const SAFE_INTEGER: i64 = 1 << 53;

/// Limits of one run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RunLimits {
    /// Maximum number of rows.
    pub rows: u32,
    /// Maximum size of all cells together, in bytes.
    pub bytes: usize,
    /// Maximum size of one cell, in bytes. Longer texts are truncated and end in `…`.
    pub cell_bytes: usize,
    /// Maximum number of columns.
    pub columns: usize,
    /// Statement timeout.
    pub timeout: Duration,
    /// Maximum estimated cost, in units of the database; 0 for no limit.
    pub cost: u64,
    /// On whose behalf the statement runs, if this is an authenticated user.
    pub owner: Option<StatementOwner>,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            rows: 1_000,
            bytes: 5_000_000,
            cell_bytes: 64 * 1024,
            columns: 200,
            timeout: Duration::from_secs(15),
            cost: 100_000_000,
            owner: None,
        }
    }
}

impl RunLimits {
    /// Default limits of an export.
    pub fn export() -> Self {
        Self {
            rows: 100_000,
            bytes: 100_000_000,
            timeout: Duration::from_mins(1),
            ..Self::default()
        }
    }
}

/// Usage of the limits while rows arrive.
#[derive(Debug)]
pub(super) struct Caps {
    limits: RunLimits,
    bytes: usize,
    rows: u32,
}

impl Caps {
    /// Usage of a new result. Too many columns are an error.
    pub(super) fn new(columns: usize, limits: RunLimits) -> Result<Self, DatabaseError> {
        if columns > limits.columns {
            return Err(DatabaseError::Columns { found: columns, limit: limits.columns });
        }
        Ok(Self { limits, bytes: 0, rows: 0 })
    }

    /// Counts a row and truncates its long cells. Returns its size in bytes, or `None` if it and all later rows are
    /// left out.
    pub(super) fn take(&mut self, row: &mut [Cell]) -> Option<usize> {
        for cell in &mut *row {
            if let Cell::Text(text) = cell {
                cut(text, self.limits.cell_bytes);
            }
        }
        let bytes = row.iter().map(size).sum::<usize>();
        self.take_bytes(bytes).then_some(bytes)
    }

    /// Counts a row of this size. Returns `false` if it and all later rows are left out.
    pub(super) fn take_bytes(&mut self, bytes: usize) -> bool {
        if self.is_full() || self.bytes + bytes > self.limits.bytes {
            return false;
        }
        self.bytes += bytes;
        self.rows += 1;
        true
    }

    /// Whether the row limit is reached.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= self.limits.rows
    }

    /// Number of rows so far.
    pub(super) fn rows(&self) -> u64 {
        u64::from(self.rows)
    }
}

/// An integer as a cell; text if JSON parsers would round it.
pub(super) fn integer_cell(value: i64) -> Cell {
    if (-SAFE_INTEGER..=SAFE_INTEGER).contains(&value) {
        Cell::Integer(value)
    } else {
        Cell::Text(value.to_string())
    }
}

/// A floating-point number as a cell; text if it is not finite, which JSON cannot represent.
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

    #[test]
    fn the_row_beyond_the_limit_is_left_out() {
        let mut caps = Caps::new(1, RunLimits { rows: 2, ..RunLimits::default() }).unwrap();
        assert_eq!(caps.take(&mut [Cell::Integer(1)]), Some(8));
        assert_eq!(caps.take(&mut [Cell::Integer(2)]), Some(8));
        assert_eq!(caps.take(&mut [Cell::Integer(3)]), None);
        assert_eq!(caps.rows(), 2);
    }

    #[test]
    fn bytes_are_capped_over_all_rows() {
        let mut caps = Caps::new(1, RunLimits { bytes: 100, ..RunLimits::default() }).unwrap();
        assert!(caps.take(&mut [Cell::Text("x".repeat(60))]).is_some());
        assert!(caps.take(&mut [Cell::Text("x".repeat(60))]).is_none());
    }

    #[test]
    fn a_long_cell_is_cut_between_characters() {
        let mut caps = Caps::new(1, RunLimits { cell_bytes: 4, ..RunLimits::default() }).unwrap();
        let mut row = [Cell::Text("aéééé".into())];
        caps.take(&mut row);
        assert_eq!(row, [Cell::Text("aé…".into())]);
    }

    #[test]
    fn whole_numbers_that_json_rounds_come_as_text() {
        assert_eq!(integer_cell(1 << 53), Cell::Integer(1 << 53));
        assert_eq!(integer_cell((1 << 53) + 1), Cell::Text("9007199254740993".into()));
        assert_eq!(integer_cell(i64::MIN), Cell::Text(i64::MIN.to_string()));
    }

    #[test]
    fn too_many_columns_are_refused() {
        assert!(matches!(
            Caps::new(201, RunLimits::default()),
            Err(DatabaseError::Columns { found: 201, limit: 200 })
        ));
    }
}
