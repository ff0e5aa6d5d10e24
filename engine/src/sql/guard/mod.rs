//! The guard: default deny. Only what resolves in the catalog and stands on a list comes through.
//!
//! It checks a copy of the tree that it also pins down: tables and columns get their stored names,
//! wildcards are written out and NATURAL becomes USING, so that a column that the catalog does not
//! list can be reached neither by a star nor by an accident of name resolution.

mod checked;
mod connectivity;
mod expressions;
mod functions;
mod generators;
mod parameters;
mod query;
mod recursion;
mod relations;
mod scope;
mod select;
mod sources;

pub use checked::{CheckedSql, OutputColumn};
#[cfg(feature = "sql")]
pub(crate) use functions::{
    is_aggregate, is_hidden_column, is_listed, may_have_over, names, needs_order, needs_over,
    table_function,
};
pub use parameters::check_bound;
pub(crate) use parameters::{ParameterUse, bind};
#[cfg(feature = "sql")]
pub(crate) use relations::default_schema;

use std::collections::BTreeMap;

use super::diagnostic::{Code, Diagnostic};
use super::tree::{Literal, Query, SqlSpan};
use super::{Dialect, print};
use crate::catalog::Catalog;
use relations::Relations;
use scope::CommonTable;

/// Bounds on what one statement may ask of a server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GuardLimits {
    /// Most groups of sources in one FROM that no condition connects.
    pub max_unconnected_sources: usize,
    /// Most sources in one FROM.
    pub max_sources: usize,
    /// Most rows that a generator such as `generate_series` may make.
    pub max_generated_rows: u64,
    /// Longest text that a constant may ask for, in characters.
    pub max_generated_text: u64,
    /// Most output columns.
    pub max_columns: usize,
}

impl Default for GuardLimits {
    fn default() -> Self {
        Self {
            max_unconnected_sources: 3,
            max_sources: 30,
            max_generated_rows: 100_000,
            max_generated_text: 10_000,
            max_columns: 200,
        }
    }
}

/// Checks a query against a catalog and prints it for a dialect.
///
/// All faults that are found are returned, in the order in which they stand.
pub fn check(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
) -> Result<CheckedSql, Vec<Diagnostic>> {
    let unbound = BTreeMap::new();
    Guard::new(catalog, dialect, limits, &unbound).statement(query.clone())
}

/// What the guard finds in a query; a query that nothing else is wrong with is printed too.
#[cfg(feature = "sql")]
pub(crate) fn faults(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
) -> Vec<Diagnostic> {
    let unbound = BTreeMap::new();
    let mut guard = Guard::new(catalog, dialect, limits, &unbound);
    let mut pinned = query.clone();
    guard.query(&mut pinned, None);
    let mut faults = guard.diagnostics;
    if faults.is_empty()
        && let Err(refusal) = print(&pinned, dialect)
    {
        faults.push(Diagnostic::new(Code::Unprintable, refusal.to_string(), SqlSpan::default()));
    }
    faults
}

/// Reads a text, then checks it against a catalog and prints it for a dialect.
#[cfg(feature = "sql")]
pub fn check_text(
    sql: &str,
    read_dialect: super::ReadDialect,
    catalog: &Catalog,
    target: Dialect,
    limits: &GuardLimits,
) -> Result<CheckedSql, Vec<Diagnostic>> {
    let query = super::read_plain(sql, read_dialect)?;
    Guard::new(catalog, target, limits, &BTreeMap::new()).statement(query)
}

/// One check: what is known of the data source, the common tables in scope, and the faults so far.
struct Guard<'a> {
    dialect: Dialect,
    limits: &'a GuardLimits,
    relations: Relations<'a>,
    /// Literals that stand for placeholders, by name without the mark before it.
    parameters: &'a BTreeMap<String, Literal>,
    /// Comparisons of a column with a bound placeholder, as they are met.
    uses: Vec<ParameterUse>,
    common_tables: Vec<CommonTable>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Guard<'a> {
    fn new(
        catalog: &'a Catalog,
        dialect: Dialect,
        limits: &'a GuardLimits,
        parameters: &'a BTreeMap<String, Literal>,
    ) -> Self {
        Self {
            dialect,
            limits,
            relations: Relations::new(catalog, dialect),
            parameters,
            uses: Vec::new(),
            common_tables: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

impl Guard<'_> {
    /// Checks a whole statement and prints it.
    fn statement(&mut self, mut pinned: Query) -> Result<CheckedSql, Vec<Diagnostic>> {
        let columns = self.query(&mut pinned, None).columns;
        if columns.len() > self.limits.max_columns {
            let message = format!("more than {} output columns", self.limits.max_columns);
            self.fault(Code::Limit, message, SqlSpan::default());
        }
        if !self.diagnostics.is_empty() {
            return Err(std::mem::take(&mut self.diagnostics));
        }
        match print(&pinned, self.dialect) {
            Ok(sql) => Ok(CheckedSql::new(sql, self.dialect, columns, pinned)),
            Err(refusal) => {
                let message = refusal.to_string();
                Err(vec![Diagnostic::new(Code::Unprintable, message, SqlSpan::default())])
            }
        }
    }

    fn fault(&mut self, code: Code, message: impl Into<String>, span: SqlSpan) {
        self.diagnostics.push(Diagnostic::new(code, message, span));
    }

    fn fault_with_hint(
        &mut self,
        code: Code,
        message: impl Into<String>,
        hint: Option<String>,
        span: SqlSpan,
    ) {
        self.diagnostics.push(Diagnostic { code, message: message.into(), hint, span });
    }
}
