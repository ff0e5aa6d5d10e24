//! Rows of the measurement, as Parquet files that DuckDB makes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wherefore_tests::adbc::Client;
use wherefore_tests::duckdb::library;

/// Parquet files below the target folder, which are deleted when this is dropped.
pub(super) struct Rows {
    folder: PathBuf,
}

impl Rows {
    /// Makes a table of sales for each of these numbers of rows, and two small tables that all of them refer to.
    pub(super) fn new(sizes: &[u64]) -> Result<Self> {
        let program = std::env::current_exe()?;
        let target = program.ancestors().nth(2).context("no target folder")?;
        let made = Self { folder: target.join(format!("bench-engines-{}", std::process::id())) };
        let mut client = Self::client()?;
        let mut run = |sql: &str| client.run(sql).map_err(|error| anyhow!("{error}\n{sql}"));
        // One group of rows must fit into the memory of a worker.
        run("SET preserve_insertion_order = false")?;
        fs::create_dir_all(&made.folder)?;
        for (name, query) in DIMENSIONS {
            run(&made.copy(name, query))?;
        }
        for size in sizes {
            let name = Self::sales(*size);
            run(&made.copy(&name, &SALES.replace("{rows}", &size.to_string())))?;
        }
        Ok(made)
    }

    /// A DuckDB without tables.
    pub(super) fn client() -> Result<Client> {
        let driver = library().context("DuckDB is not installed")?;
        Client::duckdb(&driver).map_err(|error| anyhow!("{error}"))
    }

    /// Name of the table with this number of sales.
    pub(super) fn sales(size: u64) -> String {
        format!("sales_{size}")
    }

    /// Names of the tables for a number of sales, each a folder with one Parquet file.
    pub(super) fn tables(size: u64) -> [String; 3] {
        [Self::sales(size), "stores".to_owned(), "products".to_owned()]
    }

    /// The Parquet file of a table.
    pub(super) fn file(&self, table: &str) -> PathBuf {
        self.folder.join(table).join(format!("{table}.parquet"))
    }

    /// A folder for links to the files, which is deleted with them.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn copy(&self, table: &str, query: &str) -> String {
        let file = self.file(table);
        let _ = fs::create_dir_all(self.folder.join(table));
        format!("COPY ({query}) TO '{}' (FORMAT parquet)", file.display())
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const DIMENSIONS: [(&str, &str); 2] = [
    (
        "stores",
        "SELECT i::INTEGER AS id, 'store ' || i AS name, 'country ' || (i % 7) AS country FROM range(1, 1001) AS r(i)",
    ),
    (
        "products",
        "SELECT i::INTEGER AS id, 'product ' || i AS name, 'category ' || (i % 5) AS category \
         FROM range(1, 10001) AS r(i)",
    ),
];

/// The numbers are scattered, so that no engine skips rows, and the same in each run.
const SALES: &str = "SELECT i AS id, (hash(i) % 1000)::INTEGER + 1 AS store_id, \
     (hash(i + 7) % 10000)::INTEGER + 1 AS product_id, (hash(i + 11) % 9)::INTEGER + 1 AS units, \
     DATE '2023-01-01' + (hash(i + 13) % 1000)::INTEGER AS sold_on FROM range({rows}) AS r(i)";
