//! Catalogs given as files, without a database: questions become SQL, which is not run.

mod sheet;

use std::path::{Path, PathBuf};

use thiserror::Error;
use wherefore_engine::catalog::{Catalog, Table};
use wherefore_sql::{Dialect, ddl};

/// Why a catalog file was rejected.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// Path of the file.
    pub path: PathBuf,
    /// The reason, with line or row.
    pub reason: String,
}

/// Reads a catalog in the format of its file extension. Unless the file names a dialect, statements are written in the
/// given one.
pub fn read(path: &Path, dialect: Dialect) -> Result<Catalog, FileError> {
    read_file(path, dialect).map_err(|reason| FileError { path: path.to_owned(), reason })
}

fn read_file(path: &Path, dialect: Dialect) -> Result<Catalog, String> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let mut catalog = match extension.as_deref() {
        Some("json") => serde_json::from_str(&text(path)?)
            .map_err(|error| format!("cannot parse the catalog: {error}"))?,
        Some("sql") => ddl::catalog(&text(path)?, dialect)
            .map_err(|fault| format!("cannot read the SQL: {}", fault.message))?,
        Some("csv") => sheet::read_csv(path, dialect)?,
        Some("xlsx" | "ods" | "xls" | "xlsb") => sheet::read_workbook(path, dialect)?,
        _ => return Err("unsupported file type; use .json, .sql, .xlsx, .ods or .csv".to_owned()),
    };
    if catalog.tables.is_empty() {
        return Err("the catalog has no tables".to_owned());
    }
    catalog.can_execute = false;
    if catalog.name.is_empty()
        && let Some(stem) = path.file_stem()
    {
        catalog.name = stem.to_string_lossy().into_owned();
    }
    check(&catalog)?;
    Ok(catalog)
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read the file: {error}"))
}

/// Refuses duplicate names, and foreign keys that refer to an unknown table or column.
fn check(catalog: &Catalog) -> Result<(), String> {
    let mut keys: Vec<String> = catalog.tables.iter().map(Table::key).collect();
    keys.sort_unstable();
    if let Some([twice, _]) = keys.array_windows().find(|[left, right]| left == right) {
        return Err(format!("duplicate table: {twice}"));
    }
    for table in &catalog.tables {
        if table.columns.is_empty() {
            return Err(format!("table without columns: {}", table.key()));
        }
        let mut names: Vec<&str> =
            table.columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.array_windows().find(|[left, right]| left == right) {
            return Err(format!("duplicate column: {}.{}", table.key(), twice));
        }
    }
    for key in &catalog.foreign_keys {
        for (table, columns) in
            [(&key.from_table, &key.from_columns), (&key.to_table, &key.to_columns)]
        {
            let found = catalog
                .table(table)
                .ok_or_else(|| format!("foreign key references an unknown table: {table}"))?;
            if let Some(column) = columns.iter().find(|column| found.column(column).is_none()) {
                return Err(format!("foreign key references an unknown column: {table}.{column}"));
            }
        }
        if key.from_columns.len() != key.to_columns.len() || key.from_columns.is_empty() {
            return Err(format!(
                "foreign key of {}: both sides need the same number of columns",
                key.from_table
            ));
        }
    }
    Ok(())
}
