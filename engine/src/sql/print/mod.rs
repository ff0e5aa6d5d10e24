//! The one printer: from the tree to the text that runs, readable, one clause a line.
//!
//! It quotes by doubling the quote character and by nothing else, so no string or name can end
//! early, and it refuses a node that the dialect cannot express.

mod expression;
#[cfg(feature = "sql")]
mod foreign;
mod function;
#[cfg(feature = "sql")]
mod internal;
mod layout;
mod name;
#[cfg(feature = "sql")]
mod other;

#[cfg(feature = "sql")]
pub(crate) use name::print_name;
mod query;
mod source;
mod target;

pub use target::Target;

use super::Dialect;
use super::tree::Query;

/// What a dialect cannot express.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("cannot be written in {dialect}: {what}")]
pub struct Unprintable {
    /// Dialect that was asked for.
    pub dialect: Target,
    /// The construct, in lower case.
    pub what: String,
}

/// Text of a query in a dialect: one statement without a closing semicolon.
pub fn print(query: &Query, dialect: Dialect) -> Result<String, Unprintable> {
    Printer { dialect, target: dialect.into() }.query(query, 0)
}

/// Text of a query in which rewriting for the target has left only what the target has.
#[cfg(feature = "sql")]
pub(crate) fn print_fitted(query: &Query, target: Target) -> Result<String, Unprintable> {
    let dialect = match target {
        Target::Sqlite => Dialect::Sqlite,
        Target::Postgres | Target::Tsql | Target::Bigquery => Dialect::Postgres,
    };
    Printer { dialect, target }.query(query, 0)
}

/// Prints nodes of one dialect; every method returns the text of its node.
#[derive(Clone, Copy)]
pub(crate) struct Printer {
    /// Dialect of a data source that is written; that which the target is closest to.
    pub(crate) dialect: Dialect,
    pub(crate) target: Target,
}

type Text = Result<String, Unprintable>;

impl Printer {
    fn refuse<T>(self, what: impl Into<String>) -> Result<T, Unprintable> {
        Err(Unprintable { dialect: self.target, what: what.into() })
    }

    fn is_sqlite(self) -> bool {
        self.dialect == Dialect::Sqlite
    }

    /// Refuses on SQLite what only PostgreSQL has.
    fn postgres_only(self, what: &str) -> Result<(), Unprintable> {
        if self.is_sqlite() { self.refuse(what) } else { Ok(()) }
    }
}
