//! Medians: the tree of the average, with the middle value in its place.

use super::build::compose;
use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, QueryTree};
use crate::reading::Frame;

impl Composer<'_> {
    /// Query tree of a median; `at` is the mention that says so.
    pub(super) fn median(&mut self, frame: &Frame, at: usize) -> Result<QueryTree, Failure> {
        let plain = Frame { median: None, ..frame.clone() };
        let mut tree = compose(self, &plain)?;
        let alone = tree.also.is_empty() && tree.top.is_none() && tree.having.is_empty();
        if let Some(over) = tree.over_groups.as_mut().filter(|_| alone) {
            over.function = Aggregate::Median;
            over.alias = median_name(&over.alias);
            return Ok(tree);
        }
        let mut figures = tree.select.iter().filter(|item| item.expression.is_aggregate());
        let figure = match (figures.next(), figures.next()) {
            (Some(only), None) if alone => middle(&only.expression).map(|of| (only.clone(), of)),
            _ => None,
        };
        let Some((figure, median)) = figure else {
            return Err(self.fail(
                FailureCode::NotComposable,
                format!("“{}” takes two steps beside what else is asked", self.phrase(at)),
                "ask for the median of one number",
                Some(at),
            ));
        };
        for item in tree.select.iter_mut().filter(|item| **item == figure) {
            item.alias = item.alias.as_deref().map(median_name);
            item.expression = median.clone();
        }
        for order in tree.order_by.iter_mut().filter(|it| it.expression == figure.expression) {
            order.expression = median.clone();
        }
        Ok(tree)
    }
}

/// The median of what an average is computed from.
fn middle(average: &Expression) -> Option<Expression> {
    match average {
        Expression::Aggregate { function: Aggregate::Average, argument, distinct: false } => {
            Some(Expression::Aggregate {
                function: Aggregate::Median,
                argument: argument.clone(),
                distinct: false,
            })
        }
        _ => None,
    }
}

/// Name of an output column that is called after an average.
fn median_name(name: &str) -> String {
    match name.strip_prefix("average_") {
        Some(rest) => format!("median_{rest}"),
        None => format!("median_{name}"),
    }
}
