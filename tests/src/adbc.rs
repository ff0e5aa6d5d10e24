//! A client of any ADBC driver, to make tables and to measure a database without the proxy.

use std::fmt;
use std::path::Path;

use adbc_core::options::{AdbcVersion, OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDriver};

use crate::Failure;

/// One connection to a database.
pub struct Client(ManagedConnection);

impl Client {
    /// A connection by the driver of this library, with options of the database.
    pub fn new(
        driver: &Path,
        entry: Option<&[u8]>,
        options: impl IntoIterator<Item = (OptionDatabase, OptionValue)>,
    ) -> Result<Self, Failure> {
        let mut driver =
            ManagedDriver::load_dynamic_from_filename(driver, entry, AdbcVersion::V110)?;
        Ok(Self(driver.new_database_with_opts(options)?.new_connection()?))
    }

    /// A connection to a DuckDB without a file.
    pub fn duckdb(driver: &Path) -> Result<Self, Failure> {
        let memory = OptionValue::String(":memory:".to_owned());
        let options = [(OptionDatabase::Other("path".to_owned()), memory)];
        Self::new(driver, Some(b"duckdb_adbc_init"), options)
    }

    /// Runs a statement, and reads all its rows.
    pub fn run(&mut self, sql: &str) -> Result<(), String> {
        let told = |error: adbc_core::error::Error| error.message;
        let mut statement = self.0.new_statement().map_err(told)?;
        statement.set_sql_query(sql).map_err(told)?;
        for rows in statement.execute().map_err(told)? {
            rows.map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").finish_non_exhaustive()
    }
}
