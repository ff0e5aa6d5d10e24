//! Events: input of a session.

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
    /// A question; it restarts the session.
    Ask {
        /// The question as typed.
        text: String,
        /// The user's calendar date, `yyyy-mm-dd`.
        today: String,
        /// Ask no clarifications; every ambiguity takes its best option.
        #[serde(default)]
        skip_clarification: bool,
    },
    /// The user cancelled; results of pending effects will be rejected.
    Cancel,
    /// A different answer to an answered clarification or an assumption; the question is read again with it.
    Change {
        /// The new answer, with the id of the clarification or assumption.
        answer: ClarificationAnswer,
    },
    /// A correction; the question is read again with it.
    Correct {
        /// The correction.
        correction: Correction,
    },
    /// The result of an effect.
    EffectResult {
        /// Id of the effect.
        effect_id: u32,
        /// The result.
        result: EffectResult,
    },
    /// Apply the choice for a clarification from now on, even if it was made only once.
    Remember {
        /// Id of the clarification.
        clarification_id: String,
    },
    /// Repeat the last effect after the data source or the model failed.
    Retry,
}

/// The result of an effect.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EffectResult {
    /// The effect failed.
    Failed {
        /// The failure.
        failure: ExecutionFailure,
    },
    /// Rows of a statement.
    Rows {
        /// The rows.
        rows: ResultSet,
    },
    /// Stored values that were found.
    Values {
        /// One entry per search, in order.
        found: Vec<FoundValues>,
    },
    /// Reply of a model.
    Written {
        /// A statement, questions, or the reason why there is neither.
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
    /// Stable error code, such as `database_unavailable` or `statement_timeout`.
    pub code: String,
    /// One sentence for users.
    pub message: String,
    /// Whether a retry may succeed.
    #[serde(default)]
    pub retryable: bool,
}
