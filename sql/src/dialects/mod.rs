//! Translation between SQL dialects. A construct that the target has no equivalent for is an error that names it.
//!
//! [`lower`] rewrites the source dialect's constructs into the tree's own vocabulary: PostgreSQL's, plus a few internal
//! functions whose names start with `_`. [`fit`] rewrites that vocabulary into the target's.

mod adopt;
mod aliases;
mod arithmetic;
mod bigquery;
mod compared;
mod dates;
mod fit;
mod formats;
mod functions;
mod internal;
mod intervals;
mod json;
mod kinds;
mod lower;
mod marked;
mod nulls;
mod patterns;
mod qualify;
mod rownum;
mod shared;
mod sqlite;
mod sqlite_dates;
mod sqlite_names;
mod strings;
mod styles;
mod tables;
mod template;
mod truth;
mod tsql;
mod types;
mod walk;

pub use adopt::{Adopted, adopt};
pub(crate) use intervals::flattened_interval;
pub(crate) use json::flattened_path;
pub(crate) use types::foreign_type;

use super::diagnostic::{Code, Diagnostic};
use super::print::{Target, Unprintable, print_fitted};
use super::read::{ReadDialect, read, read_habits};
use super::tree::{Query, SqlSpan};

/// Translates a query from one dialect to another.
///
/// Each diagnostic names a construct that cannot be translated; no query with a different meaning is ever returned.
/// Names of tables and columns are not checked, because there is no catalog. For the same reason a column plus a number
/// is taken for a sum of numbers, and texts are compared by the collation of the target.
///
/// ```
/// use wherefore_sql::{ReadDialect, Target, transpile};
///
/// let sql = transpile("SELECT TOP 3 ISNULL([a], 0) FROM t", ReadDialect::Mssql, Target::Postgres);
/// assert_eq!(sql.unwrap(), "SELECT coalesce(a, 0)\nFROM t\nLIMIT 3");
/// let faults = transpile("SELECT LPAD(a, 3) FROM t", ReadDialect::Postgres, Target::Sqlite);
/// assert_eq!(faults.unwrap_err()[0].message, "cannot be expressed in SQLite: lpad");
/// ```
pub fn transpile(sql: &str, from: ReadDialect, to: Target) -> Result<String, Vec<Diagnostic>> {
    if (from, to) == (ReadDialect::Sqlite, Target::Sqlite) {
        let query = read(sql, from)?;
        return print_fitted(&query, to).map_err(|refusal| vec![unwritten(&refusal)]);
    }
    fitted(read_for(sql, from)?, to).map_err(|fault| vec![fault])
}

/// Reads a query of a dialect into the tree's own vocabulary, from which it can be printed for any target.
///
/// The guard rejects such a query if it contains internal calls, which are on no allow-list.
pub fn read_for(sql: &str, from: ReadDialect) -> Result<Query, Vec<Diagnostic>> {
    let mut query = read_habits(sql, from)?;
    lower::lower(&mut query, from).map_err(|fault| vec![fault])?;
    Ok(query)
}

/// Rewrites a query for a target and prints it.
fn fitted(mut query: Query, target: Target) -> Result<String, Diagnostic> {
    fit::fit(&mut query, target)?;
    print_fitted(&query, target).map_err(|refusal| unwritten(&refusal))
}

fn unwritten(refusal: &Unprintable) -> Diagnostic {
    Diagnostic::new(Code::Unprintable, refusal.to_string(), SqlSpan::default())
}

/// The text of a query for a target, with the target's functions and types.
pub fn print_for(query: &Query, target: Target) -> Result<String, Diagnostic> {
    fitted(query.clone(), target)
}

/// Diagnostic for a construct of the source dialect that cannot be translated.
fn refused(what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(Code::Unsupported, format!("{what} cannot be translated"), SqlSpan::default())
}

/// Diagnostic for a construct that the target has no equivalent for.
fn unprintable(target: Target, what: impl std::fmt::Display) -> Diagnostic {
    let message = format!("cannot be expressed in {target}: {what}");
    Diagnostic::new(Code::Unprintable, message, SqlSpan::default())
}
