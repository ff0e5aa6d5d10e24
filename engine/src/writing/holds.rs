//! Whether a statement holds what was decided (invariant I9), as far as its tables, columns and literals tell.

use super::facts::Facts;
use crate::catalog::ColumnRef;
use crate::clarification::OptionBinding;
use crate::day;
use crate::intent::{DateRange, Expression, JoinStep, Literal, Predicate};

/// Whether the statement holds a decision.
pub(super) fn holds(facts: &Facts, binding: &OptionBinding) -> bool {
    match binding {
        OptionBinding::Aggregate { .. } | OptionBinding::Grain { .. } | OptionBinding::Ignore => {
            true
        }
        OptionBinding::Attachment { tables } => tables.iter().all(|table| facts.reads(table)),
        OptionBinding::Column { column } => facts.uses(column),
        OptionBinding::Columns { columns } => columns.iter().all(|column| facts.uses(column)),
        OptionBinding::Join { joins } => joins.iter().all(|step| joined(facts, step)),
        OptionBinding::Predicate { predicate } => says(facts, predicate),
        OptionBinding::Scope { table, .. } | OptionBinding::Table { table } => facts.reads(table),
        OptionBinding::TimeRange { column, range } => within(facts, column, range),
        OptionBinding::Value { column, value } => facts.uses(column) && facts.says(value),
    }
}

/// Keys of the tables that a decision is about.
pub(super) fn tables_of(binding: &OptionBinding) -> Vec<String> {
    let mut tables: Vec<String> = match binding {
        OptionBinding::Attachment { tables } => tables.clone(),
        OptionBinding::Scope { table, .. } | OptionBinding::Table { table } => vec![table.clone()],
        OptionBinding::Join { joins } => {
            joins.iter().flat_map(|step| [step.from_table.clone(), step.to_table.clone()]).collect()
        }
        _ => Vec::new(),
    };
    tables.extend(columns_of(binding).into_iter().map(|column| column.table));
    tables
}

/// Columns that a decision is about.
pub(super) fn columns_of(binding: &OptionBinding) -> Vec<ColumnRef> {
    match binding {
        OptionBinding::Column { column }
        | OptionBinding::TimeRange { column, .. }
        | OptionBinding::Value { column, .. } => vec![column.clone()],
        OptionBinding::Columns { columns } => columns.clone(),
        OptionBinding::Predicate { predicate } => {
            let mut columns = Vec::new();
            columns_said(predicate, &mut columns);
            columns
        }
        _ => Vec::new(),
    }
}

fn joined(facts: &Facts, step: &JoinStep) -> bool {
    step.from_columns.iter().zip(&step.to_columns).all(|(from, to)| {
        let one = ColumnRef::new(&step.from_table, from);
        let other = ColumnRef::new(&step.to_table, to);
        facts.joins(&one, &other) || facts.uses(&one) && facts.reads(&step.to_table)
    })
}

fn says(facts: &Facts, predicate: &Predicate) -> bool {
    match predicate {
        Predicate::All { conditions } | Predicate::Any { conditions } => {
            conditions.iter().all(|condition| says(facts, condition))
        }
        Predicate::Not { condition } => says(facts, condition),
        Predicate::Compare { left, right, .. } => {
            let value = match right {
                Literal::Boolean { .. } => None,
                Literal::Date { value } | Literal::Number { value } | Literal::Text { value } => {
                    Some(value)
                }
            };
            columns_in(left).iter().all(|column| facts.uses(column))
                && value.is_none_or(|value| facts.says(value))
        }
        Predicate::InRange { column, range } => within(facts, column, range),
        Predicate::OneOf { column, values } => {
            facts.uses(column) && values.iter().all(|value| facts.says(value))
        }
        Predicate::Text { column, text, .. } => facts.uses(column) && facts.says(text),
        Predicate::AgainstFigure { column, .. }
        | Predicate::Extreme { column, .. }
        | Predicate::IsNull { column, .. } => facts.uses(column),
        Predicate::Exists { joins, conditions, .. }
        | Predicate::RelatedCount { joins, conditions, .. }
        | Predicate::RelatedToAll { joins, conditions, .. } => {
            joins.iter().all(|step| facts.reads(&step.to_table))
                && conditions.iter().all(|condition| says(facts, condition))
        }
    }
}

/// Whether both ends of a range stand in the statement; the last may be written as the day before its end.
fn within(facts: &Facts, column: &ColumnRef, range: &DateRange) -> bool {
    let last = |end: &String| {
        let before = day::parse(end).and_then(|end| day::plus_days(end, -1)).map(day::text);
        facts.says(end) || before.is_some_and(|before| facts.says(&before))
    };
    if range.start.is_none() && range.end.is_none() {
        return true;
    }
    facts.uses(column)
        && range.start.as_ref().is_none_or(|start| facts.says(start))
        && range.end.as_ref().is_none_or(last)
}

fn columns_in(expression: &Expression) -> Vec<ColumnRef> {
    match expression {
        Expression::Age { column, .. }
        | Expression::Column { column }
        | Expression::Period { column, .. } => vec![column.clone()],
        Expression::Days { from, to } => vec![from.clone(), to.clone()],
        Expression::Aggregate { argument: Some(argument), .. } => columns_in(argument),
        Expression::Arithmetic { left, right, .. } => {
            columns_in(left).into_iter().chain(columns_in(right)).collect()
        }
        Expression::Aggregate { argument: None, .. } | Expression::Number { .. } => Vec::new(),
    }
}

fn columns_said(predicate: &Predicate, columns: &mut Vec<ColumnRef>) {
    match predicate {
        Predicate::All { conditions }
        | Predicate::Any { conditions }
        | Predicate::Exists { conditions, .. }
        | Predicate::RelatedCount { conditions, .. } => {
            for condition in conditions {
                columns_said(condition, columns);
            }
        }
        Predicate::Not { condition } => columns_said(condition, columns),
        Predicate::Compare { left, .. } => columns.extend(columns_in(left)),
        Predicate::AgainstFigure { column, .. }
        | Predicate::Extreme { column, .. }
        | Predicate::InRange { column, .. }
        | Predicate::IsNull { column, .. }
        | Predicate::OneOf { column, .. }
        | Predicate::Text { column, .. } => columns.push(column.clone()),
        Predicate::RelatedToAll { key, .. } => columns.push(key.clone()),
    }
}
