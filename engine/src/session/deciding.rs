//! Deciding: what an answer means, options and words alike.

use super::machine::Session;
use super::{AssumptionSource, StepError};
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding, binding_of};
use crate::compose::resolves;
use crate::engine::Engine;

impl Session {
    /// Decides what was answered; an option that the catalog no longer has is asked again, with the reason.
    pub(super) fn take(
        &mut self,
        engine: &Engine,
        id: String,
        binding: OptionBinding,
        source: AssumptionSource,
    ) {
        if resolves(engine.catalog(), &binding) {
            self.remarks.remove(&id);
            self.decide(id, binding, source);
            return;
        }
        let label = self.seen.get(&id).and_then(|asked| {
            let option = asked.options.iter().find(|option| option.binding == binding)?;
            Some(option.label.clone())
        });
        let label = label.unwrap_or_else(|| "what was chosen".to_owned());
        self.remarks.insert(id, format!("“{label}” is no longer in this data"));
        self.view.round = self.view.round.saturating_sub(1);
    }

    /// What an answer to a clarification, or a change of an assumption, means.
    pub(super) fn decision(
        &self,
        engine: &Engine,
        clarification: &Clarification,
        answer: &ClarificationAnswer,
    ) -> Result<(String, OptionBinding, AssumptionSource), StepError> {
        let id = clarification.id.clone();
        let table = clarification.takes_words_about().and_then(|key| engine.schema().table(key));
        if let (Answer::Text { text }, Some(table)) = (&answer.answer, table) {
            let predicate = engine
                .reader(self.today())
                .definition(text, table, &self.found_values(engine))
                .map_err(|failure| StepError::InvalidWords {
                    code: failure.code,
                    clarification_id: Some(id.clone()),
                    text: text.clone(),
                    reason: failure.message,
                    span: failure.span,
                    hint: failure.hint.into(),
                })?;
            return Ok((id, OptionBinding::Predicate { predicate }, AssumptionSource::User));
        }
        match binding_of(clarification, &answer.answer) {
            Ok((binding, source)) => Ok((id, binding, source)),
            Err(reason) => Err(StepError::InvalidAnswer { clarification_id: id, reason }),
        }
    }
}
