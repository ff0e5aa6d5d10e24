//! Placeholders: literals put in their place before the statement is checked.

use std::collections::BTreeMap;

use super::relations::Relations;
use super::scope::{Resolved, Scope};
use super::{CheckedSql, Guard, GuardLimits};
use crate::catalog::{Catalog, ColumnRef};
use crate::sql::Dialect;
use crate::sql::diagnostic::Diagnostic;
use crate::sql::tree::{BinaryOperator, Expr, Literal, Query};

/// A stored column that a statement compares with a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterUse {
    /// Name of the placeholder, without the mark before it.
    pub(crate) name: String,
    /// Comparison, read from the column to the placeholder.
    pub(crate) operator: BinaryOperator,
    /// Column.
    pub(crate) column: ColumnRef,
}

/// Checks a query whose named placeholders stand for literals, and prints it for a dialect.
///
/// `parameters` has the names without the mark before them (`limit` for `:limit`). A table name without a schema
/// means the one table of that name, in whichever schema it is, so that one text fits every data source.
pub fn check_bound(
    query: &Query,
    catalog: &Catalog,
    dialect: Dialect,
    limits: &GuardLimits,
    parameters: &BTreeMap<String, Literal>,
) -> Result<CheckedSql, Vec<Diagnostic>> {
    bind(query, catalog, dialect, limits, parameters).map(|(checked, _)| checked)
}

/// The same as [`check_bound`], with the columns that placeholders are compared to.
pub(crate) fn bind(
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
        diagnostics: Vec::new(),
    };
    let checked = guard.statement(query.clone())?;
    Ok((checked, guard.uses))
}

impl Guard<'_> {
    /// Puts the literal of a bound placeholder in its place, and notes what bound placeholders are compared to.
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

/// Name of a placeholder without the mark before it.
fn bare(name: &str) -> &str {
    name.strip_prefix(':').unwrap_or(name)
}

/// The comparison with its sides swapped.
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
