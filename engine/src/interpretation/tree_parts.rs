//! The parts of a query tree, counted.

use crate::catalog::ColumnRef;
use crate::intent::{Aggregate, Comparison, Expression, Literal, Predicate, QueryTree};

/// Counts of the parts of a query tree, with those of subqueries.
#[derive(Debug, Default)]
pub(super) struct TreeParts<'a> {
    /// All columns.
    pub(super) columns: Vec<&'a ColumnRef>,
    /// Columns shown as stored.
    pub(super) shown: Vec<&'a ColumnRef>,
    /// Columns grouped by.
    pub(super) groups: Vec<&'a ColumnRef>,
    /// Aggregate functions of outputs.
    pub(super) aggregates: Vec<Aggregate>,
    /// Texts compared with.
    pub(super) texts: Vec<&'a str>,
    /// Numbers compared with.
    pub(super) numbers: usize,
    /// Comparisons other than equality.
    pub(super) comparisons: usize,
    /// Negated conditions.
    pub(super) negations: usize,
    /// Related rows that must or must not exist.
    pub(super) exists: usize,
    /// Related rows that must exist, without a condition.
    pub(super) empty_exists: usize,
    /// Related rows that must not exist.
    pub(super) not_exists: usize,
    /// Tests for NULL.
    pub(super) nulls: usize,
    /// Columns with one of several values.
    pub(super) lists: usize,
    /// Disjunctions.
    pub(super) alternatives: usize,
    /// Counts of related rows.
    pub(super) counts: usize,
    /// Comparisons with an aggregate.
    pub(super) figures: usize,
    /// Relational divisions.
    pub(super) every: usize,
    /// Counts of different values.
    pub(super) distinct_counts: usize,
    /// Computed outputs that are no aggregates.
    pub(super) computed: usize,
    /// Whether duplicates are removed anywhere.
    pub(super) different: bool,
    /// Whether an output is repeated.
    pub(super) repeated_output: bool,
    /// Maximum number of rows.
    pub(super) limit: Option<u32>,
}

impl<'a> TreeParts<'a> {
    /// Parts of a query tree.
    pub(super) fn of(tree: &'a QueryTree) -> Self {
        let limit = tree.limit.or(tree.top.as_ref().map(|top| top.count));
        let mut parts = Self { limit, different: tree.distinct, ..Self::default() };
        for (position, selection) in tree.select.iter().enumerate() {
            let expression = &selection.expression;
            if let Expression::Column { column } = expression {
                parts.shown.push(column);
            }
            let before = tree.select.iter().take(position);
            parts.repeated_output |=
                before.map(|known| &known.expression).any(|known| known == expression);
            parts.output(expression);
        }
        parts.aggregates.extend(tree.over_groups.iter().map(|over| over.function));
        for expression in &tree.group_by {
            if let Expression::Column { column } = expression {
                parts.groups.push(column);
            }
            parts.expression(expression);
        }
        for ordering in &tree.order_by {
            parts.expression(&ordering.expression);
        }
        for condition in tree.filters.iter().chain(&tree.having) {
            parts.condition(condition);
        }
        if let Some(mean) = &tree.against_mean {
            parts.figures += 1;
            parts.expression(&mean.aggregate);
        }
        parts.different |= parts.distinct_counts > 0 || !tree.group_by.is_empty();
        parts
    }

    fn output(&mut self, expression: &'a Expression) {
        match expression {
            Expression::Aggregate { function, distinct, .. } => {
                self.aggregates.push(*function);
                self.distinct_counts += usize::from(*distinct);
            }
            Expression::Column { .. } => {}
            Expression::Age { .. }
            | Expression::Arithmetic { .. }
            | Expression::Days { .. }
            | Expression::Number { .. }
            | Expression::Period { .. }
            | Expression::Partial { .. }
            | Expression::Related { .. }
            | Expression::Share { .. }
            | Expression::ShareOfTotal { .. }
            | Expression::Growth { .. } => self.computed += 1,
        }
        self.expression(expression);
    }

    fn expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::Age { column, .. }
            | Expression::Column { column }
            | Expression::Period { column, .. }
            | Expression::Related { column, .. } => self.columns.push(column),
            Expression::Aggregate { argument, .. } => {
                if let Some(argument) = argument {
                    self.expression(argument);
                }
            }
            Expression::Arithmetic { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            Expression::Days { from, to } => self.columns.extend([from, to]),
            Expression::Number { .. } => {}
            Expression::Partial { aggregate, conditions }
            | Expression::Share { aggregate, conditions } => {
                self.expression(aggregate);
                self.conditions(conditions);
            }
            Expression::Growth { aggregate, .. } | Expression::ShareOfTotal { aggregate } => {
                self.expression(aggregate);
            }
        }
    }

    fn conditions(&mut self, conditions: &'a [Predicate]) {
        for condition in conditions {
            self.condition(condition);
        }
    }

    fn condition(&mut self, condition: &'a Predicate) {
        match condition {
            Predicate::All { conditions } => self.conditions(conditions),
            Predicate::Any { conditions } => {
                self.alternatives += 1;
                self.conditions(conditions);
            }
            Predicate::Not { condition } => {
                self.negations += 1;
                self.condition(condition);
            }
            Predicate::AgainstColumn { column, operator, other, .. } => {
                self.columns.extend([column, other]);
                self.compared(*operator);
            }
            Predicate::AgainstFigure { column, operator, conditions, .. } => {
                self.columns.push(column);
                self.compared(*operator);
                self.figures += 1;
                self.conditions(conditions);
            }
            Predicate::Compare { left, operator, right } => {
                self.expression(left);
                self.compared(*operator);
                match right {
                    Literal::Number { .. } => self.numbers += 1,
                    Literal::Text { value } => self.texts.push(value),
                    Literal::Boolean { .. } | Literal::Date { .. } => {}
                }
            }
            Predicate::Exists { conditions, negated, .. } => {
                self.exists += 1;
                self.not_exists += usize::from(*negated);
                self.negations += usize::from(*negated);
                self.empty_exists += usize::from(conditions.is_empty() && !negated);
                self.conditions(conditions);
            }
            Predicate::RelatedCount { conditions, operator, distinct, .. } => {
                self.different |= distinct.is_some();
                self.counts += 1;
                self.numbers += 1;
                self.compared(*operator);
                self.conditions(conditions);
            }
            Predicate::RelatedToAll { key, conditions, .. } => {
                self.columns.push(key);
                self.every += 1;
                self.conditions(conditions);
            }
            Predicate::AmongGroups { aggregate, .. } => {
                self.expression(aggregate);
                self.figures += 1;
            }
            Predicate::Extreme { column, .. } => {
                self.columns.push(column);
                self.figures += 1;
                self.numbers += 1;
            }
            Predicate::InRange { column, .. } => {
                self.columns.push(column);
                self.comparisons += 1;
                self.numbers += 1;
            }
            Predicate::IsNull { column, .. } => {
                self.columns.push(column);
                self.nulls += 1;
                self.negations += 1;
            }
            Predicate::OneOf { column, values } => {
                self.columns.push(column);
                self.lists += usize::from(values.len() > 1);
                self.texts.extend(values.iter().map(String::as_str));
            }
            Predicate::Text { column, text, .. } => {
                self.columns.push(column);
                self.texts.push(text);
            }
        }
    }

    fn compared(&mut self, operator: Comparison) {
        match operator {
            Comparison::Equal => {}
            Comparison::NotEqual => self.negations += 1,
            Comparison::Greater
            | Comparison::GreaterOrEqual
            | Comparison::Less
            | Comparison::LessOrEqual => self.comparisons += 1,
        }
    }
}
