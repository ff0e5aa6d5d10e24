//! Whether a decision is found again in a query tree (invariant I9).

use super::constraints::step_joins;
use crate::catalog::ColumnRef;
use crate::clarification::{OptionBinding, Scope};
use crate::intent::{Aggregate, Expression, JoinStep, Predicate, QueryTree, Selection};

/// Whether the tree holds what was decided.
pub(crate) fn contains_binding(tree: &QueryTree, binding: &OptionBinding) -> bool {
    match binding {
        OptionBinding::Ignore => true,
        OptionBinding::Attachment { tables } => tables.iter().all(|table| {
            std::iter::once(tree)
                .chain(&tree.also)
                .any(|tree| tree.from == *table && tree.row_conditions().next().is_some())
        }),
        OptionBinding::Aggregate { function } => expressions(tree).any(|expression| {
            holds(expression, &|inner| matches!(inner, Expression::Aggregate { function: own, .. } if own == function))
        }) || *function == Aggregate::Count,
        OptionBinding::Column { column } => {
            expressions(tree).any(|expression| {
                holds(expression, &|inner| match inner {
                    Expression::Age { column: own, .. }
                    | Expression::Column { column: own }
                    | Expression::Period { column: own, .. }
                    | Expression::Related { column: own, .. } => own == column,
                    Expression::Days { from, to } => from == column || to == column,
                    _ => false,
                })
            }) || conditions(tree).any(|condition| condition_names(condition, column))
                || leads(tree, &|joins| {
                    joins.iter().any(|step| {
                        step.from_table == column.table && step.from_columns.contains(&column.column)
                            || step.to_table == column.table
                                && step.to_columns.contains(&column.column)
                    })
                })
        }
        OptionBinding::Grain { grain } => expressions(tree).any(|expression| {
            holds(expression, &|inner| matches!(inner, Expression::Period { grain: own, .. } if own == grain))
        }),
        OptionBinding::Join { joins } => {
            let same = |own: &JoinStep, step: &JoinStep| {
                own.from_table == step.from_table
                    && own.from_columns == step.from_columns
                    && own.to_table == step.to_table
                    && own.to_columns == step.to_columns
            };
            leads(tree, &|all| joins.iter().all(|step| all.iter().any(|own| same(own, step))))
        }
        // A value of a template stands in the statement of the template only.
        OptionBinding::Parameter { .. } => false,
        OptionBinding::Predicate { predicate } => {
            let holds = |part: &Predicate| conditions(tree).any(|condition| within(condition, part));
            holds(predicate)
                || matches!(predicate, Predicate::All { conditions } if conditions.iter().all(holds))
                || matches!(predicate, Predicate::Not { condition } if denies(tree, condition))
        }
        OptionBinding::Columns { columns } => columns.iter().all(|column| {
            contains_binding(tree, &OptionBinding::Column { column: column.clone() })
        }),
        OptionBinding::Scope { scope: Scope::All, table } => conditions(tree).any(|condition| {
            any(condition, &|inner| {
                matches!(inner, Predicate::RelatedToAll { key, .. } if key.table == *table)
            })
        }),
        OptionBinding::Scope { scope: Scope::Each, table } => {
            contains_binding(tree, &OptionBinding::Table { table: table.clone() })
        }
        OptionBinding::Table { table } => {
            tree.from == *table
                || leads(tree, &|joins| joins.iter().any(|step| step.to_table == *table))
        }
        OptionBinding::TimeRange { column, range } => {
            range.start.is_none() && range.end.is_none()
                || conditions(tree).any(|condition| {
                    within(condition, &Predicate::InRange { column: column.clone(), range: range.clone() })
                })
        }
        OptionBinding::Value { column, value } => conditions(tree).any(|condition| any(condition, &|inner| {
            matches!(inner, Predicate::OneOf { column: own, values } if own == column && values.contains(value))
        })),
    }
}

/// Whether the tree reads a table, in FROM, a join or a condition on related rows.
pub(crate) fn reads_table(tree: &QueryTree, table: &str) -> bool {
    let is_read = |step: &JoinStep| step.from_table == table || step.to_table == table;
    std::iter::once(tree)
        .chain(&tree.also)
        .any(|tree| tree.from == table || leads(tree, &|joins| joins.iter().any(is_read)))
}

/// Whether a tree calculates, compares, groups, sorts or joins with a column; only to show it is no use of it, because
/// rows are shown with all their columns.
pub(crate) fn uses_column(tree: &QueryTree, column: &ColumnRef) -> bool {
    let shown = |item: &Selection| matches!(item.expression, Expression::Column { .. });
    let mut used = tree.clone();
    used.select.retain(|item| !shown(item));
    for also in &mut used.also {
        also.select.retain(|item| !shown(item));
    }
    contains_binding(&used, &OptionBinding::Column { column: column.clone() })
}

fn expressions(tree: &QueryTree) -> impl Iterator<Item = &Expression> {
    std::iter::once(tree).chain(&tree.also).flat_map(expressions_of)
}

fn expressions_of(tree: &QueryTree) -> impl Iterator<Item = &Expression> {
    tree.select
        .iter()
        .map(|item| &item.expression)
        .chain(&tree.group_by)
        .chain(tree.order_by.iter().map(|order| &order.expression))
        .chain(tree.top.iter().flat_map(|top| &top.partition))
        .chain(tree.over_groups.iter().flat_map(|over| &over.by))
        .chain(tree.against_mean.iter().map(|mean| &mean.aggregate))
}

