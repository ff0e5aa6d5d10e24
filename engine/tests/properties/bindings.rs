//! Bindings of options: whether the catalog contains their parts, and whether a statement does.

use wherefore_engine::catalog::{Catalog, ColumnRef, Coverage};
use wherefore_engine::clarification::OptionBinding;
use wherefore_engine::intent::{DateRange, Expression, JoinStep, Literal, Predicate};

/// A part of a binding.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// A column.
    Column(ColumnRef),
    /// A table, by its key.
    Table(String),
    /// Text that occurs literally in the statement.
    Text(String),
    /// A value of a column.
    Value(ColumnRef, String),
}

/// All parts of a binding.
pub(crate) fn pieces(binding: &OptionBinding) -> Vec<Piece> {
    match binding {
        // The choice of an aggregate is visible in the text of the statement.
        OptionBinding::Aggregate { .. } | OptionBinding::Ignore => Vec::new(),
        OptionBinding::Attachment { tables } => tables.iter().cloned().map(Piece::Table).collect(),
        OptionBinding::Columns { columns } => columns.iter().cloned().map(Piece::Column).collect(),
        OptionBinding::Grain { .. } => vec![Piece::Text("strftime(".to_owned())],
        OptionBinding::Parameter { value, .. } => vec![Piece::Text(value.clone())],
        OptionBinding::Column { column } => vec![Piece::Column(column.clone())],
        OptionBinding::Join { joins } => of_joins(joins),
        OptionBinding::Predicate { predicate } => of_predicate(predicate),
        OptionBinding::Scope { table, .. } | OptionBinding::Table { table } => {
            vec![Piece::Table(table.clone())]
        }
        OptionBinding::TimeRange { column, range } => of_range(column, range),
        OptionBinding::Value { column, value } => {
            vec![Piece::Column(column.clone()), Piece::Value(column.clone(), value.clone())]
        }
    }
}

fn of_joins(joins: &[JoinStep]) -> Vec<Piece> {
    joins
        .iter()
        .flat_map(|join| {
            let from = join.from_columns.iter().map(|name| ColumnRef::new(&join.from_table, name));
            let to = join.to_columns.iter().map(|name| ColumnRef::new(&join.to_table, name));
            from.chain(to).map(Piece::Column)
        })
        .collect()
}

fn of_range(column: &ColumnRef, range: &DateRange) -> Vec<Piece> {
    let bounds: Vec<Piece> =
        [&range.start, &range.end].into_iter().flatten().cloned().map(Piece::Text).collect();
    if bounds.is_empty() {
        return bounds;
    }
    bounds.into_iter().chain([Piece::Column(column.clone())]).collect()
}

fn of_predicate(predicate: &Predicate) -> Vec<Piece> {
    let all = |conditions: &[Predicate]| conditions.iter().flat_map(of_predicate).collect();
    match predicate {
        Predicate::All { conditions } | Predicate::Any { conditions } => all(conditions),
        Predicate::AmongGroups { aggregate, percent, .. } => {
            let share = percent.map(|percent| Piece::Text(format!("0.{percent:02}")));
            of_expression(aggregate).into_iter().chain(share).collect()
        }
        Predicate::AgainstColumn { column, joins, other, .. } => of_joins(joins)
            .into_iter()
            .chain([Piece::Column(column.clone()), Piece::Column(other.clone())])
            .collect(),
        Predicate::AgainstFigure { column, conditions, same, .. } => all(conditions)
            .into_iter()
            .chain([column].into_iter().chain(same).cloned().map(Piece::Column))
            .collect(),
        Predicate::Compare { left, right, .. } => {
            let right = match right {
                Literal::Boolean { .. } => None,
                Literal::Date { value } | Literal::Number { value } => {
                    Some(Piece::Text(value.clone()))
                }
                Literal::Text { value } => Some(Piece::Text(quoted(value))),
            };
            of_expression(left).into_iter().chain(right).collect()
        }
        Predicate::Exists { joins, conditions, .. } => {
            of_joins(joins).into_iter().chain(all(conditions)).collect()
        }
        Predicate::Extreme { column, percent, .. } => {
            let share = format!("0.{percent:02}");
            vec![Piece::Column(column.clone()), Piece::Text(share)]
        }
        Predicate::InRange { column, range } => of_range(column, range),
        Predicate::IsNull { column, .. } => {
            vec![Piece::Column(column.clone()), Piece::Text(" IS ".to_owned())]
        }
        Predicate::OneOf { column, values } => values
            .iter()
            .map(|value| Piece::Value(column.clone(), value.clone()))
            .chain([Piece::Column(column.clone())])
            .collect(),
        Predicate::Not { condition } => of_predicate(condition),
        Predicate::RelatedCount { joins, conditions, value, .. } => of_joins(joins)
            .into_iter()
            .chain(all(conditions))
            .chain([Piece::Text(value.clone())])
            .collect(),
        Predicate::RelatedToAll { joins, key, conditions } => of_joins(joins)
            .into_iter()
            .chain(all(conditions))
            .chain([Piece::Column(key.clone())])
            .collect(),
        Predicate::Text { column, .. } => {
            vec![Piece::Column(column.clone()), Piece::Text("LIKE '".to_owned())]
        }
    }
}

fn of_expression(expression: &Expression) -> Vec<Piece> {
    match expression {
        Expression::Aggregate { argument, .. } => {
            argument.iter().flat_map(|argument| of_expression(argument)).collect()
        }
        Expression::Arithmetic { left, right, .. } => {
            of_expression(left).into_iter().chain(of_expression(right)).collect()
        }
        Expression::Days { from, to } => {
            vec![Piece::Column(from.clone()), Piece::Column(to.clone())]
        }
        Expression::Age { column, .. }
        | Expression::Column { column }
        | Expression::Period { column, .. } => {
            vec![Piece::Column(column.clone())]
        }
        Expression::Number { value } => vec![Piece::Text(value.clone())],
        Expression::Partial { aggregate, conditions }
        | Expression::Share { aggregate, conditions } => of_expression(aggregate)
            .into_iter()
            .chain(conditions.iter().flat_map(of_predicate))
            .collect(),
        Expression::Related { joins, column } => {
            of_joins(joins).into_iter().chain([Piece::Column(column.clone())]).collect()
        }
        Expression::Growth { aggregate, .. } | Expression::ShareOfTotal { aggregate } => {
            of_expression(aggregate)
        }
    }
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

impl Piece {
    /// Whether the catalog contains the part; a value that is not listed counts if the list is incomplete.
    pub(crate) fn resolves_in(&self, catalog: &Catalog) -> bool {
        match self {
            Self::Column(column) => catalog.column(column).is_some(),
            Self::Table(key) => catalog.table(key).is_some(),
            Self::Text(_) => true,
            Self::Value(column, value) => catalog.column(column).is_some_and(|column| {
                column.values.as_ref().is_none_or(|list| {
                    list.coverage == Coverage::Partial || list.values.contains(value)
                })
            }),
        }
    }

    /// Whether a statement contains the part; counting a key is equivalent to counting the rows of its table.
    pub(crate) fn stands_in(&self, sql: &str, catalog: &Catalog) -> bool {
        match self {
            Self::Column(column) => {
                let is_key = catalog.column(column).is_some_and(|column| column.unique);
                sql.contains(&column.column)
                    || is_key && sql.contains("count(*)") && sql.contains(&column.table)
            }
            Self::Table(key) => sql.contains(key.as_str()),
            Self::Text(text) => sql.contains(text.as_str()),
            Self::Value(_, value) => sql.contains(&quoted(value)),
        }
    }
}
