//! The guard: default deny. A statement is accepted only if every name resolves in the catalog and every function, type
//! and collation is on an allow-list.
//!
//! It also normalizes the copy of the tree that it checks: tables and columns get their stored names, wildcards are
//! expanded, and NATURAL becomes USING. Columns that the catalog does not list are therefore unreachable, both through
//! `*` and through the server's own name resolution.

mod calls;
mod checked;
mod connectivity;
mod constants;
mod expressions;
mod formats;
mod functions;
mod generators;
mod growth;
mod parameters;
mod query;
mod recursion;
mod relations;
mod scope;
mod searches;
mod select;
mod size;
mod sources;

pub use checked::{CheckedSql, OutputColumn};
pub(crate) use functions::{
    is_aggregate, is_hidden_column, is_listed, may_have_over, names, needs_order, needs_over,
    table_function,
};
pub use parameters::check_bound;
#[doc(hidden)]
pub use parameters::{ParameterUse, bind};
pub(crate) use relations::default_schema;

use std::collections::BTreeMap;

use super::diagnostic::{Code, Diagnostic};
use super::tree::{Literal, Query, SqlSpan};
use super::{Dialect, print};
use relations::Relations;
use scope::CommonTable;
use searches::Search;
use wherefore_catalog::Catalog;

/// Limits on the resources that one statement may use.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GuardLimits {
    /// Maximum number of factors in a Cartesian product.
    pub max_unconnected_sources: usize,
    /// Maximum number of sources in one FROM.
    pub max_sources: usize,
    /// Maximum number of rows of a generator such as `generate_series`.
    pub max_generated_rows: u64,
    /// Maximum length of a text whose length an argument sets, in characters.
    pub max_generated_text: u64,
    /// Maximum length of a text that the statement assembles, in characters; a stored value counts as short.
    pub max_joined_text: u64,
    /// Maximum length of what a call searches for when the server cannot interrupt it, in characters.
    pub max_needle: u64,
    /// The same for a search in a text that is aggregated, recursive or longer than a generated one may be.
    pub max_needle_in_aggregate: u64,
    /// Maximum number of output columns.
    pub max_columns: usize,
}

impl Default for GuardLimits {
    fn default() -> Self {
        Self {
            max_unconnected_sources: 3,
            max_sources: 30,
            max_generated_rows: 100_000,
            max_generated_text: 10_000,
            max_joined_text: 1_000_000,
            max_needle: 1_000,
            max_needle_in_aggregate: 100,
            max_columns: 200,
        }
    }
}

/// Checks a query against a catalog and prints it for a dialect.
///
/// On failure, returns all diagnostics in source order.
pub fn check(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
) -> Result<CheckedSql, Vec<Diagnostic>> {
    let unbound = BTreeMap::new();
    Guard::new(catalog, dialect, limits, &unbound).statement(query.clone())
}

/// The guard's diagnostics for a query, including those of printing if it is otherwise valid.
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

/// Reads SQL text, checks it against a catalog and prints it for a dialect.
#[cfg(feature = "read")]
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

/// State of one check: the relations of the data source, the CTEs in scope, and the diagnostics so far.
struct Guard<'a> {
    dialect: Dialect,
    limits: &'a GuardLimits,
    relations: Relations<'a>,
    /// Literals for the placeholders, by name without the leading `:`.
    parameters: &'a BTreeMap<String, Literal>,
    /// Comparisons of columns with bound placeholders, in the order of traversal.
    uses: Vec<ParameterUse>,
    common_tables: Vec<CommonTable>,
    /// Searches in the recursive parts of the CTEs that are being checked.
    searches: Vec<Search>,
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
            searches: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

impl Guard<'_> {
    /// Checks a whole statement and prints it.
    fn statement(&mut self, mut pinned: Query) -> Result<CheckedSql, Vec<Diagnostic>> {
        let columns = self.query(&mut pinned, None).columns;
        if columns.len() > self.limits.max_columns {
            let message =
                format!("the query has more than {} output columns", self.limits.max_columns);
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
