//! Limits of a result: rows, bytes, cell size, columns, time and cost.

use std::time::Duration;

use wherefore_engine::session::{Cell, CutCell};

use super::DatabaseError;

/// Largest magnitude of an integer that JSON parsers represent exactly (2^53).
const SAFE_INTEGER: i64 = 1 << 53;

/// Default size at which a cell is cut, in bytes.
pub(crate) const CELL_BYTES: usize = 64 * 1024;
/// Default of the largest size that a request can ask for, in bytes.
pub(crate) const MAX_CELL_BYTES: usize = 1_000_000;
/// Maximum size of one row, which is held in memory, in bytes. A row of the default cell size in all columns fits.
const ROW_BYTES: usize = 16 << 20;
/// Size of a cell without a value, or of a truth value, in bytes.
pub(super) const NULL_BYTES: usize = 5;
/// Size of a number, in bytes.
pub(super) const NUMBER_BYTES: usize = 8;
/// Size of the quotes of a text, in bytes.
pub(super) const QUOTES: usize = 2;
/// Size of a cell beyond its text: quotes and the mark of a cut.
const CELL_FRAME: usize = 8;
/// Maximum number of cut cells that are listed.
const LISTED_CUTS: usize = 100;

/// Limits of one run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RunLimits {
    /// Maximum number of rows.
    pub rows: u32,
    /// Maximum size of all cells together, in bytes.
    pub bytes: usize,
    /// Maximum size of one cell, in bytes. Longer texts are cut, end in `…`, and are listed with the result.
    pub cell_bytes: usize,
    /// Maximum of `cell_bytes` that a request can ask for.
    pub max_cell_bytes: usize,
    /// Maximum number of columns.
    pub columns: usize,
    /// Statement timeout.
    pub timeout: Duration,
    /// Maximum estimated cost, in units of the database; 0 for no limit.
    pub cost: u64,
    /// Maximum number of rows that a step of the plan is estimated to yield; 0 for no limit.
    pub estimated_rows: u64,
    /// Number of rows that a step of the plan may be estimated to yield without the caller's consent; 0 for no limit.
    pub confirm_rows: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            rows: 1_000,
            bytes: 5_000_000,
            cell_bytes: CELL_BYTES,
            max_cell_bytes: MAX_CELL_BYTES,
            columns: 200,
            timeout: Duration::from_secs(15),
            cost: 100_000_000,
            estimated_rows: 0,
            confirm_rows: 0,
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

    /// The limits of a request that may accept every estimate within the limits on cost and estimated rows.
    #[must_use]
    pub(crate) fn accepting_estimate(self, accepts: bool) -> Self {
        if accepts { Self { confirm_rows: 0, ..self } } else { self }
    }
}

/// Usage of the limits while rows arrive.
#[derive(Debug)]
pub(super) struct Caps {
    limits: RunLimits,
    bytes: usize,
    rows: u32,
    cuts: Cuts,
}

/// Cells that were cut because they are too long.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Cuts {
    /// The first of them.
    pub listed: Vec<CutCell>,
    /// Their number.
    pub count: u32,
}

impl Caps {
    /// Usage of a new result. Too many columns are an error.
    ///
    /// Cells of a result with many columns are cut earlier, so that one row is within the limits.
    pub(super) fn new(columns: usize, mut limits: RunLimits) -> Result<Self, DatabaseError> {
        if columns > limits.columns {
            return Err(DatabaseError::Columns { found: columns, limit: limits.columns });
        }
        let share = limits.bytes.min(ROW_BYTES) / columns.max(1);
        limits.cell_bytes = limits.cell_bytes.min(share.saturating_sub(CELL_FRAME));
        Ok(Self { limits, bytes: 0, rows: 0, cuts: Cuts::default() })
    }

