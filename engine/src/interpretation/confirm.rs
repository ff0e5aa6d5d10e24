//! A reading that is too unsure to run is asked about: the asker confirms it, or says it in other words.

use super::interpreter::Interpreter;
use super::verdict::{Interpretation, Verdict};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation, clarify};
use crate::compose::{Decisions, Open};
use crate::narration::Describer;
use crate::settings::Settings;

/// Id of the option that confirms a reading.
const AS_READ: &str = "as_read";

impl Interpreter<'_> {
    /// Asks whether a query tree is meant that is `unsure` or whose chance is below `ask_below`, unless something else is
    /// asked, or the asker settled something already.
    pub(super) fn confirm(
        &self,
        interpretation: &mut Interpretation,
        text: &str,
        decisions: &Decisions,
        settings: &Settings,
        unsure: bool,
    ) {
        let Verdict::Tree(tree) = &interpretation.verdict else { return };
        let unlikely = interpretation.confidence.overall < settings.ask_below;
        let asks = unsure || unlikely && !settings.weighted_gate;
        if !asks || interpretation.is_settled_or_asked() {
            return;
        }
        let sentence = Describer { catalog: self.catalog }.sentence(tree);
        let binding = OptionBinding::Table { table: tree.from.clone() };
        let clarification = clarify(
            text,
            Decision {
                kind: AmbiguityKind::Intent,
                severity: Severity::Important,
                span: None,
                phrase: text.trim().to_owned(),
                relation: Relation::Means,
                reason: "questions like this one are often meant otherwise".to_owned(),
                options: vec![ClarificationOption {
                    id: AS_READ.to_owned(),
                    label: lower_first(sentence.trim_end_matches('.')),
                    // The label says it all.
                    description: String::new(),
                    binding: binding.clone(),
                    confidence: Some(interpretation.confidence.overall),
                }],
                recommended: None,
                custom: None,
            },
        );
        let decided = decisions.get(&clarification.id).map(|(_, source)| *source);
        interpretation.open.push(Open { clarification, chosen: binding, decided, needed: false });
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
