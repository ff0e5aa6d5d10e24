//! Validates a question and its date.

use super::StepError;
use crate::day::{self, Date};
use crate::engine::Engine;

/// Rejects a text without words, or longer than the setting allows.
pub(super) fn check_question(engine: &Engine, text: &str) -> Result<(), StepError> {
    let limit = engine.settings().question_bytes;
    if text.len() > limit as usize {
        return Err(StepError::QuestionTooLong { bytes: text.len(), limit });
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Err(StepError::QuestionEmpty);
    }
    Ok(())
}

/// Parses a calendar date `yyyy-mm-dd`.
pub(super) fn date(today: &str) -> Result<Date, StepError> {
    day::parse(today).ok_or_else(|| StepError::InvalidToday(today.to_owned()))
}
