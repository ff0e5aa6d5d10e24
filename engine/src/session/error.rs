//! Errors of a session: invalid events and unreadable snapshots.

use thiserror::Error;

use crate::failure::FailureCode;
use crate::text::Span;

/// Why an event was rejected; the session is unchanged.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The answer is not among the options, or has the wrong kind.
    #[error("answer does not fit clarification {clarification_id}: {reason}")]
    InvalidAnswer {
        /// Id of the clarification.
        clarification_id: String,
        /// What is wrong.
        reason: String,
    },
    /// `today` is not a calendar date.
    #[error("today is not a date of the form yyyy-mm-dd: {0}")]
    InvalidToday(String),
    /// The question contains no word.
    #[error("question is empty")]
    QuestionEmpty,
    /// The question is longer than the setting allows.
    #[error("question is {bytes} bytes long, at most {limit} are read")]
    QuestionTooLong {
        /// Length in bytes.
        bytes: usize,
        /// Maximum length in bytes.
        limit: u32,
    },
    /// Typed text cannot be understood.
    #[error("“{text}” is not taken: {reason}")]
    InvalidWords {
        /// Stable error code.
        code: FailureCode,
        /// Id of the clarification that the text answers; `None` for a correction.
        clarification_id: Option<String>,
        /// The text.
        text: String,
        /// What is wrong.
        reason: String,
        /// Span in the text.
        span: Option<Span>,
        /// Suggestion for the user.
        hint: Box<str>,
    },
    /// The question was corrected too often.
    #[error("a question is corrected at most {limit} times")]
    TooManyCorrections {
        /// Maximum number of corrections.
        limit: usize,
    },
    /// The event is not accepted in the current state.
    #[error("event {event} does not fit state {state}")]
    UnexpectedEvent {
        /// The event.
        event: &'static str,
        /// The state.
        state: &'static str,
    },
    /// There is no open clarification or assumption with this id.
    #[error("clarification is unknown: {0}")]
    UnknownClarification(String),
    /// No pending effect has this id: it was completed or cancelled, or never requested.
    #[error("effect is unknown or was answered already: {0}")]
    UnknownEffect(u32),
}

impl StepError {
    /// Stable error code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::InvalidAnswer { .. } => FailureCode::InvalidAnswer,
            Self::InvalidToday(_) => FailureCode::InvalidToday,
            Self::InvalidWords { code, .. } => *code,
            Self::QuestionEmpty => FailureCode::QuestionEmpty,
            Self::QuestionTooLong { .. } => FailureCode::QuestionTooLong,
            Self::TooManyCorrections { .. } => FailureCode::TooManyCorrections,
            Self::UnexpectedEvent { .. } => FailureCode::UnexpectedEvent,
            Self::UnknownClarification(_) => FailureCode::UnknownClarification,
            Self::UnknownEffect(_) => FailureCode::UnknownEffect,
        }
    }
}

/// Why a snapshot could not be read or written.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The snapshot was written by a newer version.
    #[error("snapshot has version {found}, at most {supported} is read")]
    Newer {
        /// Version of the snapshot.
        found: u32,
        /// Newest supported version.
        supported: u32,
    },
    /// The text is not a snapshot.
    #[error("snapshot cannot be read: {0}")]
    Unreadable(String),
    /// The session cannot be written as JSON.
    #[error("snapshot cannot be written: {0}")]
    Unwritable(String),
}

impl SnapshotError {
    /// Stable error code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Newer { .. } => FailureCode::SnapshotNewer,
            Self::Unreadable(_) => FailureCode::SnapshotUnreadable,
            Self::Unwritable(_) => FailureCode::SnapshotUnwritable,
        }
    }
}
