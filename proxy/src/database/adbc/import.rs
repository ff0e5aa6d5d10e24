//! Writes the tables of other files into a new DuckDB file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::child::Child;
use super::profile::DUCKDB;
use super::wire::Opening;
use crate::database::{DatabaseError, quoted};

/// Timeout of reading the files.
const IMPORT: Duration = Duration::from_mins(10);

/// A Parquet file, and the name of its table.
#[derive(Clone, Debug)]
pub(crate) struct ParquetTable {
    /// Name of the table.
    pub(crate) name: String,
    /// Path of the file, without wildcards.
    pub(crate) path: PathBuf,
}

/// Copies Parquet files into a new file. An error of a file has its place in the list.
pub(crate) async fn import_parquet(
    driver: Option<&Path>,
    tables: &[ParquetTable],
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
    for (place, table) in tables.iter().enumerate() {
        let path = table.path.to_string_lossy().replace('\'', "''");
        opening.setup = vec![
            format!(
                "CREATE TABLE {} AS SELECT * FROM read_parquet('{path}', hive_partitioning = false)",
                quoted(&table.name)
            ),
            "FORCE CHECKPOINT".to_owned(),
        ];
        Child::open(&opening, IMPORT).await.map_err(|error| {
            let is_of_file = matches!(error, DatabaseError::UnreadableFile(_));
            (is_of_file.then_some(place), error)
        })?;
    }
    Ok(())
}
