//! Memory: choices made before, as plain data, and what they say about the same ambiguity.

mod lesson;
mod recall;
mod record;
mod version;

pub(crate) use lesson::learn;
pub use lesson::{Lesson, LessonTarget};
pub(crate) use recall::{Recalled, recall};
pub use record::Choice;
pub use version::MemoryError;

use serde::{Deserialize, Serialize};

use crate::ambiguity::AmbiguityKind;
use crate::clarification::Answer;

/// Version of the format.
pub(crate) const VERSION: u32 = 1;

/// What is remembered.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Version of the format.
    pub version: u32,
    /// Choices, each with how often it was made.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
}

/// Whom a memory holds for.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The person who chose.
    #[default]
    Person,
    /// Everyone who asks this data source.
    DataSource,
}

/// A choice that was made, once or several times.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Id, the same for the same choice in the same context.
    pub id: String,
    /// Whom it holds for.
    #[serde(default)]
    pub scope: Scope,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// Words that were ambiguous, folded.
    pub phrase: String,
    /// What was answered.
    pub answer: Answer,
    /// What that means, in words.
    pub meaning: String,
    /// Stems of the words of the question, in order of the alphabet.
    pub context: Vec<String>,
    /// Times it was chosen.
    pub frequency: u32,
    /// Whether it was to be remembered at once.
    #[serde(default)]
    pub fixed: bool,
    /// Date it was last chosen, `yyyy-mm-dd`.
    pub last_used: String,
}

impl Default for Memory {
    fn default() -> Self {
        Self { version: VERSION, patterns: Vec::new() }
    }
}

impl Memory {
    /// Forgets a pattern; false where none has this id.
    pub fn forget(&mut self, id: &str) -> bool {
        let before = self.patterns.len();
        self.patterns.retain(|pattern| pattern.id != id);
        self.patterns.len() < before
    }
}

/// Share of the words of two contexts that both have, 0 to 1 (Jaccard).
pub(crate) fn similarity(one: &[String], other: &[String]) -> f64 {
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}
