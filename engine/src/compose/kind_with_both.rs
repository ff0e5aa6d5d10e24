//! Kinds that have rows with each of several values: "wineries making both chardonnay and pinot noir", where the wineries
//! are a column of the wines.
//!
//! The rows with any of the values are grouped by the kind, and a group must have as many different values as are named.

use super::context::Composer;
use crate::catalog::ColumnRef;
use crate::intent::{Aggregate, Comparison, Expression, Literal, Ordering, Predicate, QueryTree};
use crate::linking::{Lexical, Named};
use crate::reading::{Condition, Frame};

impl Composer<'_> {
    /// The tree of kinds instead of rows, where "both" stands before several values of one column and no column is shown
    /// that tells single rows.
    pub(super) fn kinds_with_both(&self, frame: &Frame, mut tree: QueryTree) -> QueryTree {
        let both = self.says_both_of_values(frame);
        let rows = tree.group_by.is_empty()
            && tree.having.is_empty()
            && tree.limit.is_none()
            && tree.top.is_none()
            && tree.over_groups.is_none()
            && tree.also.is_empty();
        let kinds: Option<Vec<&ColumnRef>> = tree
            .select
            .iter()
            .map(|item| match &item.expression {
                Expression::Column { column } if column.table == tree.from => Some(column),
                _ => None,
            })
            .collect();
        let Some(kinds) = kinds.filter(|kinds| both && rows && !kinds.is_empty()) else {
            return tree;
        };
        let mut listed = tree.filters.iter().filter_map(|filter| match filter {
            Predicate::OneOf { column, values } if values.len() > 1 => Some((column, values.len())),
            _ => None,
        });
        let (Some((column, values)), None) = (listed.next(), listed.next()) else { return tree };
        let apart = kinds.iter().any(|kind| self.tells_rows(kind));
        // A group has rows with several of the values, so they are not shown.
        if column.table != tree.from || apart || kinds.iter().all(|kind| *kind == column) {
            return tree;
        }
        let valued = Expression::Column { column: column.clone() };
        let left = Expression::Aggregate {
            function: Aggregate::Count,
            argument: Some(Box::new(valued.clone())),
            distinct: true,
        };
        let right = Literal::Number { value: values.to_string() };
        tree.select.retain(|item| item.expression != valued);
        let keys: Vec<Expression> =
            tree.select.iter().map(|item| item.expression.clone()).collect();
        tree.having = vec![Predicate::Compare { left, operator: Comparison::Equal, right }];
        tree.distinct = false;
        tree.order_by.retain(|order| keys.contains(&order.expression));
        if tree.order_by.is_empty() {
            let by = |expression: &Expression| Ordering {
                expression: expression.clone(),
                descending: false,
            };
            tree.order_by = keys.iter().map(by).collect();
        }
        tree.group_by = keys;
        tree
    }

    /// Whether "both" stands right before values: "both open and paid", but not "both the city and country of customers in
    /// Berlin and Paris".
    fn says_both_of_values(&self, frame: &Frame) -> bool {
        let first = frame.conditions.iter().find_map(|condition| match condition {
            Condition::Values { at, negated: false, .. } if at.len() > 1 => at.first(),
            _ => None,
        });
        let structure = |at: &usize| self.mentions[*at].readings.is_empty();
        first.is_some_and(|first| {
            let mut before = (0..*first).rev().take_while(structure);
            before.any(|at| self.mentions[at].is(Lexical::Both))
        }) && !self.mentions.iter().any(|mention| mention.is(Lexical::Or))
    }

    /// Whether a column tells the rows of its table apart: a key, or what names them.
    fn tells_rows(&self, column: &ColumnRef) -> bool {
        self.column_id(column).is_none_or(|id| {
            let profile = self.schema.profile(id.table);
            self.catalog.column_at(id).unique
                || profile.primary_key.contains(&id)
                || profile.label.contains(&id)
        })
    }
}
