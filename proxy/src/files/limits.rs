//! Limits on files that are read as tables.

/// Most bytes of all files of a data source together, and of what a workbook holds when it is unpacked.
pub(super) const MOST_TOTAL_BYTES: u64 = 200_000_000;
/// Most bytes of a row; connections to the scratch file refuse rows of 1,000,000 bytes.
pub(super) const MOST_ROW_BYTES: usize = 900_000;
/// Most columns of a table: the limit of SQLite.
pub(super) const MOST_COLUMNS: usize = 2_000;
/// Most tables of a data source.
pub(super) const MOST_TABLES: usize = 200;
/// Longest name of a table or column, in characters.
pub(super) const MOST_NAME: usize = 100;
