//! Puts the generated rows into a database: the same rows into SQLite and PostgreSQL.

mod postgres;
mod sqlite;

use std::path::Path;

use jiff::civil::Date;

use crate::error::Result;

/// What was loaded.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Summary {
    /// The tables, in the order they were filled.
    pub tables: Vec<TableSummary>,
}

/// What was loaded into one table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TableSummary {
    /// Area, which is the schema's name on PostgreSQL.
    pub area: String,
    /// Bare name.
    pub table: String,
    /// Number of rows.
    pub rows: usize,
}

impl Summary {
    /// Number of rows of all tables.
    pub fn rows(&self) -> usize {
        self.tables.iter().map(|table| table.rows).sum()
    }
}

/// Called after each table with what was loaded into it.
pub type Progress<'p> = &'p mut (dyn FnMut(&TableSummary) + Send);

/// Writes a new SQLite file with the sample of a day.
///
/// A file that this loader made earlier is replaced as a whole once the new one is complete; any other is left alone.
pub fn load_sqlite(path: &Path, today: Date) -> Result<Summary> {
    sqlite::load(path, today, &mut |_| {})
}

/// Like [`load_sqlite`], telling after each table how far it is.
pub fn load_sqlite_with(path: &Path, today: Date, progress: Progress<'_>) -> Result<Summary> {
    sqlite::load(path, today, progress)
}

/// Creates the sample of a day in a PostgreSQL database, one schema an area, in one transaction.
///
/// A database that has one of these schemas already is refused. The connection is not encrypted.
pub async fn load_postgres(url: &str, today: Date) -> Result<Summary> {
    postgres::load(url, today, &mut |_| {}).await
}

/// Like [`load_postgres`], telling after each table how far it is.
pub async fn load_postgres_with(url: &str, today: Date, progress: Progress<'_>) -> Result<Summary> {
    postgres::load(url, today, progress).await
}