    /// Counts a row and cuts its long cells. `whole` returns the length of the whole text in bytes, given a column and
    /// the length of its text in the row; `None` if texts of the column are never cut. Returns the size of the row in
    /// bytes, or `None` if it and all later rows are left out.
    pub(super) fn take(
        &mut self,
        row: &mut [Cell],
        whole: impl Fn(usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        let texts = row.iter().enumerate().filter_map(|(column, cell)| match cell {
            Cell::Text(text) if text.len() > self.limits.cell_bytes => {
                Some((column, whole(column, text.len())?))
            }
            _ => None,
        });
        let long: Vec<(usize, usize)> = texts.collect();
        for (column, _) in &long {
            if let Cell::Text(text) = &mut row[*column] {
                text.truncate(cut(text, self.limits.cell_bytes).len());
                text.push('…');
            }
        }
        let bytes = row.iter().map(size).sum::<usize>();
        if !self.take_bytes(bytes) {
            return None;
        }
        for (column, length) in long {
            self.note_cut(column, length);
        }
        Some(bytes)
    }

    /// The text of a cell without what exceeds the limit.
    pub(super) fn shortened<'t>(&self, text: &'t str) -> &'t str {
        cut(text, self.limits.cell_bytes)
    }

    /// Size at which the cells of this result are cut, in bytes.
    pub(super) fn cell_bytes(&self) -> usize {
        self.limits.cell_bytes
    }

    /// Notes that a cell of the last row was cut.
    pub(super) fn note_cut(&mut self, column: usize, length: usize) {
        self.cuts.count = self.cuts.count.saturating_add(1);
        if self.cuts.listed.len() < LISTED_CUTS {
            self.cuts.listed.push(CutCell {
                row: self.rows.saturating_sub(1),
                column: u32::try_from(column).unwrap_or(u32::MAX),
                length: u32::try_from(length).unwrap_or(u32::MAX),
            });
        }
    }

    /// The cells that were cut so far.
    pub(super) fn into_cuts(self) -> Cuts {
        self.cuts
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

    /// Counts rows of this size together. Returns `false`, and counts none, unless all are within the limits.
    pub(super) fn take_all(&mut self, rows: usize, bytes: usize) -> bool {
        let Ok(rows) = u32::try_from(rows) else { return false };
        let (rows, bytes) = (self.rows.saturating_add(rows), self.bytes.saturating_add(bytes));
        let is_within = rows <= self.limits.rows && bytes <= self.limits.bytes;
        if is_within {
            (self.rows, self.bytes) = (rows, bytes);
        }
        is_within
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
        Cell::Null | Cell::Boolean(_) => NULL_BYTES,
        Cell::Integer(_) | Cell::Number(_) => NUMBER_BYTES,
        Cell::Text(text) => text.len() + QUOTES,
    }
}

fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_beyond_the_limit_is_left_out() {
        let mut caps = Caps::new(1, RunLimits { rows: 2, ..RunLimits::default() }).unwrap();
        assert_eq!(caps.take(&mut [Cell::Integer(1)], |_, _| None), Some(8));
        assert_eq!(caps.take(&mut [Cell::Integer(2)], |_, _| None), Some(8));
        assert_eq!(caps.take(&mut [Cell::Integer(3)], |_, _| None), None);
        assert_eq!(caps.rows(), 2);
    }

    #[test]
    fn bytes_are_capped_over_all_rows() {
        let mut caps = Caps::new(1, RunLimits { bytes: 100, ..RunLimits::default() }).unwrap();
        assert!(caps.take(&mut [Cell::Text("x".repeat(60))], |_, _| None).is_some());
        assert!(caps.take(&mut [Cell::Text("x".repeat(60))], |_, _| None).is_none());
    }

    #[test]
    fn a_long_cell_is_cut_between_characters() {
        let mut caps = Caps::new(1, RunLimits { cell_bytes: 4, ..RunLimits::default() }).unwrap();
        let mut row = [Cell::Text("aéééé".into())];
        caps.take(&mut row, |_, _| Some(900));
        assert_eq!(row, [Cell::Text("aé…".into())]);
        let cuts = Cuts { listed: vec![CutCell { row: 0, column: 0, length: 900 }], count: 1 };
        assert_eq!(caps.into_cuts(), cuts);
    }

    #[test]
    fn cells_that_were_cut_are_listed_up_to_a_limit_and_counted_beyond() {
        let limits = RunLimits { cell_bytes: 1, rows: 101, ..RunLimits::default() };
        let mut caps = Caps::new(2, limits).unwrap();
        for _ in 0..150 {
            caps.take(&mut [Cell::Null, Cell::Text("long".into())], |_, length| Some(length));
        }
        let cuts = caps.into_cuts();
        assert_eq!((cuts.count, cuts.listed.len()), (101, LISTED_CUTS));
        assert_eq!(cuts.listed[99], CutCell { row: 99, column: 1, length: 4 });
    }

    #[test]
    fn a_row_of_many_long_cells_is_cut_to_fit() {
        let limits = RunLimits { bytes: 1_000, columns: 10, ..RunLimits::default() };
        let mut caps = Caps::new(10, limits).unwrap();
        let mut row = vec![Cell::Text("x".repeat(500)); 10];
        assert!(caps.take(&mut row, |_, length| Some(length)).is_some(), "one row fits");
        assert_eq!(caps.into_cuts().count, 10);
        let one = Caps::new(1, limits).unwrap();
        assert_eq!(one.cell_bytes(), 1_000 - CELL_FRAME);
        let export = RunLimits { cell_bytes: MAX_CELL_BYTES, ..RunLimits::export() };
        assert!(Caps::new(200, export).unwrap().cell_bytes() * 200 <= ROW_BYTES);
        assert_eq!(Caps::new(200, RunLimits::export()).unwrap().cell_bytes(), CELL_BYTES);
    }

    #[test]
    fn a_text_that_is_never_cut_stays_whole() {
        let limits = RunLimits { cell_bytes: 1, ..RunLimits::default() };
        let mut caps = Caps::new(1, limits).unwrap();
        let mut row = [Cell::Text("2024-02-29".into())];
        caps.take(&mut row, |_, _| None);
        assert_eq!(row, [Cell::Text("2024-02-29".into())]);
        assert_eq!(caps.into_cuts().count, 0);
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
