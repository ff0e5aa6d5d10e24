//! Second pass over a table: its rows, into the scratch file.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use wherefore_engine::catalog::Catalog;

use super::error::{Fault, FileError, Located};
use super::limits::MOST_TABLES;
use super::names::{Names, table_name};
use super::read::{Source, read};
use super::records::Records;
use super::survey::{Definition, Grid, survey};

/// What a reader of a table should know about how its file was read.
#[derive(Clone, Debug)]
pub(super) struct TableNote {
    pub(super) table: String,
    pub(super) text: String,
}

/// Loads the files into a new SQLite file, which exists and is empty.
pub(super) fn load(sources: &[Source], into: &Path) -> Result<Vec<TableNote>, FileError> {
    let scratch = |error: rusqlite::Error| {
        Located::from(Fault::Scratch(error.to_string())).within(into, None)
    };
    let connection = Connection::open(into).map_err(scratch)?;
    // The file is new and private: if writing it fails, it is thrown away.
    for (name, value) in [("journal_mode", "OFF"), ("synchronous", "OFF")] {
        connection.pragma_update(None, name, value).map_err(scratch)?;
    }
    each_table(sources, &mut Names::default(), |name, definition, grid| {
        fill(&connection, name, definition, grid)
    })
}

/// Describes the tables of a catalog by what was noted about them.
pub(super) fn describe(catalog: &mut Catalog, notes: &[TableNote]) {
    for note in notes {
        if let Some(table) = catalog.tables.iter_mut().find(|table| table.name == note.table) {
            table.description.clone_from(&note.text);
        }
    }
}

/// Reads the tables of the files one by one, and has each copied: its name, its definition and its rows. Returns what was
/// noted about them.
pub(super) fn each_table(
    sources: &[Source],
    names: &mut Names,
    mut copy: impl FnMut(&str, &Definition, &Grid) -> Result<(), Located>,
) -> Result<Vec<TableNote>, FileError> {
    let mut notes = Vec::new();
    let mut left = super::limits::MOST_TOTAL_BYTES;
    let mut tables = 0;
    for source in sources {
        let grids = read(source, &mut left)?;
        let is_single = grids.len() == 1;
        for grid in grids {
            tables += 1;
            let fails = |located: Located| located.within(&source.path, grid.sheet.as_deref());
            if tables > MOST_TABLES {
                return Err(fails(Fault::Tables.into()));
            }
            let wanted = wanted_name(source, &grid, is_single);
            let wanted = match &grid.sheet {
                Some(sheet) if names.has(&wanted) => {
                    table_name(&format!("{} {sheet}", source.stem))
                }
                _ => wanted,
            };
            let name = names.unique(&wanted, &format!("table_{tables}"));
            let definition = survey(&grid, &name).map_err(fails)?;
            report(source, &name, &definition);
            copy(&name, &definition, &grid).map_err(fails)?;
            if !definition.notes.is_empty() {
                notes.push(TableNote { table: name, text: definition.notes.join("; ") });
            }
        }
    }
    Ok(notes)
}

/// Name of a table: that of its sheet, or of its file if it is the only one and the sheet has no name of its own.
fn wanted_name(source: &Source, grid: &Grid, is_single: bool) -> String {
    match &grid.sheet {
        Some(sheet) if !(is_single && is_default(sheet)) => table_name(sheet),
        _ => table_name(&source.stem),
    }
}

/// Whether a spreadsheet program named the sheet: `Sheet1`.
fn is_default(sheet: &str) -> bool {
    let word = sheet.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ').to_lowercase();
    ["sheet", "tabelle", "feuil", "hoja", "foglio", "blad", "planilha"].contains(&word.as_str())
}

fn report(source: &Source, name: &str, definition: &Definition) {
    let path = source.path.display();
    let (rows, columns) = (definition.rows, definition.columns.len());
    tracing::info!(%path, table = name, rows, columns, "read a table");
    for note in &definition.notes {
        tracing::warn!(%path, table = name, "{note}");
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Creates a table with its rows.
fn fill(
    connection: &Connection,
    name: &str,
    definition: &Definition,
    grid: &Grid,
) -> Result<(), Located> {
    let scratch = |error: rusqlite::Error| Fault::Scratch(error.to_string());
    let columns = definition.columns.iter().enumerate().map(|(at, column)| {
        let key = if definition.key == Some(at) { " PRIMARY KEY NOT NULL" } else { "" };
        format!("{} {}{key}", quoted(&column.name), column.kind.declaration())
    });
    let create =
        format!("CREATE TABLE {} ({})", quoted(name), columns.collect::<Vec<_>>().join(", "));
    let transaction = connection.unchecked_transaction().map_err(scratch)?;
    transaction.execute(&create, ()).map_err(scratch)?;
    let marks = vec!["?"; definition.columns.len()].join(", ");
    let insert = format!("INSERT INTO {} VALUES ({marks})", quoted(name));
    let mut statement = transaction.prepare(&insert).map_err(scratch)?;
    each_row(definition, grid, |row| {
        statement.execute(params_from_iter(row)).map(drop).map_err(scratch)
    })?;
    drop(statement);
    transaction.commit().map_err(scratch)?;
    Ok(())
}

/// Reads the rows of a table one by one, as values of the types of its columns.
pub(super) fn each_row(
    definition: &Definition,
    grid: &Grid,
    mut copy: impl FnMut(Vec<Value>) -> Result<(), Fault>,
) -> Result<(), Located> {
    let mut records = Records::new(&grid.text, grid.delimiter);
    let mut is_header = definition.has_header;
    while let Some(record) = records.next()? {
        if record.is_blank() {
            continue;
        }
        if std::mem::take(&mut is_header) {
            continue;
        }
        let values = definition.columns.iter();
        let values = values.map(|column| column.kind.value(record.field(column.position)));
        copy(values.collect()).map_err(|fault| fault.at(record.line))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_named_by_the_program_give_no_name() {
        for (sheet, expected) in
            [("Sheet1", true), ("Tabelle 2", true), ("Sheets", false), ("Orders", false)]
        {
            assert_eq!(is_default(sheet), expected, "{sheet}");
        }
    }
}
