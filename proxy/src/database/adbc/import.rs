//! Writes the tables of other files into a new DuckDB file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::child::Child;
use super::profile::DUCKDB;
use super::wire::Opening;
use crate::database::{DatabaseError, quoted};

/// Timeout of reading the files.
const IMPORT: Duration = Duration::from_mins(10);

/// A file, and the name of its table.
#[derive(Clone, Debug)]
pub(crate) struct ImportedTable {
    /// Name of the table.
    pub(crate) name: String,
    /// Path of the file, without wildcards.
    pub(crate) path: PathBuf,
    /// What the file holds.
    pub(crate) content: TableContent,
}

/// Format of the file of a table.
#[derive(Clone, Debug)]
pub(crate) enum TableContent {
    /// Parquet, which has names and types of its own.
    Parquet,
    /// CSV whose delimiter, header and types DuckDB finds out.
    Sniffed,
    /// CSV without a header, with commas, and with empty fields for NULL.
    Text {
        /// Name and type of each column.
        columns: Vec<(String, &'static str)>,
        /// Position of the primary key.
        key: Option<usize>,
    },
}

impl ImportedTable {
    /// The statements that make the table.
    fn statements(&self) -> Vec<String> {
        let name = quoted(&self.name);
        let path = literal(&self.path.to_string_lossy());
        match &self.content {
            TableContent::Parquet => vec![format!(
                "CREATE TABLE {name} AS SELECT * FROM read_parquet({path}, hive_partitioning = false)"
            )],
            TableContent::Sniffed => {
                vec![format!("CREATE TABLE {name} AS SELECT * FROM read_csv({path})")]
            }
            TableContent::Text { columns, key } => {
                let defined = columns.iter().enumerate().map(|(at, (column, kind))| {
                    let key = if *key == Some(at) { " PRIMARY KEY" } else { "" };
                    format!("{} {kind}{key}", quoted(column))
                });
                let defined = defined.collect::<Vec<_>>().join(", ");
                let read =
                    columns.iter().enumerate().map(|(at, (_, kind))| format!("'c{at}': '{kind}'"));
                let read = read.collect::<Vec<_>>().join(", ");
                vec![
                    format!("CREATE TABLE {name} ({defined})"),
                    format!(
                        "INSERT INTO {name} SELECT * FROM read_csv({path}, auto_detect = false, header = false, \
                         delim = ',', quote = '\"', escape = '\"', parallel = false, columns = {{{read}}})"
                    ),
                ]
            }
        }
    }
}

/// A text in quotes.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Copies files into a new file. An error of a file has its place in the list.
pub(crate) async fn import_tables(
    driver: Option<&Path>,
    tables: &[ImportedTable],
    into: &Path,
) -> Result<(), (Option<usize>, DatabaseError)> {
    let mut opening = Opening {
        driver: driver.map_or(DUCKDB.driver.to_owned(), |path| path.to_string_lossy().into_owned()),
        entry: DUCKDB.entry.to_owned(),
        install: DUCKDB.install.to_owned(),
        options: [
            ("path", into.to_string_lossy().as_ref()),
            ("autoload_known_extensions", "false"),
            ("autoinstall_known_extensions", "false"),
            ("memory_limit", super::profile::MEMORY),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        ..Opening::default()
    };
    if tables.iter().any(|table| matches!(table.content, TableContent::Sniffed)) {
        // Questions are answered meanwhile.
        opening.options.push(("threads".to_owned(), "1".to_owned()));
    }
    for (place, table) in tables.iter().enumerate() {
        opening.setup = table.statements();
        opening.setup.push("FORCE CHECKPOINT".to_owned());
        let child = Child::open(&opening, IMPORT).await.map_err(|error| {
            let is_of_file = matches!(error, DatabaseError::UnreadableFile(_));
            (is_of_file.then_some(place), error)
        })?;
        // A process that holds gigabytes takes a while to end, and locks the file until then.
        child.end().await;
    }
    Ok(())
}
