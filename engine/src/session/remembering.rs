//! Memory: applies earlier choices to a question, and collects choices to remember.

use std::collections::BTreeSet;

use super::given::Given;
use super::question::{DecisionMade, Question};
use super::{Assumption, AssumptionSource, FromMemory, StepError};
use crate::ambiguity::Severity;
use crate::clarification::{Answer, Clarification, ClarificationAnswer, OptionBinding};
use crate::compose::Open;
use crate::engine::Engine;
use crate::interpretation::Interpretation;
use crate::linking::Target;
use crate::memory::{Choice, Pattern, Recalled, recall};
use crate::narration::Describer;
use crate::reading::Part;
use crate::text::{fold, stem};

impl Given<'_> {
    /// Applies memory to the open clarifications; true if anything was decided.
    pub(super) fn recall(self, question: &mut Question, interpretation: &Interpretation) -> bool {
        question.reading.words = context_words(interpretation);
        let mut decided = false;
        for open in interpretation.questions() {
            let clarification = &open.clarification;
            let about = (clarification.ambiguity, clarification.phrase.as_str());
            let (settings, words) = (self.engine.settings(), &question.reading.words);
            match recall(&self.start.memory, settings, about, words) {
                Some(Recalled::Known(pattern)) => {
                    decided |= self.recall_pattern(question, clarification, pattern);
                }
                Some(Recalled::Contradictory(patterns)) => {
                    let told: Vec<String> =
                        patterns.iter().take(2).map(|pattern| pattern.told()).collect();
                    let told = format!("before, it was taken as {}", told.join(" and as "));
                    question.choices.remarks.insert(clarification.id.clone(), told);
                }
                None => {}
            }
            if !question.choices.is_decided(&clarification.id) {
                decided |= self.skip_needless(question, open);
            }
        }
        decided
    }

    /// Takes the best option of a question that was marked as needless often enough; false if it is still asked.
    fn skip_needless(self, question: &mut Question, open: &Open) -> bool {
        let clarification = &open.clarification;
        let enough = self.engine.settings().needless_marks;
        // No statement follows without an answer, or a word of the question would be left out.
        if enough == 0
            || clarification.severity == Severity::Critical
            || open.chosen == OptionBinding::Ignore
        {
            return false;
        }
        let (kind, phrase) = (clarification.ambiguity, clarification.phrase.as_str());
        let marked = self.start.memory.marked(kind, phrase).filter(|known| known.marks >= enough);
        let Some(marked) = marked else { return false };
        let id = clarification.id.clone();
        let from = FromMemory { pattern_id: marked.id.clone(), reason: marked.reason() };
        question.memory.recalled.insert(id.clone(), from);
        question.choices.decide(id, open.chosen.clone(), AssumptionSource::BestGuess);
        true
    }

    /// Applies a pattern to a clarification; false if the answer is no longer possible.
    fn recall_pattern(
        self,
        question: &mut Question,
        clarification: &Clarification,
        pattern: &Pattern,
    ) -> bool {
        let id = clarification.id.clone();
        let answer =
            ClarificationAnswer { clarification_id: id.clone(), answer: pattern.answer.clone() };
        match self.decision(question, clarification, &answer) {
            Ok(DecisionMade { binding, .. }) if means_the_same(self.engine, pattern, &binding) => {
                let from = FromMemory { pattern_id: pattern.id.clone(), reason: pattern.reason() };
                question.memory.recalled.insert(id.clone(), from);
                question.choices.decide(id, binding, AssumptionSource::Memory);
                true
            }
            Ok(_) | Err(_) => {
                let told = format!(
                    "the remembered meaning “{}” no longer fits this data",
                    pattern.meaning
                );
                question.choices.remarks.insert(id, told);
                false
            }
        }
    }
}

impl Question {
    /// Adds the applied pattern to each assumption that comes from memory, and the marks to one that they decided.
    pub(super) fn tell_memory(&self, assumptions: &mut [Assumption]) {
        for assumption in assumptions {
            if matches!(assumption.source, AssumptionSource::BestGuess | AssumptionSource::Memory) {
                assumption.from_memory = self.memory.recalled.get(&assumption.id).cloned();
            }
        }
    }

    /// Marks the answer to a clarification to be applied from now on.
    pub(super) fn remember(&mut self, clarification_id: String) -> Result<(), StepError> {
        if !self.choices.answers.contains_key(&clarification_id) {
            return Err(StepError::UnknownClarification(clarification_id));
        }
        self.memory.taken.remove(&clarification_id);
        self.memory.wanted.insert(clarification_id);
        Ok(())
    }

    /// Answers of the user that no earlier call returned, as choices for memory.
    pub(super) fn take_choices(&mut self, assumptions: &[Assumption]) -> Vec<Choice> {
        let mut choices = Vec::new();
        for made in self.choices.decisions() {
            let id = &made.id;
            let (Some(answer), Some(asked)) =
                (self.choices.answers.get(id), self.choices.seen.get(id))
            else {
                continue;
            };
            if made.source != AssumptionSource::User || self.memory.taken.contains(id) {
                continue;
            }
            let assumption = assumptions.iter().find(|known| known.id == *id);
            let meaning = assumption.map(|assumption| assumption.meaning.clone());
            choices.push(Choice {
                ambiguity: asked.ambiguity,
                phrase: asked.phrase.clone(),
                answer: answer.clone(),
                meaning: meaning.unwrap_or_default(),
                context: self.reading.words.clone(),
                remember: self.memory.wanted.contains(id),
            });
        }
        let decided = self.choices.decisions().iter().map(|made| made.id.clone());
        self.memory.taken.extend(decided);
        choices
    }
}

/// Whether a remembered text still has the same interpretation.
fn means_the_same(engine: &Engine, pattern: &Pattern, binding: &OptionBinding) -> bool {
    match (&pattern.answer, binding) {
        (Answer::Text { .. }, OptionBinding::Predicate { predicate }) => {
            Describer { catalog: engine.catalog() }.predicate(predicate) == pattern.meaning
        }
        _ => true,
    }
}

/// Stems of the words that characterise a question: no numbers, times or stored values.
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
