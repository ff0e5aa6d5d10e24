//! Loads the generated rows into SQLite or PostgreSQL.

mod postgres;
mod sqlite;

use std::path::Path;

use jiff::civil::Date;

use crate::error::Result;

/// Summary of a completed load.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Summary {
    /// The tables, in loading order.
    pub tables: Vec<TableSummary>,
}

/// Summary of a loaded table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TableSummary {
    /// Area of the table; on PostgreSQL, its schema.
    pub area: String,
    /// Table name without schema.
    pub table: String,
    /// Number of rows.
    pub rows: usize,
}

impl Summary {
    /// Total number of rows.
    pub fn rows(&self) -> usize {
        self.tables.iter().map(|table| table.rows).sum()
    }
}

/// Callback after each loaded table.
pub type Progress<'p> = &'p mut (dyn FnMut(&TableSummary) + Send);

/// Creates a SQLite file with the sample for a date.
///
/// An existing file is replaced atomically when this loader created it, and left alone otherwise.
pub fn load_sqlite(path: &Path, today: Date) -> Result<Summary> {
    sqlite::load(path, today, &mut |_| {})
}

/// Like [`load_sqlite`], with a callback after each table.
pub fn load_sqlite_with(path: &Path, today: Date, progress: Progress<'_>) -> Result<Summary> {
    sqlite::load(path, today, progress)
}

/// Creates the sample for a date in a PostgreSQL database, with one schema for each area, in one transaction.
///
/// Fails if one of these schemas exists. The connection is not encrypted.
pub async fn load_postgres(url: &str, today: Date) -> Result<Summary> {
    postgres::load(url, today, &mut |_| {}).await
}

/// Like [`load_postgres`], with a callback after each table.
pub async fn load_postgres_with(url: &str, today: Date, progress: Progress<'_>) -> Result<Summary> {
    postgres::load(url, today, progress).await
}