fn conditions(tree: &QueryTree) -> impl Iterator<Item = &Predicate> {
    std::iter::once(tree)
        .chain(&tree.also)
        .flat_map(|tree| tree.row_conditions().chain(&tree.having))
}

fn holds(expression: &Expression, wanted: &dyn Fn(&Expression) -> bool) -> bool {
    wanted(expression)
        || match expression {
            Expression::Aggregate { argument: Some(argument), .. } => holds(argument, wanted),
            Expression::Arithmetic { left, right, .. } => {
                holds(left, wanted) || holds(right, wanted)
            }
            Expression::Growth { aggregate, .. }
            | Expression::Partial { aggregate, .. }
            | Expression::Share { aggregate, .. }
            | Expression::ShareOfTotal { aggregate } => holds(aggregate, wanted),
            Expression::Age { .. }
            | Expression::Aggregate { argument: None, .. }
            | Expression::Column { .. }
            | Expression::Days { .. }
            | Expression::Number { .. }
            | Expression::Period { .. }
            | Expression::Related { .. } => false,
        }
}

fn within(condition: &Predicate, wanted: &Predicate) -> bool {
    any(condition, &|inner| inner == wanted)
}

/// Whether no related rows with a condition may exist.
fn denies(tree: &QueryTree, denied: &Predicate) -> bool {
    let without = |inner: &Predicate| {
        matches!(inner, Predicate::Exists { conditions, negated: true, .. }
            if conditions.iter().any(|condition| within(condition, denied)))
    };
    conditions(tree).any(|condition| any(condition, &without))
}

/// Whether the joins of the tree, or those to related rows of a condition, are what is wanted.
fn leads(tree: &QueryTree, wanted: &dyn Fn(&[JoinStep]) -> bool) -> bool {
    wanted(&tree.joins)
        || conditions(tree)
            .any(|condition| any(condition, &|inner| joins_of_condition(inner).is_some_and(wanted)))
}

/// Joins of a condition to related rows.
fn joins_of_condition(condition: &Predicate) -> Option<&[JoinStep]> {
    match condition {
        Predicate::Exists { joins, .. }
        | Predicate::RelatedCount { joins, .. }
        | Predicate::RelatedToAll { joins, .. } => Some(joins),
        _ => None,
    }
}

/// Joins of the tree; if it has none, those of its first condition on related rows.
pub(crate) fn joins_of(tree: &QueryTree) -> &[JoinStep] {
    if !tree.joins.is_empty() {
        return &tree.joins;
    }
    conditions(tree).find_map(related_joins).unwrap_or_default()
}

/// Joins of the first part of a condition that is about related rows.
fn related_joins(condition: &Predicate) -> Option<&[JoinStep]> {
    match condition {
        Predicate::All { conditions } | Predicate::Any { conditions } => {
            conditions.iter().find_map(related_joins)
        }
        Predicate::Not { condition } => related_joins(condition),
        _ => joins_of_condition(condition),
    }
}

/// Whether a tree joins two columns.
pub(crate) fn joins_columns(tree: &QueryTree, left: &ColumnRef, right: &ColumnRef) -> bool {
    leads(tree, &|joins| {
        joins.iter().any(|step| step_joins(step, left, right) || step_joins(step, right, left))
    })
}

fn any(condition: &Predicate, wanted: &dyn Fn(&Predicate) -> bool) -> bool {
    wanted(condition)
        || match condition {
            Predicate::All { conditions }
            | Predicate::Any { conditions }
            | Predicate::Exists { conditions, .. }
            | Predicate::RelatedCount { conditions, .. }
            | Predicate::RelatedToAll { conditions, .. } => {
                conditions.iter().any(|inner| any(inner, wanted))
            }
            Predicate::Not { condition } => any(condition, wanted),
            _ => false,
        }
}

fn condition_names(condition: &Predicate, column: &ColumnRef) -> bool {
    any(condition, &|inner| match inner {
        Predicate::AgainstFigure { column: own, .. }
        | Predicate::Extreme { column: own, .. }
        | Predicate::InRange { column: own, .. }
        | Predicate::IsNull { column: own, .. }
        | Predicate::OneOf { column: own, .. }
        | Predicate::Text { column: own, .. } => own == column,
        Predicate::AgainstColumn { column: own, other, joins, .. } => {
            own == column
                || other == column
                || joins.iter().any(|step| {
                    step.from_table == column.table && step.from_columns.contains(&column.column)
                })
        }
        Predicate::Compare { left, .. } => holds(left, &|expression| match expression {
            Expression::Age { column: own, .. } | Expression::Column { column: own } => {
                own == column
            }
            Expression::Days { from, to } => from == column || to == column,
            _ => false,
        }),
        Predicate::AmongGroups { aggregate, .. } => holds(
            aggregate,
            &|inner| matches!(inner, Expression::Column { column: own } if own == column),
        ),
        Predicate::Exists { joins, .. }
        | Predicate::RelatedCount { joins, .. }
        | Predicate::RelatedToAll { joins, .. } => joins.iter().any(|step| {
            step.from_table == column.table && step.from_columns.contains(&column.column)
                || step.to_table == column.table && step.to_columns.contains(&column.column)
        }),
        _ => false,
    })
}
