//! Unknown nouns without which nothing can be composed: "the most common germ in infections", "how many shops".
//!
//! If the question can be composed with one of the columns or tables that the noun may mean, the user is asked which one
//! that is; otherwise the question is refused.

use super::interpreter::Interpreter;
use super::verdict::Material;
use crate::ambiguity::AmbiguityKind;
use crate::clarification::{AssumptionSource, OptionBinding, clarification_id};
use crate::compose::{Composer, Decisions, Failure, Open};
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::linking::{Mention, Named};
use crate::reading::Frame;

impl Interpreter<'_> {
    /// The query with the first column or table that an unread noun may mean, with the question which one it is; none
    /// where the failure has another cause.
    pub(super) fn with_unknown_noun(
        &self,
        (text, material): (&str, &Material),
        decisions: &Decisions,
        (mentions, frame): (&[Mention], &Frame),
        failure: &Failure,
    ) -> Option<(QueryTree, Vec<Open>, bool)> {
        use FailureCode::{
            NoMeasure, NotComposable, NothingRecognised, NothingToMeasure, NothingToOrder,
        };
        let lacks_column = matches!(failure.code, NothingToOrder | NoMeasure);
        let lacks_rows = lacks_column
            || matches!(failure.code, NotComposable | NothingRecognised | NothingToMeasure);
        let composer = self.composer(text, mentions, decisions);
        frame.unread.iter().find_map(|at| {
            let mention = mentions.get(*at)?;
            let (kind, start) = (AmbiguityKind::UnknownTerm, mention.span.start);
            let id = clarification_id(text, kind, &mention.phrase, start);
            // Who left the noun out is not asked again.
            if decisions.contains_key(&id) {
                return None;
            }
            let meanings = self.meanings(&composer, *at, lacks_column, lacks_rows);
            meanings.into_iter().find_map(|meant| {
                let mut tried = decisions.clone();
                tried.insert(id.clone(), (meant.clone(), AssumptionSource::BestGuess));
                let (composed, mut open, joined) = self.composed(text, material, &tried);
                let place = open.iter_mut().find(|place| {
                    let mut options = place.clarification.options.iter();
                    place.clarification.id == id && options.any(|option| option.binding == meant)
                })?;
                (place.decided, place.chosen) = (None, OptionBinding::Ignore);
                place.needed = true;
                Some((composed.ok()?, open, joined))
            })
        })
    }

    /// What an unread noun may mean: columns, or tables where there are none.
    fn meanings(
        &self,
        composer: &Composer<'_>,
        at: usize,
        column: bool,
        rows: bool,
    ) -> Vec<OptionBinding> {
        let columns = composer.columns_for_unknown(at);
        if !columns.is_empty() {
            let columns = columns.into_iter().filter(|_| column);
            return columns
                .map(|column| OptionBinding::Column { column: self.catalog.reference(column) })
                .collect();
        }
        let tables = if rows { composer.tables_for_unknown(at) } else { Vec::new() };
        tables
            .into_iter()
            .map(|table| OptionBinding::Table { table: self.schema.profile(table).key.clone() })
            .collect()
    }
}
