//! Conditions that no row can meet together.

use crate::catalog::ColumnRef;
use crate::intent::{Comparison, DateRange, Expression, Literal, Predicate, QueryTree};

/// Whether two conditions that have to hold at once keep one date within periods without a common day.
pub(super) fn excludes_dates(tree: &QueryTree) -> bool {
    let ranges: Vec<(&ColumnRef, &DateRange)> = tree
        .filters
        .iter()
        .filter_map(|filter| match filter {
            Predicate::InRange { column, range } => Some((column, range)),
            _ => None,
        })
        .collect();
    let apart = |one: &DateRange, other: &DateRange| match (&one.end, &other.start) {
        (Some(end), Some(start)) => end <= start,
        _ => false,
    };
    ranges.iter().any(|(column, one)| {
        ranges.iter().any(|(other, range)| other == column && apart(one, range))
    })
}

/// Whether two conditions that have to hold at once ask for one column to be above a number and below a smaller one, or to
/// be one of several values and one of others.
pub(super) fn excludes_values(tree: &QueryTree) -> bool {
    let bounds: Vec<(&Expression, Comparison, f64)> =
        tree.filters.iter().chain(&tree.having).filter_map(bound).collect();
    let numbers = bounds.iter().any(|(left, operator, low)| {
        matches!(operator, Comparison::Greater | Comparison::GreaterOrEqual)
            && bounds.iter().any(|(other, below, high)| {
                matches!(below, Comparison::Less | Comparison::LessOrEqual)
                    && other == left
                    && high < low
            })
    });
    let texts: Vec<(&ColumnRef, &[String])> = tree
        .filters
        .iter()
        .filter_map(|filter| match filter {
            Predicate::OneOf { column, values } => Some((column, values.as_slice())),
            _ => None,
        })
        .collect();
    let apart = texts.iter().any(|(column, values)| {
        texts.iter().any(|(other, further)| {
            column == other && !values.iter().any(|value| further.contains(value))
        })
    });
    numbers || apart
}

/// A number that something is compared with.
fn bound(predicate: &Predicate) -> Option<(&Expression, Comparison, f64)> {
    match predicate {
        Predicate::Compare { left, operator, right: Literal::Number { value } } => {
            Some((left, *operator, value.parse().ok()?))
        }
        _ => None,
    }
}
