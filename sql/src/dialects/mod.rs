//! Translation between SQL dialects. A construct that the target has no equivalent for is an error that names it.
//!
//! [`lower`] rewrites the source dialect's constructs into the tree's own vocabulary: PostgreSQL's, plus a few internal
//! functions whose names start with `_`. [`fit`] rewrites that vocabulary into the target's.

mod adopt;
mod aliases;
mod arithmetic;
mod bigquery;
mod cases;
mod casts;
mod coerce;
mod compared;
mod dates;
mod doubts;
mod duckdb;
mod empty;
mod exact;
mod fit;
mod formats;
mod functions;
mod grouped;
mod indexed;
mod internal;
mod intervals;
mod json;
mod kinds;
mod lateral;
mod lower;
mod marked;
mod mysql;
mod mysql_rows;
mod native;
mod nulls;
mod patterns;
mod qualify;
mod quotients;
mod recursive_texts;
mod rownum;
mod shared;
mod spark;
mod spark_dates;
mod sqlite;
mod sqlite_dates;
mod sqlite_names;
mod stored;
mod strings;
mod styles;
mod tables;
mod template;
mod truth;
mod tsql;
mod types;
mod walk;
mod warehouse;
mod warehouse_dates;

pub use adopt::{Adopted, adopt};
pub(crate) use intervals::flattened_interval;
pub(crate) use json::flattened_path;
pub use native::{MysqlServer, NativeColumn, NativeSql};
pub(crate) use types::foreign_type;

use wherefore_catalog::Catalog;

use super::diagnostic::{Code, Diagnostic};
use super::print::{Target, Unprintable, print_fitted};
use super::read::{ReadDialect, read, read_habits};
use super::tree::{Query, SqlSpan};

/// A translated query.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Translated {
    /// The query in the target dialect.
    pub sql: String,
    /// Where its meaning depends on the type of a column that is not known.
    pub doubts: Vec<Doubt>,
}

/// A part of a query that is translated for one type of a column and would need another translation for another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Doubt {
    /// What is assumed, in lower case without a full stop.
    pub message: String,
    /// Position of the column in the SQL text.
    pub span: SqlSpan,
}

impl From<Doubt> for Diagnostic {
    fn from(doubt: Doubt) -> Self {
        Self::new(Code::Doubt, doubt.message, doubt.span)
    }
}

/// Translates a query from one dialect to another.
///
/// Each diagnostic names a construct that cannot be translated; no query with a different meaning is ever returned,
/// except where [`translate`] reports a doubt. Names of tables and columns are not checked, because there is no catalog.
/// Texts are compared by the collation of the target.
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
    translate(sql, from, to, None).map(|translated| translated.sql)
}

/// Like [`transpile`], with the types of the columns if the catalog is known, and with doubts where a type is not.
///
/// ```
/// use wherefore_sql::{ReadDialect, Target, translate};
///
/// let translated = translate("SELECT a + 7 FROM t", ReadDialect::Oracle, Target::Sqlite, None).unwrap();
/// assert_eq!(translated.doubts[0].message, "`a` is taken for a number; if it is a date, the sum is wrong");
/// ```
pub fn translate(
    sql: &str,
    from: ReadDialect,
    to: Target,
    catalog: Option<&Catalog>,
) -> Result<Translated, Vec<Diagnostic>> {
    if (from, to) == (ReadDialect::Sqlite, Target::Sqlite) {
        let query = read(sql, from)?;
        let sql = print_fitted(&query, to).map_err(|refusal| vec![unwritten(&refusal)])?;
        return Ok(Translated { sql, doubts: Vec::new() });
    }
    let mut query = read_habits(sql, from)?;
    let columns = catalog.map(|catalog| marked::Columns::of(&query, catalog));
    rewritten(&mut query, from, to, columns.as_ref()).map_err(|fault| vec![fault])
}

fn rewritten(
    query: &mut Query,
    from: ReadDialect,
    to: Target,
    columns: Option<&marked::Columns>,
) -> Result<Translated, Diagnostic> {
    let mut doubts = lateral::replace(query, from, to, columns)?;
    if let Some(columns) = columns {
        walk::query(&mut marked::MarkOperands { columns }, query)?;
    }
    doubts.extend(doubts::of(query, from, to, columns)?);
    if to == Target::Snowflake {
        cases::check_source(query, from)?;
    }
    lower::lower(query, from)?;
    fit::fit(query, to)?;
    marked::Columns::unmark(query);
    let sql = print_fitted(query, to).map_err(|refusal| unwritten(&refusal))?;
    Ok(Translated { sql, doubts })
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
