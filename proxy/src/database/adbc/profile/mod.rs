//! Engines that are reached by a driver: what differs from one to the next.

mod duckdb;
mod sail;
mod spark;
mod spark_sql;

use std::time::Duration;

use wherefore_engine::catalog::{Catalog, DataType};
use wherefore_sql::{CheckedSql, Diagnostic, NativeSql, ReadDialect};

use super::place::Place;
use super::wire::Step;
use crate::database::{DatabaseError, Plan};

pub(crate) use duckdb::is_duckdb;
pub(super) use duckdb::unreadable;
pub(super) use duckdb::{DUCKDB, MEMORY};
pub(super) use sail::SAIL;
pub(super) use spark::SPARK;

/// All profiles.
pub(super) static PROFILES: [&Profile; 3] = [&DUCKDB, &SAIL, &SPARK];

/// Names and values of options.
pub(super) type Options = Vec<(String, String)>;

/// An engine: its driver, its dialect, how it is secured, and how its catalog and plans are read.
#[derive(Debug)]
pub(super) struct Profile {
    /// Name of the profile, as in `adbc:NAME?…`.
    pub(super) name: &'static str,
    /// Form of a URI of the engine, for messages.
    pub(super) form: &'static str,
    /// The place that a URI names; `None` if it is one of another kind.
    pub(super) located: fn(&str) -> Option<Place>,
    /// Options of the driver that the configuration may set.
    pub(super) allowed: &'static [&'static str],
    /// Options whose values are never shown.
    pub(super) secret: &'static [&'static str],
    /// Name of the driver, by which a manifest is searched for.
    pub(super) driver: &'static str,
    /// Function of the library that fills in the driver's functions; empty for the usual one.
    pub(super) entry: &'static str,
    /// Where the driver can be had, in lower case without a full stop.
    pub(super) install: &'static str,
    /// Dialect of statements that are written for the engine.
    pub(super) dialect: ReadDialect,
    /// Whether a failure to open the database passes by itself, given its message.
    pub(super) passes: fn(&str) -> bool,
    /// Options with which a database is opened, so that it can only be read where that is possible. An error says what is
    /// wrong with its address.
    pub(super) options: fn(&Place) -> Result<Options, String>,
    /// Statements after opening, which take away what is left.
    pub(super) setup: &'static [&'static str],
    /// Statements on each connection before all others.
    pub(super) session: &'static [&'static str],
    /// How the tables are listed.
    pub(super) structure: Structure,
    /// Schema whose tables are named without it.
    pub(super) default_schema: &'static str,
    /// Type family of a column, given its declared type.
    pub(super) family: fn(&str) -> DataType,
    /// How the proxy's own statements are written.
    pub(super) syntax: Syntax,
    /// The statement as the engine runs it.
    pub(super) translate: fn(&CheckedSql, &Catalog) -> Result<NativeSql, Box<Diagnostic>>,
    /// How a statement is explained; `None` if plans of the engine say nothing about cost.
    pub(super) explained: Option<Explained>,
    /// The error for a statement that failed at a step, given the driver's message.
    pub(super) failure: fn(Step, String) -> DatabaseError,
    /// Timeout of a small statement, such as a search for stored values.
    pub(super) small: Duration,
    /// Time budget for the values of one column.
    pub(super) column_budget: Duration,
    /// Time for which a cancelled statement keeps its place among those in flight; zero if a cancelled statement certainly
    /// ends on the server.
    pub(super) cool_down: Duration,
}

/// How the tables of an engine are listed.
#[derive(Debug)]
pub(super) enum Structure {
    /// By queries on tables of the engine.
    Listed(Listed),
    /// By `SHOW TABLES` and `DESCRIBE`, which know no keys.
    Described,
}

/// Queries that list tables, columns and keys.
#[derive(Debug)]
pub(super) struct Listed {
    /// Lists schema, name, kind (`table` or `view`), comment and estimated number of rows of the tables.
    pub(super) tables: &'static str,
    /// Lists schema, table, name, declared type, nullability and comment of the columns, in order.
    pub(super) columns: &'static str,
    /// Lists schema, table, number and kind (`primary` or `unique`) of the keys, with one column a row.
    pub(super) keys: &'static str,
    /// Lists schema, table, number, column, referenced table and referenced column of the foreign keys.
    pub(super) foreign_keys: &'static str,
}

/// How the proxy's own statements are written.
#[derive(Debug)]
pub(super) struct Syntax {
    /// A name in quotes.
    pub(super) name: fn(&str) -> String,
    /// A text as a literal; `None` if texts are bound as parameters.
    pub(super) literal: Option<fn(&str) -> String>,
    /// Type of texts in a cast.
    pub(super) text: &'static str,
    /// Clause of ILIKE that makes a backslash escape; empty if it always does.
    pub(super) escape: &'static str,
    /// Whether a subquery can stand after IN anywhere in a statement.
    pub(super) has_in_query: bool,
    /// A statement as a part of another, which can only be a query, with at most this many rows.
    pub(super) within: fn(&str, Option<u64>) -> String,
}

/// How the plan of a statement is read.
#[derive(Debug)]
pub(super) struct Explained {
    /// The statement that explains another.
    pub(super) statement: fn(&str) -> String,
    /// Estimate of a plan, given its text and whether rows stop at a limit.
    pub(super) plan: fn(&str, bool) -> Plan,
}
