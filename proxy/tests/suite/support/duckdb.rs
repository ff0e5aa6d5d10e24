//! Temporary DuckDB files, written in this process with the library that the proxy loads in another.

use std::path::{Path, PathBuf};

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedDatabase, ManagedDriver};
use tempfile::TempDir;

/// A folder with a DuckDB file.
pub struct DuckDb {
    pub folder: TempDir,
    pub path: PathBuf,
    pub driver: PathBuf,
}

impl DuckDb {
    /// A file made by these statements. Prints a line and returns `None` if DuckDB is not installed.
    pub fn new(sql: &str) -> Option<Self> {
        let Some(driver) = library() else {
            println!("skipped: DuckDB is not installed; `cargo xtask test` installs it");
            return None;
        };
        let folder = TempDir::with_prefix("wherefore-duckdb-").unwrap();
        let path = folder.path().join("shop.duckdb");
        let made = Self { folder, path, driver };
        made.run(sql).unwrap();
        Some(made)
    }

    /// Runs statements on the file, which nobody else may have open.
    pub fn run(&self, sql: &str) -> Result<(), String> {
        run(&self.driver, &self.path, &[sql.to_owned()]).map(drop)
    }

    /// Runs statements on the file one by one, and returns the errors of those that fail.
    #[allow(dead_code, reason = "for tests of the whole workspace")]
    pub fn run_each(&self, statements: &[String]) -> Vec<String> {
        statements
            .iter()
            .zip(run_all(&self.driver, &self.path, statements))
            .filter_map(|(sql, ran)| ran.err().map(|error| format!("{error}\n{sql}")))
            .collect()
    }

    /// Options of a proxy on the file.
    pub fn options(&self) -> [&str; 4] {
        let (path, driver) = (self.path.to_str().unwrap(), self.driver.to_str().unwrap());
        ["--database", path, "--driver", driver]
    }
}

/// Path of DuckDB's library, which `cargo xtask test` installs below the target folder.
pub fn library() -> Option<PathBuf> {
    let own = std::env::current_exe().unwrap();
    let packages = own.ancestors().map(|folder| folder.join("tools/duckdb/node_modules/@duckdb"));
    let packages = packages.into_iter().find(|folder| folder.is_dir())?;
    let packages = std::fs::read_dir(packages).ok()?.flatten();
    let libraries = packages.flat_map(|package| {
        ["libduckdb.so", "libduckdb.dylib"].map(|name| package.path().join(name))
    });
    libraries.into_iter().find(|library| library.is_file())
}

fn run(driver: &Path, path: &Path, statements: &[String]) -> Result<(), String> {
    run_all(driver, path, statements).into_iter().collect()
}

fn run_all(driver: &Path, path: &Path, statements: &[String]) -> Vec<Result<(), String>> {
    let told = |error: adbc_core::error::Error| error.message;
    let database = open(driver, path);
    let mut connection = database.new_connection().unwrap();
    let mut one = |sql: &String| {
        let mut statement = connection.new_statement().map_err(told)?;
        statement.set_sql_query(sql).map_err(told)?;
        statement.execute_update().map(drop).map_err(told)
    };
    statements.iter().map(&mut one).collect()
}

fn open(driver: &Path, path: &Path) -> ManagedDatabase {
    let mut driver = ManagedDriver::load_dynamic_from_filename(
        driver,
        Some(b"duckdb_adbc_init"),
        AdbcVersion::V110,
    )
    .unwrap();
    let path = OptionValue::String(path.to_string_lossy().into_owned());
    let options = [(OptionDatabase::Other("path".to_owned()), path)];
    driver.new_database_with_opts(options).unwrap()
}
