//! Whether what an option means is still in the catalog.

use crate::catalog::{Catalog, ColumnRef};
use crate::clarification::OptionBinding;
use crate::intent::{Expression, JoinStep, Predicate};

/// Whether every table and column of a binding is in the catalog.
pub(crate) fn resolves(catalog: &Catalog, binding: &OptionBinding) -> bool {
    let column = |column: &ColumnRef| catalog.column(column).is_some();
    match binding {
        OptionBinding::Aggregate { .. } | OptionBinding::Grain { .. } | OptionBinding::Ignore => {
            true
        }
        OptionBinding::Column { column: own }
        | OptionBinding::TimeRange { column: own, .. }
        | OptionBinding::Value { column: own, .. } => column(own),
        OptionBinding::Attachment { tables } => {
            tables.iter().all(|table| catalog.table(table).is_some())
        }
        OptionBinding::Parameter { template, parameter, .. } => {
            let mut templates = catalog.templates.iter().filter(|known| known.name == *template);
            templates.any(|known| known.parameters.iter().any(|own| own.name == *parameter))
        }
        OptionBinding::Columns { columns } => columns.iter().all(column),
        OptionBinding::Join { joins } => joins_resolve(catalog, joins),
        OptionBinding::Predicate { predicate } => predicate_resolves(catalog, predicate),
        OptionBinding::Scope { table, .. } | OptionBinding::Table { table } => {
            catalog.table(table).is_some()
        }
    }
}

fn joins_resolve(catalog: &Catalog, joins: &[JoinStep]) -> bool {
    joins.iter().all(|step| {
        let from = step.from_columns.iter().map(|name| ColumnRef::new(&step.from_table, name));
        let to = step.to_columns.iter().map(|name| ColumnRef::new(&step.to_table, name));
        from.chain(to).all(|column| catalog.column(&column).is_some())
    })
}

fn predicate_resolves(catalog: &Catalog, predicate: &Predicate) -> bool {
    let all = |conditions: &[Predicate]| {
        conditions.iter().all(|condition| predicate_resolves(catalog, condition))
    };
    match predicate {
        Predicate::AgainstColumn { column, joins, other, .. } => {
            catalog.column(column).is_some()
                && joins_resolve(catalog, joins)
                && catalog.column(other).is_some()
        }
        Predicate::AgainstFigure { column, conditions, same, .. } => {
            let known = |column: &ColumnRef| catalog.column(column).is_some();
            known(column) && same.iter().all(known) && all(conditions)
        }
        Predicate::Extreme { column, .. }
        | Predicate::InRange { column, .. }
        | Predicate::IsNull { column, .. }
        | Predicate::OneOf { column, .. }
        | Predicate::Text { column, .. } => catalog.column(column).is_some(),
        Predicate::All { conditions } | Predicate::Any { conditions } => all(conditions),
        Predicate::AmongGroups { aggregate: left, .. } | Predicate::Compare { left, .. } => {
            expression_resolves(catalog, left)
        }
        Predicate::Exists { joins, conditions, .. } => {
            joins_resolve(catalog, joins) && all(conditions)
        }
        Predicate::RelatedCount { joins, conditions, distinct, .. } => {
            joins_resolve(catalog, joins)
                && all(conditions)
                && distinct.iter().all(|key| catalog.column(key).is_some())
        }
        Predicate::Not { condition } => predicate_resolves(catalog, condition),
        Predicate::RelatedToAll { joins, key, conditions } => {
            joins_resolve(catalog, joins) && catalog.column(key).is_some() && all(conditions)
        }
    }
}

fn expression_resolves(catalog: &Catalog, expression: &Expression) -> bool {
    match expression {
        Expression::Aggregate { argument, .. } => {
            argument.iter().all(|argument| expression_resolves(catalog, argument))
        }
        Expression::Arithmetic { left, right, .. } => {
            expression_resolves(catalog, left) && expression_resolves(catalog, right)
        }
        Expression::Age { column, .. }
        | Expression::Column { column }
        | Expression::Period { column, .. } => catalog.column(column).is_some(),
        Expression::Days { from, to } => {
            catalog.column(from).is_some() && catalog.column(to).is_some()
        }
        Expression::Number { .. } => true,
        Expression::Related { joins, column } => {
            joins_resolve(catalog, joins) && catalog.column(column).is_some()
        }
        Expression::Partial { aggregate, conditions }
        | Expression::Share { aggregate, conditions } => {
            expression_resolves(catalog, aggregate)
                && conditions.iter().all(|condition| predicate_resolves(catalog, condition))
        }
        Expression::Growth { aggregate, period } => {
            expression_resolves(catalog, aggregate) && expression_resolves(catalog, period)
        }
        Expression::ShareOfTotal { aggregate } => expression_resolves(catalog, aggregate),
    }
}
