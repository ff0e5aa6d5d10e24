//! Builds the brief of a question that a model writes the statement for.

use super::AssumptionSource;
use super::computed::with_parts;
use super::given::Given;
use super::question::Question;
use super::shape::{frame, shape};
use super::tied::{said, ties};
use crate::catalog::Catalog;
use crate::clarification::OptionBinding;
use crate::compose::Open;
use crate::interpretation::{Interpretation, Verdict};
use crate::linking::{Named, Target};
use crate::narration::Describer;
use crate::writing::{Brief, DecidedWords, Required};

impl Given<'_> {
    /// The brief of a question; `round` is the number of clarification rounds so far.
    pub(super) fn brief(
        self,
        question: &Question,
        interpretation: &Interpretation,
        round: u8,
    ) -> Brief {
        let (engine, follows) = (self.engine, question.reading.follows);
        // There is no query tree that names could refer to.
        let constraints = self.constraints(question, None, follows);
        let name = |target: &Target| match target {
            Target::Label(table) | Target::Table(table) => engine.catalog().table_at(*table).key(),
            Target::Column(column) | Target::Value(column, _) => {
                engine.catalog().reference(*column).to_string()
            }
            Target::Metric(_) => String::new(),
        };
        let joined = constraints.joins.iter();
        let joined = joined.flat_map(|(left, right)| [left.to_string(), right.to_string()]);
        let before = self.usable_context().filter(|_| follows);
        let decided = decided_words(engine.catalog(), question, &interpretation.open);
        // The frame of a follow-up is incomplete without the earlier question.
        let frame = (!follows).then(|| frame(engine, question.asked.date(), interpretation));
        let frame = frame.as_ref();
        let shape = shape(engine, interpretation, &decided, frame);
        let shape =
            with_parts(engine, question.asked.date(), interpretation, &decided, frame, shape);
        Brief {
            question: question.asked.text.clone(),
            today: question.asked.today.clone(),
            earlier: before
                .map(|context| context.said.iter().map(|said| said.text.clone()).collect())
                .unwrap_or_default(),
            ties: ties(engine, interpretation, frame),
            said: said(interpretation, &decided, frame),
            decided,
            selected: constraints.selected.iter().map(name).chain(joined).collect(),
            rejected: constraints.rejected.iter().map(name).collect(),
            refused: match &interpretation.verdict {
                Verdict::Failed(failure) | Verdict::OutOfScope(failure) => failure.code.to_string(),
                Verdict::Template(_) | Verdict::Tree(_) => String::new(),
            },
            shape,
            skip_clarification: self.skips(question) || self.is_last(round),
            failed: None,
            held: question.model.held.clone(),
            template: None,
        }
    }

    /// Whether all rounds of clarification are used up.
    pub(super) fn is_last(self, round: u8) -> bool {
        round >= self.engine.settings().rounds
    }

    /// Whether clarifications are switched off for the question.
    pub(super) fn skips(self, question: &Question) -> bool {
        question.asked.skip_clarification || !self.engine.settings().enable_clarification
    }
}

/// All decisions about words of the question, with the defaults.
fn decided_words(catalog: &Catalog, question: &Question, open: &[Open]) -> Vec<DecidedWords> {
    let describer = Describer { catalog };
    let choices = &question.choices;
    let by_session = choices.decisions().iter().filter_map(|made| {
        let asked = choices.seen.get(&made.id)?;
        Some((asked, made.binding.clone(), made.source))
    });
    let by_default = open.iter().filter_map(|open| {
        let known = choices.is_decided(&open.clarification.id);
        let source = open.decided.unwrap_or(AssumptionSource::Default);
        (!known).then(|| (&open.clarification, open.chosen.clone(), source))
    });
    by_session
        .chain(by_default)
        .map(|(asked, binding, source)| {
            let chosen = asked.options.iter().find(|option| option.binding == binding);
            let meaning = match &binding {
                OptionBinding::Predicate { predicate } => describer.predicate(predicate),
                _ => describer.meaning(&binding, chosen),
            };
            DecidedWords {
                phrase: asked.phrase.clone(),
                meaning,
                required: Required::of(&binding),
                fixed: matches!(source, AssumptionSource::User | AssumptionSource::Correction),
            }
        })
        .collect()
}
