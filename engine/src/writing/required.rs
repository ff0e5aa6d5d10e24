//! What a decision requires of a statement: tables, columns, values and functions that it has to use.

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;
use crate::clarification::OptionBinding;
use crate::day;
use crate::intent::{DateRange, Expression, JoinStep, Literal, Predicate};

/// What a decision requires of a statement.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// Keys of tables to read.
    #[serde(default)]
    pub tables: Vec<String>,
    /// Columns to use, as `table.column`.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Literals: of each entry, the statement contains at least one.
    #[serde(default)]
    pub values: Vec<Vec<String>>,
    /// Functions to call, in lower case.
    #[serde(default)]
    pub functions: Vec<String>,
}

impl Required {
    /// The requirements of a binding.
    pub(crate) fn of(binding: &OptionBinding) -> Self {
        let mut required = Self::default();
        required.binding(binding);
        required
    }

    /// Keys of all tables, including those of columns.
    #[cfg(feature = "sql")]
    pub(super) fn all_tables(&self) -> impl Iterator<Item = &str> {
        let of_columns = self.columns.iter().filter_map(|column| column.rsplit_once('.'));
        self.tables.iter().map(String::as_str).chain(of_columns.map(|(table, _)| table))
    }

    fn binding(&mut self, binding: &OptionBinding) {
        match binding {
            OptionBinding::Aggregate { function } => {
                self.functions.extend(function.only_function().map(str::to_owned));
            }
            OptionBinding::Grain { .. } | OptionBinding::Ignore => {}
            OptionBinding::Attachment { tables } => self.tables.extend(tables.iter().cloned()),
            OptionBinding::Column { column } => self.column(column),
            OptionBinding::Columns { columns } => {
                for column in columns {
                    self.column(column);
                }
            }
            OptionBinding::Join { joins } => self.joins(joins, true),
            OptionBinding::Parameter { value, .. } => self.value(value),
            OptionBinding::Predicate { predicate } => self.predicate(predicate),
            OptionBinding::Scope { table, .. } | OptionBinding::Table { table } => {
                self.tables.push(table.clone());
            }
            OptionBinding::TimeRange { column, range } => self.range(column, range),
            OptionBinding::Value { column, value } => {
                self.column(column);
                self.value(value);
            }
        }
    }

    fn column(&mut self, column: &ColumnRef) {
        self.columns.push(format!("{}.{}", column.table, column.column));
    }

    fn value(&mut self, value: &str) {
        self.values.push(vec![value.to_owned()]);
    }

    fn joins(&mut self, joins: &[JoinStep], keys: bool) {
        for step in joins {
            self.tables.push(step.to_table.clone());
            if keys {
                for column in &step.from_columns {
                    self.columns.push(format!("{}.{column}", step.from_table));
                }
            }
        }
    }

    /// Requires both ends of a date range; the exclusive end may be written as the day before.
    fn range(&mut self, column: &ColumnRef, range: &DateRange) {
        if range.start.is_some() || range.end.is_some() {
            self.column(column);
        }
        if let Some(start) = &range.start {
            self.value(start);
        }
        if let Some(end) = &range.end {
            let before = day::parse(end).and_then(|end| day::plus_days(end, -1)).map(day::text);
            self.values.push(std::iter::once(end.clone()).chain(before).collect());
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Age { column, .. }
            | Expression::Column { column }
            | Expression::Period { column, .. } => self.column(column),
            Expression::Days { from, to } => {
                self.column(from);
                self.column(to);
            }
            Expression::Aggregate { argument: Some(argument), .. } => self.expression(argument),
            Expression::Arithmetic { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Related { joins, column } => {
                self.joins(joins, true);
                self.column(column);
            }
            Expression::Partial { aggregate, conditions }
            | Expression::Share { aggregate, conditions } => {
                self.expression(aggregate);
                self.predicates(conditions);
            }
            Expression::Growth { aggregate, period } => {
                self.expression(aggregate);
                self.expression(period);
            }
            Expression::ShareOfTotal { aggregate } => self.expression(aggregate),
            Expression::Aggregate { argument: None, .. } | Expression::Number { .. } => {}
        }
    }

    fn predicates(&mut self, predicates: &[Predicate]) {
        for predicate in predicates {
            self.predicate(predicate);
        }
    }

    fn predicate(&mut self, predicate: &Predicate) {
        match predicate {
            Predicate::All { conditions } | Predicate::Any { conditions } => {
                self.predicates(conditions);
            }
            Predicate::Not { condition } => self.predicate(condition),
            Predicate::Compare { left, right, .. } => {
                self.expression(left);
                match right {
                    Literal::Boolean { .. } => {}
                    Literal::Date { value }
                    | Literal::Number { value }
                    | Literal::Text { value } => self.value(value),
                }
            }
            Predicate::AmongGroups { aggregate, .. } => self.expression(aggregate),
            Predicate::InRange { column, range } => self.range(column, range),
            Predicate::OneOf { column, values } => {
                self.column(column);
                for value in values {
                    self.value(value);
                }
            }
            Predicate::Text { column, text, .. } => {
                self.column(column);
                self.value(text);
            }
            Predicate::AgainstColumn { column, joins, other, .. } => {
                self.column(column);
                self.joins(joins, true);
                self.column(other);
            }
            Predicate::AgainstFigure { column, .. }
            | Predicate::Extreme { column, .. }
            | Predicate::IsNull { column, .. } => self.column(column),
            Predicate::Exists { joins, conditions, .. }
            | Predicate::RelatedCount { joins, conditions, .. } => {
                self.joins(joins, false);
                self.predicates(conditions);
            }
            Predicate::RelatedToAll { joins, conditions, key } => {
                self.joins(joins, false);
                self.tables.push(key.table.clone());
                self.predicates(conditions);
            }
        }
    }
}
