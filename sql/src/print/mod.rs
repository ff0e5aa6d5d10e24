//! The printer: turns a tree into the SQL text that runs, formatted with one clause per line.
//!
//! Quoting only ever doubles the quote character, so that no string or name can end early. A node that the dialect
//! cannot express is an error.

mod expression;
mod foreign;
mod function;
mod internal;
mod layout;
mod mysql;
mod name;
mod other;

pub(crate) use name::print_name;
mod query;
mod source;
mod spark;
mod target;
mod warehouse;

pub use target::Target;

use super::Dialect;
use super::tree::{Identifier, Query};

/// Error: a dialect cannot express a construct.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("cannot be expressed in {dialect}: {what}")]
pub struct Unprintable {
    /// The requested dialect.
    pub dialect: Target,
    /// Name of the construct, in lower case.
    pub what: String,
}

/// The text of a query in a dialect: one statement without a trailing semicolon.
pub fn print(query: &Query, dialect: Dialect) -> Result<String, Unprintable> {
    Printer { dialect, target: dialect.into() }.query(query, 0)
}

/// The text of a query that was already rewritten for the target.
pub(crate) fn print_fitted(query: &Query, target: Target) -> Result<String, Unprintable> {
    let dialect = closest(target);
    Printer { dialect, target }.query(query, 0)
}

/// A stored name as a target writes it.
pub fn print_identifier(name: &str, target: Target) -> Result<String, Unprintable> {
    Printer { dialect: closest(target), target }.name(&Identifier::stored(name))
}

/// A text as a string literal of a target.
pub fn print_string(text: &str, target: Target) -> Result<String, Unprintable> {
    Printer { dialect: closest(target), target }.string(text)
}

/// The data source dialect that is closest to a target.
fn closest(target: Target) -> Dialect {
    match target {
        Target::Sqlite => Dialect::Sqlite,
        Target::Postgres
        | Target::Tsql
        | Target::Bigquery
        | Target::Mysql
        | Target::Snowflake
        | Target::Databricks
        | Target::Trino
        | Target::Duckdb
        | Target::Spark => Dialect::Postgres,
    }
}

/// Prints the nodes of a query; every method returns the text of one node.
#[derive(Clone, Copy)]
pub(crate) struct Printer {
    /// The data source dialect that is closest to the target.
    pub(crate) dialect: Dialect,
    pub(crate) target: Target,
}

/// Whether there are targets other than the dialects of data sources; if not, the compiler drops the code for them.
const TRANSPILES: bool = cfg!(feature = "read");

type Text = Result<String, Unprintable>;

impl Printer {
    fn refuse<T>(self, what: impl Into<String>) -> Result<T, Unprintable> {
        Err(Unprintable { dialect: self.target, what: what.into() })
    }

    fn is_sqlite(self) -> bool {
        self.dialect == Dialect::Sqlite
    }

    fn is_duckdb(self) -> bool {
        self.target == Target::Duckdb
    }

    /// Whether a statement is printed by its meaning only, and not in the syntax in which it was written.
    fn prints_meaning(self) -> bool {
        self.is_sqlite()
            || self.is_mysql()
            || self.is_duckdb()
            || self.is_spark()
            || self.is_warehouse()
    }

    /// Rejects a construct on SQLite.
    fn postgres_only(self, what: &str) -> Result<(), Unprintable> {
        if self.is_sqlite() { self.refuse(what) } else { Ok(()) }
    }
}
