//! What a host tells a session.

use serde::{Deserialize, Serialize};

use super::{Correction, ResultSet, ValueSearch};
use crate::clarification::ClarificationAnswer;
use crate::writing::Written;

/// An event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Answers to open clarifications, one or several.
    Answer {
        /// The answers.
        answers: Vec<ClarificationAnswer>,
    },
    /// A question; it starts the session anew.
    Ask {
        /// The question as typed.
        text: String,
        /// The asker's calendar date, `yyyy-mm-dd`.
        today: String,
        /// Ask nothing back: every ambiguity takes its best option.
        #[serde(default)]
        skip_clarification: bool,
    },
    /// The asker gave up; pending effects are forgotten.
    Cancel,
    /// A changed answer, or another choice for an assumption; the question is read again from there.
    Change {
        /// The new answer, naming the clarification or assumption by its id.
        answer: ClarificationAnswer,
    },
    /// What was meant instead; the question is read again under it.
    Correct {
        /// The correction.
        correction: Correction,
    },
    /// The result of an effect.
    EffectResult {
        /// Id of the effect.
        effect_id: u32,
        /// What came of it.
        result: EffectResult,
    },
    /// The choice made for a clarification is to be remembered at once.
    Remember {
        /// Its id.
        clarification_id: String,
    },
    /// The last run once more, after an execution failure.
    Retry,
}

/// What came of an effect.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EffectResult {
    /// It failed.
    Failed {
        /// How.
        failure: ExecutionFailure,
    },
    /// Rows of a statement.
    Rows {
        /// The rows.
        rows: ResultSet,
    },
    /// Stored values found.
    Values {
        /// One entry for each search, in order.
        found: Vec<FoundValues>,
    },
    /// What a model wrote.
    Written {
        /// A statement, questions, or why there is neither.
        written: Box<Written>,
    },
}

/// Values found by one search.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FoundValues {
    /// The search.
    pub search: ValueSearch,
    /// Values as stored, best first.
    pub values: Vec<String>,
}

/// Why an effect failed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ExecutionFailure {
    /// Stable code, such as `database_unavailable` or `statement_timeout`.
    pub code: String,
    /// One sentence for a person.
    pub message: String,
    /// Whether the same statement may succeed later.
    #[serde(default)]
    pub retryable: bool,
}
