//! Unknown nouns without which nothing can be composed: "the most common germ in infections".
//!
//! If the question can be composed with one of the columns that the noun may mean, the user is asked which column that is;
//! otherwise the question is refused.

use super::interpreter::Interpreter;
use super::verdict::Material;
use crate::ambiguity::AmbiguityKind;
use crate::clarification::{AssumptionSource, OptionBinding, clarification_id};
use crate::compose::{Decisions, Failure, Open};
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::linking::{Mention, Named};
use crate::reading::Frame;

impl Interpreter<'_> {
    /// The query with the first column that an unread noun may mean, with the question which one it is; none where the
    /// failure has another cause.
    pub(super) fn with_unknown_noun(
        &self,
        (text, material): (&str, &Material),
        decisions: &Decisions,
        (mentions, frame): (&[Mention], &Frame),
        failure: &Failure,
    ) -> Option<(QueryTree, Vec<Open>, bool)> {
        if !matches!(failure.code, FailureCode::NothingToOrder | FailureCode::NoMeasure) {
            return None;
        }
        let composer = self.composer(text, mentions, decisions);
        frame.unread.iter().find_map(|at| {
            let mention = mentions.get(*at)?;
            let (kind, start) = (AmbiguityKind::UnknownTerm, mention.span.start);
            let id = clarification_id(text, kind, &mention.phrase, start);
            // Who left the noun out is not asked again.
            if decisions.contains_key(&id) {
                return None;
            }
            composer.columns_for_unknown(*at).into_iter().find_map(|column| {
                let column = self.catalog.reference(column);
                let mut tried = decisions.clone();
                let binding = OptionBinding::Column { column };
                tried.insert(id.clone(), (binding, AssumptionSource::BestGuess));
                let (composed, mut open, joined) = self.composed(text, material, &tried);
                let place = open.iter_mut().find(|place| place.clarification.id == id)?;
                (place.decided, place.chosen) = (None, OptionBinding::Ignore);
                Some((composed.ok()?, open, joined))
            })
        })
    }
}
