//! Copies of the tables of CSV, TSV and XLSX files that DuckDB reads without guessing: plain CSV, and the type of each column.

use std::path::Path;

use rusqlite::types::Value;

use super::error::{Fault, FileError};
use super::load::{TableNote, each_row, each_table};
use super::names::Names;
use super::read::Source;
use crate::database::adbc::{ImportedTable, TableContent};

/// Copies the tables of the files into a folder. Returns them, and what was noted about them.
pub(super) fn copy(
    sources: &[Source],
    names: &mut Names,
    folder: &Path,
) -> Result<(Vec<ImportedTable>, Vec<TableNote>), FileError> {
    let mut tables = Vec::new();
    let notes = each_table(sources, names, |name, definition, grid| {
        let path = folder.join(format!("{}.csv", tables.len()));
        let scratch = |error: csv::Error| Fault::Scratch(error.to_string());
        let mut writer = csv::Writer::from_path(&path).map_err(scratch)?;
        each_row(definition, grid, |row| {
            writer.write_record(row.iter().map(text)).map_err(scratch)
        })?;
        writer.flush().map_err(|error| Fault::Scratch(error.to_string()))?;
        let columns = definition.columns.iter();
        let columns = columns.map(|column| (column.name.clone(), column.kind.of_duckdb()));
        let content = TableContent::Text { columns: columns.collect(), key: definition.key };
        tables.push(ImportedTable { name: name.to_owned(), path, content });
        Ok(())
    })?;
    Ok((tables, notes))
}

/// A value as text; NULL is empty, as no text is.
fn text(value: &Value) -> String {
    match value {
        Value::Null | Value::Blob(_) => String::new(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
    }
}
