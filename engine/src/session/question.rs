//! The question of a session, with the data that every phase needs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{AssumptionSource, Correction, FoundValues, FromMemory};
use crate::clarification::{Answer, Clarification, OptionBinding};
use crate::day::{self, Date};
use crate::memory::Learned;
use crate::template::Extraction;
use crate::writing::TraceEntry;

/// A question, with everything found, asked and decided about it so far.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) asked: Asked,
    pub(super) corrections: Vec<Correction>,
    pub(super) choices: Choices,
    pub(super) reading: ReadingState,
    pub(super) memory: MemoryState,
    pub(super) model: ModelState,
    #[serde(default)]
    pub(super) lessons: LessonState,
}

/// The question as it was asked.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) text: String,
    /// The user's date, `yyyy-mm-dd`.
    pub(super) today: String,
    pub(super) skip_clarification: bool,
}

/// Clarifications with their answers and decisions; keys are clarification ids.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choices {
    /// At most one per id, oldest first.
    decisions: Vec<DecisionMade>,
    /// Clarifications that were asked, or decided without asking.
    pub(super) seen: BTreeMap<String, Clarification>,
    /// Answers of the user.
    pub(super) answers: BTreeMap<String, Answer>,
    /// Remarks that are added to the reason of a clarification.
    pub(super) remarks: BTreeMap<String, String>,
}

/// A decision about a clarification.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionMade {
    /// Id of the clarification.
    pub(super) id: String,
    pub(super) binding: OptionBinding,
    pub(super) source: AssumptionSource,
}

/// State of reading the question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadingState {
    /// Stored values that a search found; none before the search.
    pub(super) found: Option<Vec<FoundValues>>,
    /// What a model took out of the question for a template; none before it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) extracted: Option<Extraction>,
    /// Whether the question is a follow-up.
    pub(super) follows: bool,
    /// Position of the words of each clarification, by its id.
    pub(super) places: BTreeMap<String, u32>,
    /// Stems of the words that characterise the question, for memory.
    pub(super) words: Vec<String>,
}

/// What memory decided, and what it should learn; keys are clarification ids.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryState {
    /// Patterns that were applied.
    pub(super) recalled: BTreeMap<String, FromMemory>,
    /// Choices to apply from now on, even if made only once.
    pub(super) wanted: BTreeSet<String>,
    /// Choices that the host has already taken.
    pub(super) taken: BTreeSet<String>,
}

/// State of the models that work on the question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelState {
    /// Whether a statement was sent back for repair; this happens at most once.
    pub(super) repaired: bool,
    /// Drafts between which the user's answer decides, as JSON.
    pub(super) held: Vec<String>,
    pub(super) trace: Vec<TraceEntry>,
}

/// Lessons that were used for the question, and what it teaches.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LessonState {
    /// Ids of lessons that the last reading used.
    pub(super) using: BTreeSet<String>,
    /// Ids of lessons that any reading used.
    pub(super) used: BTreeSet<String>,
    /// What was told of them: whether they worked.
    pub(super) told: BTreeMap<String, bool>,
    /// What the corrections teach, if the question is answered.
    pub(super) learned: Vec<Learned>,
    /// Message of a failed statement that a model was asked to repair.
    pub(super) repaired: Option<String>,
}

impl Question {
    /// A new question.
    pub(super) fn new(asked: Asked) -> Self {
        Self {
            asked,
            corrections: Vec::new(),
            choices: Choices::default(),
            reading: ReadingState::default(),
            memory: MemoryState::default(),
            model: ModelState::default(),
            lessons: LessonState::default(),
        }
    }

    /// Records an answer of the user, for memory.
    pub(super) fn note_answer(&mut self, id: &str, answer: &Answer) {
        self.memory.taken.remove(id);
        self.memory.recalled.remove(id);
        self.choices.answers.insert(id.to_owned(), answer.clone());
    }
}

impl Asked {
    /// The day on which the question was asked.
    pub(super) fn date(&self) -> Date {
        day::parse(&self.today).unwrap_or_default()
    }
}

impl Choices {
    /// Records a decision, which replaces an earlier one for the same id.
    pub(super) fn decide(&mut self, id: String, binding: OptionBinding, source: AssumptionSource) {
        self.decisions.retain(|known| known.id != id);
        self.decisions.push(DecisionMade { id, binding, source });
    }

    /// Decisions, oldest first.
    pub(super) fn decisions(&self) -> &[DecisionMade] {
        &self.decisions
    }

    /// Forgets decisions by their meaning.
    pub(super) fn forget(&mut self, unwanted: impl Fn(&OptionBinding) -> bool) {
        self.decisions.retain(|made| !unwanted(&made.binding));
    }

    /// Whether a clarification was decided.
    pub(super) fn is_decided(&self, id: &str) -> bool {
        self.decisions.iter().any(|known| known.id == id)
    }

    /// Records a clarification, so that its answer can be changed later.
    pub(super) fn see(&mut self, clarification: &Clarification) {
        self.seen.insert(clarification.id.clone(), clarification.clone());
    }
}
