//! What a part of a query tree is about: its tables, columns, values and functions.

use std::collections::BTreeSet;

use crate::catalog::ColumnRef;
use crate::intent::{
    Aggregate, Comparison, DateRange, Expression, JoinStep, Literal, Predicate, QueryTree,
    TimeGrain,
};
use crate::linking::words_of_identifier;
use crate::text::stem;

/// Whether a query tree shows, groups by, orders by or filters a column with this word in its name.
pub(crate) fn reads_word(tree: &QueryTree, word: &str) -> bool {
    let shown = tree.select.iter().map(|item| &item.expression);
    let ordered = tree.order_by.iter().map(|order| &order.expression);
    let read =
        shown.chain(&tree.group_by).chain(ordered).fold(Touched::default(), Touched::expression);
    let read = tree.filters.iter().chain(&tree.having).fold(read, Touched::predicate);
    read.columns
        .iter()
        .any(|column| words_of_identifier(&column.column).iter().any(|own| stem(own) == stem(word)))
}

/// What a part of a query tree is about.
#[derive(Debug, Default)]
pub(super) struct Touched<'a> {
    /// Columns that it reads.
    pub(super) columns: Vec<&'a ColumnRef>,
    /// Tables whose rows it speaks of as a whole.
    pub(super) tables: BTreeSet<&'a str>,
    /// Stored texts and dates.
    pub(super) texts: Vec<&'a str>,
    /// Numbers as decimal text.
    pub(super) numbers: Vec<&'a str>,
    /// Number of rows that are kept.
    pub(super) kept: Option<u32>,
    /// Date ranges.
    pub(super) ranges: Vec<&'a DateRange>,
    /// Aggregate functions.
    pub(super) functions: Vec<Aggregate>,
    /// Periods.
    pub(super) grains: Vec<TimeGrain>,
    /// Whether it computes something other than an aggregate: a share, growth, an age, days.
    pub(super) computes: bool,
    /// Whether something must not hold.
    pub(super) denies: bool,
    /// Conditions that it consists of, at any depth.
    pub(super) conditions: Vec<&'a Predicate>,
}

impl<'a> Touched<'a> {
    pub(super) fn expression(mut self, expression: &'a Expression) -> Self {
        self.add_expression(expression);
        self
    }

    pub(super) fn predicate(mut self, predicate: &'a Predicate) -> Self {
        self.add_predicate(predicate);
        self
    }

    fn add_expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::Age { column, .. } => {
                self.computes = true;
                self.columns.push(column);
            }
            Expression::Aggregate { function, argument, .. } => {
                self.functions.push(*function);
                if let Some(argument) = argument {
                    self.add_expression(argument);
                }
            }
            Expression::Arithmetic { left, right, .. } => {
                self.add_expression(left);
                self.add_expression(right);
            }
            Expression::Column { column } => self.columns.push(column),
            Expression::Days { from, to } => {
                self.computes = true;
                self.columns.extend([from, to]);
            }
            Expression::Growth { aggregate, period } => {
                self.computes = true;
                self.add_expression(aggregate);
                self.add_expression(period);
            }
            Expression::Number { value } => self.numbers.push(value),
            Expression::Period { column, grain } => {
                self.grains.push(*grain);
                self.columns.push(column);
            }
            Expression::Related { joins, column } => {
                self.add_ways(joins);
                self.columns.push(column);
            }
            Expression::Partial { aggregate, conditions }
            | Expression::Share { aggregate, conditions } => {
                self.computes = true;
                self.add_expression(aggregate);
                self.add_predicates(conditions);
            }
            Expression::ShareOfTotal { aggregate } => {
                self.computes = true;
                self.add_expression(aggregate);
            }
        }
    }

    fn add_predicates(&mut self, predicates: &'a [Predicate]) {
        for predicate in predicates {
            self.add_predicate(predicate);
        }
    }

    fn add_ways(&mut self, joins: &'a [JoinStep]) {
        self.tables.extend(joins.iter().map(|join| join.to_table.as_str()));
    }

    fn add_predicate(&mut self, predicate: &'a Predicate) {
        self.conditions.push(predicate);
        match predicate {
            Predicate::All { conditions } | Predicate::Any { conditions } => {
                self.add_predicates(conditions);
            }
            Predicate::AgainstColumn { column, joins, other, .. } => {
                self.columns.extend([column, other]);
                self.add_ways(joins);
            }
            Predicate::AgainstFigure { column, function, conditions, same, .. } => {
                self.columns.extend(same);
                self.columns.push(column);
                self.functions.push(*function);
                self.add_predicates(conditions);
            }
            Predicate::Compare { left, right, operator } => {
                self.denies |= *operator == Comparison::NotEqual;
                self.add_expression(left);
                match right {
                    Literal::Boolean { value } => self.denies |= !value,
                    Literal::Number { value } => self.numbers.push(value),
                    Literal::Date { value } | Literal::Text { value } => self.texts.push(value),
                }
            }
            Predicate::Exists { joins, conditions, negated } => {
                self.denies |= *negated;
                self.add_ways(joins);
                self.add_predicates(conditions);
            }
            Predicate::AmongGroups { aggregate, .. } => self.add_expression(aggregate),
            Predicate::Extreme { column, .. } => self.columns.push(column),
            Predicate::InRange { column, range } => {
                self.columns.push(column);
                self.ranges.push(range);
            }
            Predicate::IsNull { column, negated } => {
                self.denies |= !negated;
                self.columns.push(column);
            }
            Predicate::OneOf { column, values } => {
                self.columns.push(column);
                self.texts.extend(values.iter().map(String::as_str));
            }
            Predicate::Not { condition } => {
                self.denies = true;
                self.add_predicate(condition);
            }
            Predicate::RelatedCount { joins, conditions, value, .. } => {
                self.functions.push(Aggregate::Count);
                self.numbers.push(value);
                self.add_ways(joins);
                self.add_predicates(conditions);
            }
            Predicate::RelatedToAll { joins, key, conditions } => {
                self.tables.insert(&key.table);
                self.add_ways(joins);
                self.add_predicates(conditions);
            }
            Predicate::Text { column, text, .. } => {
                self.columns.push(column);
                self.texts.push(text);
            }
        }
    }

    /// Whether it reads a column.
    pub(super) fn has(&self, column: &ColumnRef) -> bool {
        self.columns.contains(&column)
    }

    /// Whether it reads a column of a table.
    pub(super) fn reads(&self, table: &str) -> bool {
        self.columns.iter().any(|column| column.table == table)
    }
}
