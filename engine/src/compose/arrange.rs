//! Prepares a decision before it is made: the options that the settings give, how readily it is asked about, and what is
//! recommended.

use super::context::Composer;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
use crate::order;
use crate::settings::{Asking, OptionOrder};
use crate::text::fold;

impl Composer<'_> {
    /// Arranges the options, then decides how severe the ambiguity is to this asker and which option is recommended.
    pub(super) fn arrange(&self, decision: &mut Decision) {
        // What an unknown word means is never guessed, and a reading to confirm has one option.
        if decision.kind == AmbiguityKind::UnknownTerm || decision.relation == Relation::Right {
            return;
        }
        let phrase = fold(&decision.phrase);
        if let Some(arranged) = self.settings.options.iter().find(|one| fold(&one.phrase) == phrase)
        {
            put_in_order(decision, arranged);
        }
        let rarely_matters = decision.severity == Severity::Minor;
        let several = decision.options.len() > 1;
        decision.severity = match (self.settings.asking, decision.severity) {
            (Asking::Often, Severity::Minor) if several => Severity::Important,
            (Asking::Seldom, Severity::Important) if several => Severity::Minor,
            (_, severity) => severity,
        };
        if !rarely_matters || decision.severity != Severity::Minor {
            self.recommend(decision);
        }
    }

    /// Recommends what was chosen most for the same words, with the reason.
    fn recommend(&self, decision: &mut Decision) {
        let (phrase, options) = (&decision.phrase, &decision.options);
        if let Some(most) = self.preferences.most_chosen(decision.kind, phrase, options) {
            decision.recommended = Some(most.position);
            decision.reason = format!("{}; {}", decision.reason, most.reason);
        }
    }
}

/// Puts the options in the order of the settings; those that the settings do not name follow, or are left out. The best
/// guess stays the same, unless the settings recommend another one.
fn put_in_order(decision: &mut Decision, arranged: &OptionOrder) {
    let id_at = |at: usize| decision.options.get(at).map(|option| option.id.clone());
    let guessed = id_at(decision.recommended.unwrap_or_default());
    let named = |id: &str| arranged.options.iter().position(|named| named == id);
    order::by_key(&mut decision.options, |option| named(&option.id).unwrap_or(usize::MAX));
    if arranged.only && decision.options.iter().any(|option| named(&option.id).is_some()) {
        decision.options.retain(|option| named(&option.id).is_some());
    }
    let at = |id: &Option<String>| {
        decision.options.iter().position(|option| Some(&option.id) == id.as_ref())
    };
    let recommended = at(&arranged.recommended).or_else(|| at(&guessed));
    decision.recommended = recommended;
}
