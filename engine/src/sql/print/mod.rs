//! The one printer: from the tree to the text that runs, readable, one clause a line.
//!
//! It quotes by doubling the quote character and by nothing else, so no string or name can end
//! early, and it refuses a node that the dialect cannot express.

mod expression;
#[cfg(feature = "sql")]
mod foreign;
mod function;
mod layout;
mod name;

#[cfg(feature = "sql")]
pub(crate) use name::print_name;
mod query;
mod source;

use super::Dialect;
use super::tree::Query;

/// What a dialect cannot express.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("cannot be written in {dialect}: {what}")]
pub struct Unprintable {
    /// Dialect that was asked for.
    pub dialect: Dialect,
    /// The construct, in lower case.
    pub what: String,
}

/// Text of a query in a dialect: one statement without a closing semicolon.
pub fn print(query: &Query, dialect: Dialect) -> Result<String, Unprintable> {
    Printer { dialect }.query(query, 0)
}

/// Prints nodes of one dialect; every method returns the text of its node.
#[derive(Clone, Copy)]
pub(crate) struct Printer {
    pub(crate) dialect: Dialect,
}

type Text = Result<String, Unprintable>;

impl Printer {
    fn refuse<T>(self, what: impl Into<String>) -> Result<T, Unprintable> {
        Err(Unprintable { dialect: self.dialect, what: what.into() })
    }

    fn is_sqlite(self) -> bool {
        self.dialect == Dialect::Sqlite
    }

    /// Refuses on SQLite what only PostgreSQL has.
    fn postgres_only(self, what: &str) -> Result<(), Unprintable> {
        if self.is_sqlite() { self.refuse(what) } else { Ok(()) }
    }
}
