//! Adds the choices of a session to a memory.

use serde::{Deserialize, Serialize};

use super::{Memory, Pattern, Scope, similarity};
use crate::ambiguity::AmbiguityKind;
use crate::clarification::Answer;
use crate::settings::Settings;
use crate::text::fold;

/// A choice of the user.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// The ambiguous words.
    pub phrase: String,
    /// The answer.
    pub answer: Answer,
    /// Meaning of the answer, in words.
    pub meaning: String,
    /// Stems of the words in the question, sorted.
    pub context: Vec<String>,
    /// Whether memory applies the choice at once, before it is frequent.
    #[serde(default)]
    pub remember: bool,
}

impl Memory {
    /// Adds choices; `today` is `yyyy-mm-dd`.
    pub fn record(&mut self, choices: &[Choice], scope: Scope, settings: &Settings, today: &str) {
        for choice in choices {
            self.record_one(choice, scope, settings, today);
        }
        while self.patterns.len() > settings.memory_patterns as usize {
            let oldest =
                self.patterns.iter().enumerate().min_by_key(|(position, pattern)| {
                    (pattern.fixed, &pattern.last_used, *position)
                });
            let Some((position, _)) = oldest else { break };
            self.patterns.remove(position);
        }
    }

    fn record_one(&mut self, choice: &Choice, scope: Scope, settings: &Settings, today: &str) {
        // Typed dates apply to one question only.
        if matches!(choice.answer, Answer::BestGuess | Answer::DateRange { .. }) {
            return;
        }
        let phrase = fold(&choice.phrase);
        let about_same = |pattern: &Pattern| {
            pattern.scope == scope
                && pattern.ambiguity == choice.ambiguity
                && pattern.phrase == phrase
                && similarity(&pattern.context, &choice.context) > settings.memory_similarity
        };
        if choice.remember {
            for pattern in self.patterns.iter_mut().filter(|pattern| about_same(pattern)) {
                pattern.fixed = false;
            }
        }
        let known = self
            .patterns
            .iter_mut()
            .find(|pattern| about_same(pattern) && pattern.answer == choice.answer);
        if let Some(pattern) = known {
            pattern.frequency = pattern.frequency.saturating_add(1);
            pattern.fixed |= choice.remember;
            today.clone_into(&mut pattern.last_used);
            return;
        }
        self.patterns.push(Pattern {
            id: identify(scope, choice, &phrase),
            scope,
            ambiguity: choice.ambiguity,
            phrase,
            answer: choice.answer.clone(),
            meaning: choice.meaning.clone(),
            context: choice.context.clone(),
            frequency: 1,
            fixed: choice.remember,
            last_used: today.to_owned(),
        });
    }
}

/// Id of a pattern: `m_` and 16 hexadecimal digits of an FNV-1a hash.
fn identify(scope: Scope, choice: &Choice, phrase: &str) -> String {
    let answer = serde_json::to_string(&choice.answer).unwrap_or_default();
    let text = format!(
        "{scope:?}\u{1f}{:?}\u{1f}{phrase}\u{1f}{answer}\u{1f}{}",
        choice.ambiguity,
        choice.context.join(" ")
    );
    format!("m_{:016x}", crate::text::hash(&text))
}
