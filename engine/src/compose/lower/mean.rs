//! Lowering of a comparison of groups with a mean: a subquery over the same rows.

use super::average::named;
use super::extreme::border;
use super::predicate::comparison;
use super::{Lowering, Scope};
use crate::intent::{AgainstMean, Aggregate, Expression, Predicate, QueryTree, Selection};
use wherefore_sql::tree::{
    BinaryOperator, Body, Expr, FromItem, Query, Select, SelectItem, Source,
};

/// Name of the derived table of all groups.
const GROUPS: &str = "all_groups";
/// Name of the aggregate of each group.
const VALUE: &str = "group_value";

impl Lowering<'_> {
    /// The aggregate of a group compared with that of all rows, or with its mean over all groups.
    pub(super) fn against_mean(&self, tree: &QueryTree, mean: &AgainstMean, scope: &Scope) -> Expr {
        let value = Selection {
            expression: mean.aggregate.clone(),
            alias: mean.is_of_groups().then(|| VALUE.to_owned()),
        };
        let mut rows = only(value, tree);
        let query = if mean.is_of_groups() {
            self.mean_of_groups(&rows)
        } else {
            rows.group_by.clear();
            // Rows without a group count as well.
            if is_of(&mean.aggregate, &rows.from) && rows.filters.is_empty() {
                rows.joins.clear();
            }
            self.query(&rows, None, 0)
        };
        Expr::binary(
            self.expression(&mean.aggregate, scope),
            comparison(mean.operator),
            Expr::Subquery(Box::new(query)),
        )
    }

    /// The comparison of the aggregate of a group with those of all groups; `None` if the condition is none.
    pub(super) fn among_groups(
        &self,
        tree: &QueryTree,
        condition: &Predicate,
        scope: &Scope,
    ) -> Option<Expr> {
        let (aggregate, percent, highest, negated) = match condition {
            Predicate::AmongGroups { aggregate, percent, highest } => {
                (aggregate, *percent, *highest, false)
            }
            Predicate::Not { condition } => match condition.as_ref() {
                Predicate::AmongGroups { aggregate, percent, highest } => {
                    (aggregate, *percent, *highest, true)
                }
                _ => return None,
            },
            _ => return None,
        };
        let value = Selection { expression: aggregate.clone(), alias: Some(VALUE.to_owned()) };
        let groups = only(value, tree);
        let query = match percent {
            Some(percent) => {
                let value = Expr::Column { qualifier: None, name: named(VALUE) };
                let source = self.all_groups(&groups);
                Query {
                    body: Body::Select(Box::new(border(value, source, percent, highest))),
                    ..Query::default()
                }
            }
            None => self.mean_of_groups(&groups),
        };
        let operator = match (highest, percent.is_some(), negated) {
            (true, true, false) | (false, false, true) => BinaryOperator::GreaterOrEqual,
            (true, true, true) | (false, false, false) => BinaryOperator::Less,
            (true, false, false) | (false, true, true) => BinaryOperator::Greater,
            (true, false, true) | (false, true, false) => BinaryOperator::LessOrEqual,
        };
        let subquery = Expr::Subquery(Box::new(query));
        Some(Expr::binary(self.expression(aggregate, scope), operator, subquery))
    }

    fn all_groups(&self, groups: &QueryTree) -> Source {
        Source::Derived {
            query: Box::new(self.query(groups, None, 0)),
            alias: Some(named(GROUPS)),
            columns: Vec::new(),
            lateral: false,
        }
    }

    fn mean_of_groups(&self, groups: &QueryTree) -> Query {
        let value = Expr::Column { qualifier: None, name: named(VALUE) };
        let select = Select {
            items: vec![SelectItem::Expr {
                expr: self.figure_of(Aggregate::Average, value),
                alias: None,
            }],
            from: vec![FromItem { source: self.all_groups(groups), joins: Vec::new() }],
            ..Select::default()
        };
        Query { body: Body::Select(Box::new(select)), ..Query::default() }
    }
}

/// One figure of all groups of a tree, in no order.
fn only(value: Selection, tree: &QueryTree) -> QueryTree {
    QueryTree {
        against_mean: None,
        having: Vec::new(),
        order_by: Vec::new(),
        limit: None,
        select: vec![value],
        ..tree.clone()
    }
}

/// Whether an aggregate reads one column of a table.
fn is_of(aggregate: &Expression, table: &str) -> bool {
    let Expression::Aggregate { argument: Some(argument), .. } = aggregate else { return false };
    matches!(argument.as_ref(), Expression::Column { column } if column.table == table)
}
