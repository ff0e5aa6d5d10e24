//! Joins that the asker wants to see before a statement is written are asked about: they are confirmed, or corrected.

use super::interpreter::Interpreter;
use super::verdict::{Interpretation, Verdict};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{
    AS_PLANNED, AssumptionSource, ClarificationOption, Decision, OptionBinding, Relation, clarify,
};
use crate::compose::{Decisions, Open, joins_of, step_joins};
use crate::intent::JoinStep;
use crate::narration::joined_tables;
use wherefore_english::and_list;

impl Interpreter<'_> {
    /// Asks whether the planned joins are right, unless something else is asked, or the asker named each of them.
    pub(super) fn confirm_joins(
        &self,
        interpretation: &mut Interpretation,
        text: &str,
        decisions: &Decisions,
    ) {
        let Verdict::Tree(tree) = &interpretation.verdict else { return };
        if !self.settings.confirm_joins || interpretation.questions().next().is_some() {
            return;
        }
        let joins = joins_of(tree).to_vec();
        if joins.iter().all(|step| self.is_named(step, &interpretation.open)) {
            return;
        }
        let open = self.question_about(joins, text, decisions);
        interpretation.open.push(open);
    }

    /// The ambiguity of planned joins; a decision counts only for the same joins.
    fn question_about(&self, joins: Vec<JoinStep>, text: &str, decisions: &Decisions) -> Open {
        let label = and_list(&joins.iter().map(JoinStep::condition).collect::<Vec<_>>());
        let tables = and_list(&joined_tables(self.catalog, &joins));
        let chosen = OptionBinding::Join { joins };
        let clarification = clarify(
            text,
            Decision {
                kind: AmbiguityKind::Join,
                severity: Severity::Critical,
                span: None,
                phrase: format!("joining {tables}"),
                relation: Relation::Right,
                reason: "joins are confirmed before a statement is written".to_owned(),
                options: vec![ClarificationOption {
                    id: AS_PLANNED.to_owned(),
                    label,
                    description: format!("join {tables} like this"),
                    binding: chosen.clone(),
                    confidence: None,
                }],
                recommended: None,
                custom: None,
            },
        );
        let decided = decisions
            .get(&clarification.id)
            .filter(|(binding, _)| *binding == chosen)
            .map(|(_, source)| *source);
        Open { clarification, chosen, decided, needed: false }
    }

    /// Whether a correction names the columns of a join, or the asker chose a way that contains it.
    fn is_named(&self, step: &JoinStep, open: &[Open]) -> bool {
        let corrected =
            self.constraints.joins.iter().any(|(left, right)| {
                step_joins(step, left, right) || step_joins(step, right, left)
            });
        let chosen = |open: &Open| {
            let told =
                matches!(open.decided, Some(AssumptionSource::User | AssumptionSource::Correction));
            told && matches!(&open.chosen, OptionBinding::Join { joins } if joins.contains(step))
        };
        corrected || open.iter().any(chosen)
    }
}
