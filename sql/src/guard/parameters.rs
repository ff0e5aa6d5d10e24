//! Placeholders, which are replaced with literals before the statement is checked.

use std::collections::BTreeMap;

use super::relations::Relations;
use super::scope::{Resolved, Scope};
use super::{CheckedSql, Guard, GuardLimits};
use crate::Dialect;
use crate::diagnostic::Diagnostic;
use crate::tree::{BinaryOperator, Expr, Literal, Query};
use wherefore_catalog::{Catalog, ColumnRef};

/// A stored column that is compared with a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterUse {
    /// Name of the placeholder, without the leading `:`.
    pub name: String,
    /// Comparison operator, with the column on its left.
    pub operator: BinaryOperator,
    /// The column.
    pub column: ColumnRef,
}

/// Checks a query whose named placeholders are bound to literals, and prints it for a dialect.
///
/// The keys of `parameters` are names without the leading `:` (`limit` for `:limit`). A table name without a schema
/// matches a table of any schema if the name is unique, so that the same text works on every data source.
pub fn check_bound(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
    parameters: &BTreeMap<String, Literal>,
) -> Result<CheckedSql, Vec<Diagnostic>> {
    bind(query, catalog, dialect, limits, parameters).map(|(checked, _)| checked)
}

/// Like [`check_bound`], but also returns the columns that placeholders are compared with.
pub fn bind(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
    parameters: &BTreeMap<String, Literal>,
) -> Result<(CheckedSql, Vec<ParameterUse>), Vec<Diagnostic>> {
    let mut guard = Guard {
        dialect,
        limits,
        relations: Relations::of_any_schema(catalog, dialect),
        parameters,
        uses: Vec::new(),
        common_tables: Vec::new(),
        searches: Vec::new(),
        diagnostics: Vec::new(),
    };
    let checked = guard.statement(query.clone())?;
    Ok((checked, guard.uses))
}

impl Guard<'_> {
    /// Replaces a bound placeholder with its literal, and records what bound placeholders are compared with.
    pub(super) fn bind_placeholders(&mut self, expr: &mut Expr, scope: &Scope<'_>) {
        if self.parameters.is_empty() {
            return;
        }
        match expr {
            Expr::Parameter(name) => {
                if let Some(literal) = self.parameters.get(bare(name)) {
                    *expr = Expr::literal(literal.clone());
                }
            }
            Expr::Binary { operator, left, right } => {
                self.note(left, *operator, right, scope);
                if let Some(mirrored) = mirrored(*operator) {
                    self.note(right, mirrored, left, scope);
                }
            }
            Expr::Between { operand, low, high, negated: false } => {
                self.note(operand, BinaryOperator::GreaterOrEqual, low, scope);
                self.note(operand, BinaryOperator::LessOrEqual, high, scope);
            }
            _ => {}
        }
    }

    fn note(&mut self, column: &Expr, operator: BinaryOperator, value: &Expr, scope: &Scope<'_>) {
        let (Expr::Column { qualifier, name }, Expr::Parameter(parameter)) = (column, value) else {
            return;
        };
        let (Resolved::Column { column, .. } | Resolved::Outer { column, .. }) =
            scope.resolve(qualifier.as_ref(), name, self.dialect)
        else {
            return;
        };
        if let Some(column) = column.source {
            self.uses.push(ParameterUse { name: bare(parameter).to_owned(), operator, column });
        }
    }
}

/// Name of a placeholder without the leading `:`.
fn bare(name: &str) -> &str {
    name.strip_prefix(':').unwrap_or(name)
}

/// The comparison operator for swapped operands; `None` if it is not a comparison.
fn mirrored(operator: BinaryOperator) -> Option<BinaryOperator> {
    Some(match operator {
        BinaryOperator::Equal => BinaryOperator::Equal,
        BinaryOperator::NotEqual => BinaryOperator::NotEqual,
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessOrEqual => BinaryOperator::GreaterOrEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterOrEqual => BinaryOperator::LessOrEqual,
        _ => return None,
    })
}
