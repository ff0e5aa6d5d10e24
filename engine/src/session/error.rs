//! Misuse of a session: events that do not fit, and inputs that cannot be read.

use thiserror::Error;

use crate::text::Span;

/// Why a step was refused; the session is as it was before.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// An answer is not among the options, or does not fit the kind of clarification.
    #[error("answer does not fit clarification {clarification_id}: {reason}")]
    InvalidAnswer {
        /// Clarification it was given for.
        clarification_id: String,
        /// What does not fit.
        reason: String,
    },
    /// `today` is not a calendar date.
    #[error("today is not a date of the form yyyy-mm-dd: {0}")]
    InvalidToday(String),
    /// The question holds no word.
    #[error("question is empty")]
    QuestionEmpty,
    /// The question is longer than the setting allows.
    #[error("question is {bytes} bytes long, at most {limit} are read")]
    QuestionTooLong {
        /// Its length.
        bytes: usize,
        /// Largest length.
        limit: u32,
    },
    /// Words that were entered cannot be read.
    #[error("“{text}” is not taken: {reason}")]
    InvalidWords {
        /// Stable code of what is wrong.
        code: &'static str,
        /// Clarification they were entered for; none for a correction.
        clarification_id: Option<String>,
        /// The words.
        text: String,
        /// What is wrong.
        reason: String,
        /// Place in the words.
        span: Option<Span>,
        /// What may help.
        hint: Box<str>,
    },
    /// The question was corrected as often as it may be.
    #[error("a question is corrected at most {limit} times")]
    TooManyCorrections {
        /// Most corrections.
        limit: usize,
    },
    /// The event does not fit the state.
    #[error("event {event} does not fit state {state}")]
    UnexpectedEvent {
        /// The event.
        event: &'static str,
        /// The state.
        state: &'static str,
    },
    /// No open clarification or assumption has this id.
    #[error("clarification is unknown: {0}")]
    UnknownClarification(String),
    /// No pending effect has this id: it is late or was never asked for.
    #[error("effect is unknown or was answered already: {0}")]
    UnknownEffect(u32),
}

impl StepError {
    /// Stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidAnswer { .. } => "invalid_answer",
            Self::InvalidToday(_) => "invalid_today",
            Self::InvalidWords { code, .. } => code,
            Self::QuestionEmpty => "question_empty",
            Self::QuestionTooLong { .. } => "question_too_long",
            Self::TooManyCorrections { .. } => "too_many_corrections",
            Self::UnexpectedEvent { .. } => "unexpected_event",
            Self::UnknownClarification(_) => "unknown_clarification",
            Self::UnknownEffect(_) => "unknown_effect",
        }
    }
}

/// Why a snapshot was refused.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// It was written by a later version.
    #[error("snapshot has version {found}, at most {supported} is read")]
    Newer {
        /// Its version.
        found: u32,
        /// Newest version read.
        supported: u32,
    },
    /// It is not a snapshot.
    #[error("snapshot cannot be read: {0}")]
    Unreadable(String),
}
