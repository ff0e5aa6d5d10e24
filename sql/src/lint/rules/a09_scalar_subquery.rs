//! A09 scalar-subquery: a scalar subquery that has several columns or can return several rows.
//!
//! why: the statement fails, or takes an arbitrary row, as soon as the subquery returns a second row.
//! wrong: `SELECT name FROM users WHERE id = (SELECT user_id FROM orders)`
//! right: `SELECT name FROM users WHERE id IN (SELECT user_id FROM orders)`

use super::support::{is_unique_on, number};
use crate::bind::{Block, Subquery};
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::place::leaves;
use crate::tree::{BinaryOperator, Body, Expr, SelectItem, SqlSpan};

pub(super) static RULE: Rule = Rule::new("A09", "scalar-subquery", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for inner in &statement.bound.subqueries {
        let Some(block) = statement.bound.blocks.get(inner.block) else { continue };
        let span = first_item(block);
        if inner.columns != inner.wanted {
            let message = format!(
                "the subquery returns {} columns; expected {}",
                inner.columns, inner.wanted
            );
            found.push(Finding::new(&RULE, message, span).at(Severity::Error));
        } else if inner.is_scalar && may_have_rows(statement, inner, block) {
            let message = "the subquery can return more than one row";
            found.push(Finding::new(&RULE, message, span));
        }
    }
}

fn first_item(block: &Block<'_>) -> SqlSpan {
    match block.select.items.first() {
        Some(SelectItem::Expr { expr, .. }) => leaves(expr).unwrap_or_default(),
        _ => SqlSpan::default(),
    }
}

/// Whether a subquery can return more than one row.
fn may_have_rows(statement: &Statement<'_>, inner: &Subquery<'_>, block: &Block<'_>) -> bool {
    let limited = inner.query.limit.as_ref().and_then(number).is_some_and(|limit| limit <= 1.0);
    let one_row = block.aggregates && block.select.group_by.is_empty();
    let plain = matches!(inner.query.body, Body::Select(_));
    if limited || one_row || !plain || block.sources.is_empty() {
        return false;
    }
    if block.aggregates {
        return false;
    }
    // An equality with a unique key limits the subquery to one row. A column of unknown uniqueness is assumed to be
    // unique.
    let mut fixed = Vec::new();
    for condition in &block.conditions {
        if let Expr::Binary { operator: BinaryOperator::Equal, left, right } = condition.expr {
            for (one, other) in [(left, right), (right, left)] {
                let here = statement.bound.column_of(one).filter(|it| it.block == inner.block);
                let there =
                    statement.bound.column_of(other).is_none_or(|it| it.block != inner.block);
                fixed.extend(here.filter(|_| there).map(|it| (it.source, it.column)));
            }
        }
    }
    let columns: Vec<usize> =
        fixed.iter().filter(|(source, _)| *source == 0).map(|(_, it)| *it).collect();
    if !columns.is_empty() && statement.dialect == crate::Dialect::Sqlite {
        return false;
    }
    block.sources.len() != 1 || is_unique_on(statement, &block.sources[0], &columns) == Some(false)
}
