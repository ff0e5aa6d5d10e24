//! Engines that are reached by a driver: what differs from one to the next.

mod duckdb;

use std::path::Path;

use wherefore_engine::catalog::{Catalog, DataType};
use wherefore_sql::{CheckedSql, Diagnostic, NativeSql, ReadDialect};

use crate::database::Plan;

pub(crate) use duckdb::is_duckdb;
pub(super) use duckdb::{DUCKDB, MEMORY};

/// An engine: its driver, its dialect, how it is secured, and how its catalog and plans are read.
#[derive(Debug)]
pub(super) struct Profile {
    /// Name of the driver, by which a manifest is searched for.
    pub(super) driver: &'static str,
    /// Function of the library that fills in the driver's functions.
    pub(super) entry: &'static str,
    /// Where the driver can be had, in lower case without a full stop.
    pub(super) install: &'static str,
    /// Dialect of the statements that are sent.
    pub(super) dialect: ReadDialect,
    /// Whether a failure to open the database passes by itself, given its message.
    pub(super) passes: fn(&str) -> bool,
    /// Options with which a database at a path is opened, so that it can only be read.
    pub(super) options: fn(&Path) -> Vec<(String, String)>,
    /// Statements after opening, which take away what is left.
    pub(super) setup: &'static [&'static str],
    /// Lists schema, name, kind (`table` or `view`), comment and estimated number of rows of the tables.
    pub(super) tables: &'static str,
    /// Lists schema, table, name, declared type, nullability and comment of the columns, in order.
    pub(super) columns: &'static str,
    /// Lists schema, table, number and kind (`primary` or `unique`) of the keys, with one column a row.
    pub(super) keys: &'static str,
    /// Lists schema, table, number, column, referenced table and referenced column of the foreign keys.
    pub(super) foreign_keys: &'static str,
    /// Schema whose tables are named without it.
    pub(super) default_schema: &'static str,
    /// Type family of a column, given its declared type.
    pub(super) family: fn(&str) -> DataType,
    /// The statement as the engine runs it.
    pub(super) translate: fn(&CheckedSql, &Catalog) -> Result<NativeSql, Box<Diagnostic>>,
    /// The statement that explains another.
    pub(super) explained: fn(&str) -> String,
    /// Estimate of a plan, given its text and whether rows stop at a limit.
    pub(super) plan: fn(&str, bool) -> Plan,
}
