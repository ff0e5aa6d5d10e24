//! Turns answers to clarifications into decisions.

use super::given::Given;
use super::question::{DecisionMade, Question};
use super::{AssumptionSource, StepError};
use crate::catalog::Catalog;
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding, binding_of};
use crate::compose::resolves;

impl Question {
    /// Records a decision of the user; false if the catalog no longer contains the option, so that it is asked again.
    pub(super) fn take(&mut self, catalog: &Catalog, made: DecisionMade) -> bool {
        let DecisionMade { id, binding, source } = made;
        if resolves(catalog, &binding) {
            self.choices.remarks.remove(&id);
            self.choices.decide(id, binding, source);
            return true;
        }
        let label = self.choices.seen.get(&id).and_then(|asked| {
            let option = asked.options.iter().find(|option| option.binding == binding)?;
            Some(option.label.clone())
        });
        let label = label.unwrap_or_else(|| "what was chosen".to_owned());
        self.choices.remarks.insert(id, format!("“{label}” is no longer in this data"));
        false
    }
}

impl Given<'_> {
    /// The decision of an answer to a clarification or of a changed assumption.
    pub(super) fn decision(
        self,
        question: &Question,
        clarification: &Clarification,
        answer: &ClarificationAnswer,
    ) -> Result<DecisionMade, StepError> {
        let id = clarification.id.clone();
        let schema = self.engine.schema();
        let table = clarification.takes_words_about().and_then(|key| schema.table(key));
        if let Answer::Text { text } = &answer.answer {
            let (reader, found) =
                (self.engine.reader(question.asked.date()), self.found_values(question));
            let read = match table {
                Some(table) => {
                    let predicate = reader.definition(text, table, &found);
                    Some(predicate.map(|predicate| OptionBinding::Predicate { predicate }))
                }
                None if clarification.takes_rows() => Some(reader.rows(text, &found)),
                None => None,
            };
            if let Some(read) = read {
                let binding = read.map_err(|failure| StepError::InvalidWords {
                    code: failure.code,
                    clarification_id: Some(id.clone()),
                    text: text.clone(),
                    reason: failure.message,
                    span: failure.span,
                    hint: failure.hint.into(),
                })?;
                return Ok(DecisionMade { id, binding, source: AssumptionSource::User });
            }
        }
        match binding_of(clarification, &answer.answer) {
            Ok((binding, source)) => Ok(DecisionMade { id, binding, source }),
            Err(reason) => Err(StepError::InvalidAnswer { clarification_id: id, reason }),
        }
    }
}
