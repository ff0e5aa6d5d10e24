//! Comparisons of groups with a mean: the aggregate of each group, and the mean of all rows or of all groups.

use super::build::compose;
use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
use crate::failure::FailureCode;
use crate::intent::{AgainstMean, Predicate, QueryTree};
use crate::narration::Describer;
use crate::reading::{Against, Condition, Frame};

impl Composer<'_> {
    /// Query tree of groups whose aggregate compares with a mean in this way.
    pub(super) fn against_mean(
        &mut self,
        frame: &Frame,
        against: Against,
    ) -> Result<QueryTree, Failure> {
        let mut plain = Frame { against: None, ..frame.clone() };
        // A comparison with a number says what the groups are; the mean takes the place of the number.
        plain.conditions.push(Condition::Measure {
            at: against.measure,
            operator: against.operator,
            value: "0".to_owned(),
        });
        let mut tree = compose(self, &plain)?;
        let place = tree.having.iter().position(
            |having| matches!(having, Predicate::Compare { left, .. } if left.is_aggregate()),
        );
        let compared = place.map(|place| tree.having.remove(place));
        let plain = !tree.group_by.is_empty()
            && tree.having.is_empty()
            && tree.also.is_empty()
            && tree.top.is_none()
            && tree.over_groups.is_none();
        // Which rows the mean is of would be open.
        let of_all = tree.filters.iter().all(|filter| matches!(filter, Predicate::InRange { .. }));
        let Some(Predicate::Compare { left, operator, .. }) = compared.filter(|_| plain && of_all)
        else {
            return Err(self.fail(
                FailureCode::NotComposable,
                "it is not clear what the mean is of".to_owned(),
                "compare one figure of each group with its mean, without further conditions",
                Some(against.at),
            ));
        };
        let mean = AgainstMean { aggregate: left, operator };
        self.note_mean(&tree, &mean, against.at);
        tree.against_mean = Some(mean);
        Ok(tree)
    }

    /// Says what the mean is of: groups without rows are not in it.
    fn note_mean(&mut self, tree: &QueryTree, mean: &AgainstMean, at: usize) {
        let describer = Describer { catalog: self.catalog };
        let rows = describer.rows(&tree.from);
        let groups = describer.groups(tree).join(" and ");
        let label = if mean.is_of_groups() {
            format!("the mean over each {groups} that has {rows}")
        } else {
            let which = if tree.filters.is_empty() { "all" } else { "the same" };
            format!("the average of {which} {rows}")
        };
        self.decide(Decision {
            kind: AmbiguityKind::Aggregation,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "the mean can be of groups or of rows".to_owned(),
            options: vec![ignore_option(label, "the same rows as those of the groups")],
            recommended: None,
            custom: None,
        });
    }
}
