//! Reads a question with everything decided and found so far.

use super::Context;
use super::context::Start;
use super::question::Question;
use crate::compose::{Constraints, Decisions};
use crate::conversation::{FollowUp, changes};
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::interpretation::{Earlier, Interpretation, Interpreter};
use crate::linking::ValueIndex;
use crate::memory::Preferences;

/// The fixed input of reading a question: the engine, and the start of the session.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) engine: &'a Engine,
    pub(super) start: &'a Start,
}

impl<'a> Given<'a> {
    /// Reads the question, as a follow-up if it is one.
    pub(super) fn interpret(
        self,
        question: &mut Question,
        basis: Option<&QueryTree>,
    ) -> Interpretation {
        let mut decisions = Decisions::new();
        let own = question.choices.decisions().iter();
        decisions.extend(own.map(|made| (made.id.clone(), (made.binding.clone(), made.source))));
        let found = self.found_values(question);
        let text = &question.asked.text;
        let followed = self.usable_context().and_then(|context| {
            let said = context.dated();
            let earlier = Earlier { said: &said, tree: &context.tree };
            for (id, decision) in context.decisions(&earlier.joined(text)) {
                decisions.entry(id).or_insert(decision);
            }
            let constraints = self.constraints(question, basis, true);
            let reader = self.reader(&constraints, question);
            reader.follow(earlier, text, &decisions, &found, false)
        });
        let follows = followed.is_some();
        let interpretation = followed.unwrap_or_else(|| {
            let constraints = self.constraints(question, basis, false);
            let reader = self.reader(&constraints, question);
            reader.read(text, &decisions, &found, false)
        });
        question.reading.follows = follows;
        question.reading.places.extend(interpretation.places.iter().cloned());
        interpretation
    }

    /// Everything that reading needs, with the corrections and the earlier choices.
    fn reader<'b>(self, constraints: &'b Constraints, question: &'b Question) -> Interpreter<'b>
    where
        'a: 'b,
    {
        let Start { memory, chosen, person, .. } = self.start;
        let preferences = Preferences::new(memory, chosen);
        let extracted = question.reading.extracted.as_ref();
        let reader = self.engine.reader(question.asked.date());
        Interpreter { extracted, constraints, preferences, person: person.as_deref(), ..reader }
    }

    /// The conversation so far, if it is valid.
    pub(super) fn usable_context(self) -> Option<&'a Context> {
        let context = self.start.context.as_ref()?;
        context.is_usable(self.engine.catalog(), self.engine.settings()).then_some(context)
    }

    /// What a follow-up kept of the earlier question, and what it changed.
    pub(super) fn follow_up(self, question: &Question, tree: &QueryTree) -> Option<FollowUp> {
        let context = self.start.context.as_ref().filter(|_| question.reading.follows)?;
        let (kept, changed) = changes(self.engine.catalog(), &context.tree, tree);
        let follows = context.said.first().map(|said| said.text.clone()).unwrap_or_default();
        Some(FollowUp { follows, kept, changed })
    }

    /// Stored values that were found for this question and earlier ones.
    pub(super) fn found_values(self, question: &Question) -> ValueIndex {
        let engine = self.engine;
        let before = self.start.context.iter().flat_map(|context| &context.found);
        let found = before.chain(question.reading.found.iter().flatten()).filter_map(|entry| {
            let column = engine.schema().column(engine.catalog(), &entry.search.column)?;
            Some((column, &entry.values))
        });
        ValueIndex::of(
            found.flat_map(|(column, values)| values.iter().map(move |value| (column, value))),
        )
    }
}
