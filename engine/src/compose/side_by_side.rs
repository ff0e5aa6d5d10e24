//! Two periods side by side: a figure of each group in one period and in the other.

use super::build::compose;
use super::context::{Composer, Failure};
use crate::intent::{
    ArithmeticOperator, DateRange, Expression, Literal, Predicate, QueryTree, Selection, TimeGrain,
};
use crate::reading::{Frame, Group};

impl Composer<'_> {
    /// Query tree of "sales by region this year compared with last year"; `at` is the mention that compares.
    pub(super) fn side_by_side(&mut self, frame: &Frame, at: usize) -> Result<QueryTree, Failure> {
        let compared = frame.times.first().map(|time| time.at);
        let mut grains = frame.groups.iter().filter_map(|group| match group {
            Group::Period { grain, at, .. } if Some(*at) == compared => Some(*grain),
            _ => None,
        });
        let Some(grain) = grains.next() else { return Err(self.not_grown(at)) };
        let is_compared =
            |group: &&Group| matches!(group, Group::Period { at, .. } if Some(*at) == compared);
        let groups = frame.groups.iter().filter(|group| !is_compared(group)).copied().collect();
        let plain = Frame { growth: None, compared_period: None, groups, ..frame.clone() };
        let mut tree = compose(self, &plain)?;
        let whole = tree.also.is_empty()
            && tree.top.is_none()
            && tree.over_groups.is_none()
            && tree.having.is_empty()
            && tree.limit.is_none();
        let periods = tree.filters.iter().find_map(periods);
        let (Some(periods), true) = (periods, whole) else { return Err(self.not_grown(at)) };
        let Some(last) = tree.select.pop() else { return Err(self.not_grown(at)) };
        let shown = tree.select.iter().any(|item| item.expression.is_aggregate());
        let Expression::Aggregate { .. } = &last.expression else {
            return Err(self.not_grown(at));
        };
        if shown {
            return Err(self.not_grown(at));
        }
        let name = last.alias.unwrap_or_default();
        for (condition, range) in periods {
            let aggregate = Box::new(last.expression.clone());
            let expression = Expression::Partial { aggregate, conditions: vec![condition] };
            let alias = Some(format!("{name}_{}", label(&range, grain)));
            tree.select.push(Selection { expression, alias });
        }
        if let Some(operator) = frame.differs {
            let of = |item: &Selection| Box::new(item.expression.clone());
            let mut figures = tree.select.iter().filter(|item| item.expression.is_aggregate());
            if let (Some(one), Some(other)) = (figures.next(), figures.next()) {
                tree.having.push(Predicate::Compare {
                    left: Expression::Arithmetic {
                        operator: ArithmeticOperator::Minus,
                        left: of(one),
                        right: of(other),
                    },
                    operator,
                    right: Literal::Number { value: "0".to_owned() },
                });
            }
        }
        let first = tree.select.iter().find(|item| item.expression.is_aggregate());
        let first = first.map(|item| item.expression.clone());
        for order in tree.order_by.iter_mut().filter(|order| order.expression == last.expression) {
            order.expression.clone_from(first.as_ref().unwrap_or(&last.expression));
        }
        Ok(tree)
    }
}

/// The two periods of a condition that holds in either.
fn periods(condition: &Predicate) -> Option<Vec<(Predicate, DateRange)>> {
    let Predicate::Any { conditions } = condition else { return None };
    let ranges = conditions.iter().map(|condition| match condition {
        Predicate::InRange { range, .. } => Some((condition.clone(), range.clone())),
        _ => None,
    });
    ranges.collect::<Option<Vec<_>>>().filter(|ranges| ranges.len() == 2)
}

/// A period in words: `2025`, `2025 Q3`, `2025-11`.
pub(super) fn period_words(range: &DateRange, grain: TimeGrain) -> String {
    let separator = if grain == TimeGrain::Quarter { " " } else { "-" };
    label(range, grain).to_uppercase().replace('_', separator)
}

/// End of the name of the column of a period: `2025`, `2025_q3`, `2025_11`.
fn label(range: &DateRange, grain: TimeGrain) -> String {
    let start = range.start.as_deref().unwrap_or_default();
    let year = start.get(..4).unwrap_or(start);
    let month = start.get(5..7).and_then(|month| month.parse::<u32>().ok()).unwrap_or(1);
    match grain {
        TimeGrain::Year => year.to_owned(),
        TimeGrain::Quarter => format!("{year}_q{}", month.div_ceil(3)),
        _ => format!("{year}_{month:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{label, period_words};
    use crate::intent::{DateRange, TimeGrain};

    #[test]
    fn a_period_is_named_by_its_start() {
        let range = DateRange { start: Some("2025-08-01".to_owned()), ..DateRange::default() };
        let labels = [TimeGrain::Year, TimeGrain::Quarter, TimeGrain::Month]
            .map(|grain| label(&range, grain));
        assert_eq!(labels, ["2025", "2025_q3", "2025_08"]);
        let words = [TimeGrain::Year, TimeGrain::Quarter, TimeGrain::Month]
            .map(|grain| period_words(&range, grain));
        assert_eq!(words, ["2025", "2025 Q3", "2025-08"]);
    }
}
