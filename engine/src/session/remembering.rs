//! Remembering: what memory decides of a question, and what a session gives memory to keep.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::machine::Session;
use super::{AssumptionSource, StepError};
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding};
use crate::compose::Describer;
use crate::engine::Engine;
use crate::interpretation::Interpretation;
use crate::linking::Target;
use crate::memory::{Choice, Pattern, Recalled, recall};
use crate::reading::Part;
use crate::text::{fold, stem};

/// A pattern of memory that decided a place.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FromMemory {
    /// Id of the pattern.
    pub pattern_id: String,
    /// Why it was taken, in words.
    pub reason: String,
}

impl Session {
    /// Decides what memory knows; true where anything was decided.
    pub(super) fn recall(&mut self, engine: &Engine, interpretation: &Interpretation) -> bool {
        self.words = context_words(interpretation);
        let mut decided = false;
        let asked: Vec<Clarification> =
            interpretation.questions().map(|open| open.clarification.clone()).collect();
        for clarification in asked {
            let memory = self.start.memory.clone();
            let about = (clarification.ambiguity, clarification.phrase.as_str());
            match recall(&memory, engine.settings(), about, &self.words) {
                Some(Recalled::Known(pattern)) => {
                    let answer = ClarificationAnswer {
                        clarification_id: clarification.id.clone(),
                        answer: pattern.answer.clone(),
                    };
                    match self.decision(engine, &clarification, &answer) {
                        Ok((id, binding, _)) if means_the_same(engine, pattern, &binding) => {
                            let (pattern_id, reason) = (pattern.id.clone(), pattern.reason());
                            self.recalled.insert(id.clone(), FromMemory { pattern_id, reason });
                            self.decide(id, binding, AssumptionSource::Memory);
                            decided = true;
                        }
                        Ok(_) | Err(_) => {
                            let told = format!(
                                "“{}” was remembered, which is no longer possible",
                                pattern.meaning
                            );
                            self.remarks.insert(clarification.id.clone(), told);
                        }
                    }
                }
                Some(Recalled::Contradictory(patterns)) => {
                    let told: Vec<String> =
                        patterns.iter().take(2).map(|pattern| pattern.told()).collect();
                    let told = format!("before, it was taken as {}", told.join(" and as "));
                    self.remarks.insert(clarification.id.clone(), told);
                }
                None => {}
            }
        }
        decided
    }

    /// Says on each question what memory or the catalog has to say about it.
    pub(super) fn remark(&self, clarification: &mut Clarification) {
        if let Some(remark) = self.remarks.get(&clarification.id) {
            clarification.reason = format!("{}; {remark}", clarification.reason);
        }
    }

    /// Says on each assumption that comes from memory which pattern it was, and why.
    pub(super) fn tell_memory(&mut self) {
        for assumption in &mut self.view.assumptions {
            if assumption.source == AssumptionSource::Memory {
                assumption.from_memory = self.recalled.get(&assumption.id).cloned();
            }
        }
    }

    /// Marks a choice as one to be remembered at once.
    pub(super) fn remember(&mut self, clarification_id: String) -> Result<(), StepError> {
        if !self.answers.contains_key(&clarification_id) {
            return Err(StepError::UnknownClarification(clarification_id));
        }
        self.given.remove(&clarification_id);
        self.remember.insert(clarification_id);
        Ok(())
    }

    /// Keeps what a person answered, for memory.
    pub(super) fn note_answer(&mut self, id: &str, answer: &Answer) {
        self.given.remove(id);
        self.answers.insert(id.to_owned(), answer.clone());
    }

    /// Choices that were not given out before; a host puts them into its memory once the question is answered.
    pub fn take_choices(&mut self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (id, _, source) in &self.decisions {
            let (Some(answer), Some(asked)) = (self.answers.get(id), self.seen.get(id)) else {
                continue;
            };
            if *source != AssumptionSource::User || self.given.contains(id) {
                continue;
            }
            let assumption = self.view.assumptions.iter().find(|known| known.id == *id);
            let meaning = assumption.map(|assumption| assumption.meaning.clone());
            choices.push(Choice {
                ambiguity: asked.ambiguity,
                phrase: asked.phrase.clone(),
                answer: answer.clone(),
                meaning: meaning.unwrap_or_default(),
                context: self.words.clone(),
                remember: self.remember.contains(id),
            });
        }
        let decided = self.decisions.iter().map(|(id, ..)| id.clone());
        self.given.extend(decided);
        choices
    }
}

/// Whether words that were remembered are still read as they were then.
fn means_the_same(engine: &Engine, pattern: &Pattern, binding: &OptionBinding) -> bool {
    match (&pattern.answer, binding) {
        (Answer::Text { .. }, OptionBinding::Predicate { predicate }) => {
            Describer { catalog: engine.catalog() }.predicate(predicate) == pattern.meaning
        }
        _ => true,
    }
}

/// Stems of the words that say what a question is about, without numbers, times and stored values.
fn context_words(interpretation: &Interpretation) -> Vec<String> {
    let mut words = BTreeSet::new();
    for (mention, part) in &interpretation.mentions {
        let value = mention
            .readings
            .first()
            .is_some_and(|reading| matches!(reading.target, Target::Value(..)));
        let says = !value && !matches!(part, Part::Lexical | Part::Number | Part::Time);
        if says {
            words.extend(mention.phrase.split_whitespace().map(|word| stem(&fold(word))));
        }
    }
    words.into_iter().collect()
}
