//! From one dialect to another: what a dialect says its own way becomes what the tree says, then
//! what the target says; what the target has nothing for is refused by name.
//!
//! [`lower`] takes the habits of the dialect that was read into the tree's own vocabulary, which is
//! PostgreSQL's and a few internal functions (their names start with `_`). [`fit`] takes that
//! vocabulary into a target's.

mod bigquery;
mod dates;
mod fit;
mod formats;
mod functions;
mod internal;
mod intervals;
mod json;
mod kinds;
mod lower;

mod nulls;
mod qualify;
mod shared;
mod sqlite;
mod sqlite_dates;
mod strings;
mod tables;
mod template;
mod truth;
mod tsql;
mod types;
mod walk;

pub(crate) use intervals::flattened_interval;
pub(crate) use json::flattened_path;
pub(crate) use types::foreign_type;

use super::diagnostic::{Code, Diagnostic};
use super::print::{Target, Unprintable, print_fitted};
use super::read::{ReadDialect, read, read_habits};
use super::tree::{Query, SqlSpan};

/// A query of one dialect, written in another.
///
/// Every diagnostic names what cannot be carried over; nothing is written that would mean something
/// else. Names of tables and columns are not checked: no catalog is asked.
///
/// ```
/// use wherefore_engine::sql::{ReadDialect, Target, transpile};
///
/// let sql = transpile("SELECT TOP 3 ISNULL([a], 0) FROM t", ReadDialect::Mssql, Target::Postgres);
/// assert_eq!(sql.unwrap(), "SELECT coalesce(a, 0)\nFROM t\nLIMIT 3");
/// let faults = transpile("SELECT LPAD(a, 3) FROM t", ReadDialect::Postgres, Target::Sqlite);
/// assert_eq!(faults.unwrap_err()[0].message, "cannot be written in SQLite: lpad");
/// ```
pub fn transpile(sql: &str, from: ReadDialect, to: Target) -> Result<String, Vec<Diagnostic>> {
    if (from, to) == (ReadDialect::Sqlite, Target::Sqlite) {
        let query = read(sql, from)?;
        return print_fitted(&query, to).map_err(|refusal| vec![unwritten(&refusal)]);
    }
    fitted(read_for(sql, from)?, to).map_err(|fault| vec![fault])
}

/// A query of a dialect in the tree's own vocabulary, from which it can be written for any target.
///
/// The guard does not take it: it may hold internal calls, which no list of functions has.
pub fn read_for(sql: &str, from: ReadDialect) -> Result<Query, Vec<Diagnostic>> {
    let mut query = read_habits(sql, from)?;
    lower::lower(&mut query, from).map_err(|fault| vec![fault])?;
    Ok(query)
}

/// A query of the tree in a target's words.
fn fitted(mut query: Query, target: Target) -> Result<String, Diagnostic> {
    fit::fit(&mut query, target)?;
    print_fitted(&query, target).map_err(|refusal| unwritten(&refusal))
}

fn unwritten(refusal: &Unprintable) -> Diagnostic {
    Diagnostic::new(Code::Unprintable, refusal.to_string(), SqlSpan::default())
}

/// Text of a query for a target, in the target's own functions and types.
pub fn print_for(query: &Query, target: Target) -> Result<String, Diagnostic> {
    fitted(query.clone(), target)
}

/// Fault of a habit that the tree has no words for.
fn refused(what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(Code::Unsupported, format!("{what} is not carried over"), SqlSpan::default())
}

/// Fault of something that a target has nothing for.
fn unprintable(target: Target, what: impl std::fmt::Display) -> Diagnostic {
    let message = format!("cannot be written in {target}: {what}");
    Diagnostic::new(Code::Unprintable, message, SqlSpan::default())
}
