//! Unread words that very likely pick no rows are left out, and said so, instead of being asked about.

use super::verdict::{Interpretation, Verdict};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{AssumptionSource, OptionBinding};

/// Chance from which words are left out: of the questions answered then, at least 85 % were answered rightly.
const SURE: f64 = 0.75;

impl Interpretation {
    /// Leaves unread words out if nothing else is asked and the statement without them is likely right.
    pub(super) fn leave_out(&mut self) {
        let sure = self.confidence.overall >= SURE;
        let written = matches!(self.verdict, Verdict::Tree(_));
        let severe = self.doubts.iter().any(|doubt| doubt.kind.is_severe());
        let others = self.questions().any(|place| {
            place.clarification.ambiguity != AmbiguityKind::UnknownTerm
                || place.chosen != OptionBinding::Ignore
                || place.needed
        });
        if !sure || !written || severe || others {
            return;
        }
        let unread = self.open.iter_mut().filter(|place| {
            place.decided.is_none()
                && place.clarification.ambiguity == AmbiguityKind::UnknownTerm
                && place.clarification.severity == Severity::Critical
        });
        for place in unread {
            place.decided = Some(AssumptionSource::Default);
            place.clarification.severity = Severity::Minor;
            "no name, synonym or stored value matches, and the question is answered without it"
                .clone_into(&mut place.clarification.reason);
            for option in &mut place.clarification.options {
                if option.binding == OptionBinding::Ignore {
                    "left out: it names nothing in this data".clone_into(&mut option.label);
                }
            }
        }
    }
}
