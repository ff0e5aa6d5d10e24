//! Facts of a query tree that the checks need, at any depth.

use std::collections::BTreeSet;

use crate::intent::{Aggregate, Comparison, Expression, JoinStep, Predicate, QueryTree};

/// Facts of a query tree.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that have nothing to do with each other"
)]
pub(super) struct TreeFacts<'a> {
    /// Whether a number, a date or a count is compared, other than for equality.
    pub(super) compares: bool,
    /// Whether rows or values at one end of an order are asked for, or rows are put in order.
    pub(super) ranks: bool,
    /// Whether something must not hold.
    pub(super) denies: bool,
    /// First join of related rows that must exist without further conditions.
    pub(super) exists: Vec<&'a [JoinStep]>,
    /// Joins to related rows that must not exist.
    pub(super) missing: Vec<&'a [JoinStep]>,
    /// Joins to related rows of which more than one are wanted.
    pub(super) several: Vec<&'a [JoinStep]>,
    /// Whether any of several values of a column is wanted.
    pub(super) one_of_several: bool,
    /// Keys of the tables that the query reads, at any depth.
    pub(super) tables: BTreeSet<&'a str>,
}

impl<'a> TreeFacts<'a> {
    pub(super) fn of(tree: &'a QueryTree) -> Self {
        let mut facts = Self::default();
        for tree in std::iter::once(tree).chain(&tree.also) {
            facts.tables.insert(&tree.from);
            facts.ways(&tree.joins);
            facts.ranks |= !tree.order_by.is_empty() || tree.limit.is_some() || tree.top.is_some();
            facts.ranks |= tree.select.iter().any(|item| is_end(&item.expression));
            for predicate in tree.row_conditions().chain(&tree.having) {
                facts.predicate(predicate);
            }
            if let Some(mean) = &tree.against_mean {
                facts.operator(mean.operator);
            }
        }
        facts
    }

    fn ways(&mut self, joins: &'a [JoinStep]) {
        self.tables.extend(joins.iter().map(|join| join.to_table.as_str()));
    }

    fn predicates(&mut self, predicates: &'a [Predicate]) {
        for predicate in predicates {
            self.predicate(predicate);
        }
    }

    fn predicate(&mut self, predicate: &'a Predicate) {
        match predicate {
            Predicate::All { conditions } | Predicate::Any { conditions } => {
                self.predicates(conditions);
            }
            Predicate::RelatedToAll { joins, conditions, .. } => {
                self.ways(joins);
                self.predicates(conditions);
            }
            Predicate::Not { condition } => {
                self.denies = true;
                self.predicate(condition);
            }
            Predicate::AgainstColumn { operator, .. } | Predicate::Compare { operator, .. } => {
                self.operator(*operator);
            }
            Predicate::AgainstFigure { operator, function, conditions, .. } => {
                self.ranks |= matches!(function, Aggregate::Maximum | Aggregate::Minimum);
                self.operator(*operator);
                self.predicates(conditions);
            }
            Predicate::AmongGroups { .. } | Predicate::Extreme { .. } => {
                (self.compares, self.ranks) = (true, true);
            }
            Predicate::InRange { .. } => self.compares = true,
            Predicate::Exists { joins, conditions, negated } => {
                self.ways(joins);
                self.denies |= *negated;
                if *negated {
                    self.missing.push(joins);
                } else if conditions.is_empty() {
                    self.exists.push(joins);
                }
                self.predicates(conditions);
            }
            Predicate::IsNull { negated, .. } => self.denies |= !*negated,
            Predicate::OneOf { values, .. } => self.one_of_several |= values.len() > 1,
            Predicate::RelatedCount { joins, conditions, operator, value, .. } => {
                self.ways(joins);
                if wants_several(*operator, value) {
                    self.several.push(joins);
                }
                self.compares = true;
                self.operator(*operator);
                self.predicates(conditions);
            }
            Predicate::Text { .. } => {}
        }
    }

    /// A bound is a comparison; it also expresses the opposite of a denied one ("no more than 3").
    fn operator(&mut self, operator: Comparison) {
        match operator {
            Comparison::Equal => {}
            Comparison::NotEqual => self.denies = true,
            Comparison::Greater
            | Comparison::GreaterOrEqual
            | Comparison::Less
            | Comparison::LessOrEqual => {
                self.compares = true;
                self.denies = true;
            }
        }
    }
}

/// Whether an expression is the highest or lowest of several values.
fn is_end(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Aggregate { function: Aggregate::Maximum | Aggregate::Minimum, .. }
    )
}

/// Whether a comparison holds only for counts above one.
fn wants_several(operator: Comparison, value: &str) -> bool {
    let Ok(value) = value.parse::<f64>() else { return false };
    match operator {
        Comparison::Greater => value >= 1.0,
        Comparison::Equal | Comparison::GreaterOrEqual => value > 1.0,
        Comparison::Less | Comparison::LessOrEqual | Comparison::NotEqual => false,
    }
}
