//! Growth: a count or an amount of each period, and its change from the period before.

use super::build::compose;
use super::context::{Composer, Failure};
use super::option::ignore_option;
use super::side_by_side::period_words;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, QueryTree, Selection, TimeGrain};
use crate::narration::grain_words;
use crate::reading::{Frame, Group};

/// Name of the output column.
const ALIAS: &str = "growth_percent";

impl Composer<'_> {
    /// Query tree of growth; `at` is the mention that says so.
    pub(super) fn growth(&mut self, frame: &Frame, at: usize) -> Result<QueryTree, Failure> {
        self.note_current_period(frame, at);
        if frame.compared_period.is_some() && frame.groups.len() > 1 {
            return self.side_by_side(frame, at);
        }
        let mut tree = compose(self, &Frame { growth: None, ..frame.clone() })?;
        let plain = tree.also.is_empty()
            && tree.top.is_none()
            && tree.over_groups.is_none()
            && tree.having.is_empty()
            && tree.limit.is_none();
        let [period @ Expression::Period { grain, .. }] = tree.group_by.as_slice() else {
            return Err(self.not_grown(at));
        };
        let recurring =
            matches!(grain, TimeGrain::DayOfWeek | TimeGrain::HourOfDay | TimeGrain::MonthOfYear);
        let (period, grain) = (period.clone(), *grain);
        let [shown, measure] = tree.select.as_slice() else { return Err(self.not_grown(at)) };
        let total = matches!(
            &measure.expression,
            Expression::Aggregate { function: Aggregate::Count | Aggregate::Sum, .. }
        );
        if !plain || recurring || !total || shown.expression != period {
            return Err(self.not_grown(at));
        }
        let expression = Expression::Growth {
            aggregate: Box::new(measure.expression.clone()),
            period: Box::new(period),
        };
        tree.select.push(Selection { expression, alias: Some(ALIAS.to_owned()) });
        self.note_growth(grain, at);
        Ok(tree)
    }

    /// Says which period is compared, where only the other one is named.
    fn note_current_period(&mut self, frame: &Frame, at: usize) {
        let [time] = frame.times.as_slice() else { return };
        let [other] = time.others.as_slice() else { return };
        if frame.compared_period != Some(time.at) {
            return;
        }
        let grain = frame.groups.iter().find_map(|group| match group {
            Group::Period { grain, at, .. } if *at == time.at => Some(*grain),
            _ => None,
        });
        let Some(grain) = grain else { return };
        let periods =
            format!("{} against {}", period_words(&time.range, grain), period_words(other, grain));
        self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "only one of the two periods is named".to_owned(),
            options: vec![ignore_option(periods, "the current period is compared")],
            recommended: None,
            custom: None,
        });
    }

    /// Says what each period is compared with.
    fn note_growth(&mut self, grain: TimeGrain, at: usize) {
        let period = grain_words(grain);
        self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "periods without rows are not in the data".to_owned(),
            options: vec![ignore_option(
                format!("change in percent from the {period} before that has rows"),
                "empty for the first and where that one is zero",
            )],
            recommended: None,
            custom: None,
        });
    }

    pub(super) fn not_grown(&self, at: usize) -> Failure {
        self.fail(
            FailureCode::NotComposable,
            format!("it is not clear what “{}” is of", self.phrase(at)),
            "name one count or total and a period, such as revenue by month",
            Some(at),
        )
    }
}
