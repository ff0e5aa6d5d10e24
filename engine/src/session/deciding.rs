//! Deciding: what an answer means, options and words alike.

use jiff::civil::Date;

use super::machine::Session;
use super::{AssumptionSource, StepError};
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding, binding_of};
use crate::engine::Engine;

impl Session {
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
            let today = self.question.as_ref().and_then(|question| question.today.parse().ok());
            let predicate = engine
                .reader(today.unwrap_or(Date::ZERO))
                .definition(text, table, &self.found_values(engine))
                .map_err(|failure| StepError::InvalidWords {
                    code: failure.code,
                    clarification_id: Some(id.clone()),
                    text: text.clone(),
                    reason: failure.message,
                    span: failure.span,
                    hint: failure.hint,
                })?;
            return Ok((id, OptionBinding::Predicate { predicate }, AssumptionSource::User));
        }
        match binding_of(clarification, &answer.answer) {
            Ok((binding, source)) => Ok((id, binding, source)),
            Err(reason) => Err(StepError::InvalidAnswer { clarification_id: id, reason }),
        }
    }
}
