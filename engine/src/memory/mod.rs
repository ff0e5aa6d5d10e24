//! Memory: choices of earlier questions, as plain data, reused for the same ambiguity.

mod learned;
mod lesson;
mod needless;
mod personal;
mod preference;
mod recall;
mod record;
mod version;

pub use learned::{Learned, LessonKind, LessonNews};
pub(crate) use lesson::learn;
pub use lesson::{Lesson, LessonTarget};
pub use needless::Needless;
pub use personal::PersonSettings;
pub use preference::Chosen;
pub(crate) use preference::Preferences;
pub(crate) use recall::{Recalled, recall};
pub use record::Choice;
pub use version::MemoryError;

use serde::{Deserialize, Serialize};

use crate::ambiguity::AmbiguityKind;
use crate::clarification::Answer;

/// Version of the format.
pub(crate) const VERSION: u32 = 1;

/// Remembered choices.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Version of the format.
    pub version: u32,
    /// Remembered choices, each with its frequency.
    #[serde(default)]
    pub patterns: Vec<Pattern>,
    /// Ambiguities whose questions the user marked as needless.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needless: Vec<Needless>,
    /// Lessons that corrections and repairs taught.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Learned>,
    /// Settings of the person; absent if they are those of the server.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "personal::from_object"
    )]
    pub settings: Option<PersonSettings>,
}

/// Who a remembered choice applies to.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(rename = "ChoiceScope"))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The user who chose.
    #[default]
    Person,
    /// All users of the data source.
    DataSource,
}

/// A choice that was made at least once.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Id; the same for the same choice in the same context.
    pub id: String,
    /// Who the choice applies to.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "ChoiceScope", optional))]
    pub scope: Scope,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// The ambiguous words, case-folded and without accents.
    pub phrase: String,
    /// The answer.
    pub answer: Answer,
    /// Meaning of the answer, in words.
    pub meaning: String,
    /// Stems of the words in the question, sorted.
    pub context: Vec<String>,
    /// Number of times that the choice was made.
    pub frequency: u32,
    /// Whether the user asked to apply the choice at once, before it is frequent.
    #[serde(default)]
    pub fixed: bool,
    /// Date of the last use, `yyyy-mm-dd`.
    pub last_used: String,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            version: VERSION,
            patterns: Vec::new(),
            needless: Vec::new(),
            lessons: Vec::new(),
            settings: None,
        }
    }
}

impl Memory {
    /// Removes a pattern, the marks of an ambiguity, or a lesson; false if none has this id.
    pub fn forget(&mut self, id: &str) -> bool {
        let count =
            |memory: &Self| memory.patterns.len() + memory.needless.len() + memory.lessons.len();
        let before = count(self);
        self.patterns.retain(|pattern| pattern.id != id);
        self.needless.retain(|marked| marked.id != id);
        self.lessons.retain(|lesson| lesson.id != id);
        count(self) < before
    }
}

/// Jaccard similarity of two contexts, 0 to 1.
pub(crate) fn similarity(one: &[String], other: &[String]) -> f64 {
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let all = one.len() + other.len() - shared;
    if all == 0 { 1.0 } else { shared as f64 / all as f64 }
}
