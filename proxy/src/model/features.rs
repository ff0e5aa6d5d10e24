//! What a model server supports of the API, as learned from its responses.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::wire::Dialect;

/// Time after which the full API is tried again: the server may have been replaced or updated.
const LEARNED_FOR: Duration = Duration::from_mins(10);

/// What was learned so far.
#[derive(Debug, Default)]
pub(super) struct Features(Mutex<Learned>);

#[derive(Debug, Default)]
struct Learned {
    /// Level of the API that the server accepted, and when it was first needed.
    level: Option<(usize, Instant)>,
    /// Context size with which prompts fit, in tokens of three bytes.
    context_tokens: Option<(u32, Instant)>,
    /// Maximum number of tokens of an answer, a quarter of the context that the server reported.
    answer_tokens: Option<(u32, Instant)>,
}

impl Features {
    /// Index in [`Dialect::ALL`] of the level to begin with.
    pub(super) fn level(&self) -> usize {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current(&mut learned.level).unwrap_or_default().min(Dialect::ALL.len() - 1)
    }

    /// Records the level of a request that succeeded.
    pub(super) fn accepted(&self, level: usize) {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if level > current(&mut learned.level).unwrap_or_default() {
            tracing::info!(level, "the model server supports only part of the API");
            learned.level = Some((level, Instant::now()));
        }
    }

    /// Context size with which prompts fit, in tokens of three bytes; `None` if every prompt fitted so far.
    pub(super) fn context_tokens(&self) -> Option<u32> {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current(&mut learned.context_tokens)
    }

    /// Records a context size with which a prompt should fit.
    pub(super) fn fits(&self, tokens: u32) {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if current(&mut learned.context_tokens).is_none_or(|known| tokens < known) {
            tracing::info!(tokens, "prompts are made smaller for the model server");
            learned.context_tokens = Some((tokens, Instant::now()));
        }
    }

    /// Maximum number of tokens of an answer to this prompt: no more than a quarter of the server's context.
    pub(super) fn answer_tokens(&self, wanted: u32) -> u32 {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        current(&mut learned.answer_tokens).map_or(wanted, |most| wanted.min(most))
    }

    /// Records the context of the server, in its own tokens.
    pub(super) fn has_context(&self, tokens: u32) {
        let mut learned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learned.answer_tokens = Some((tokens / 4, Instant::now()));
    }

    /// Forgets what was learned.
    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Learned::default();
    }
}

/// A learned value that is not too old; an older one is forgotten.
fn current<T: Copy>(learned: &mut Option<(T, Instant)>) -> Option<T> {
    *learned = learned.filter(|(_, since)| since.elapsed() < LEARNED_FOR);
    learned.map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_learned_is_tried_again_after_a_while() {
        let features = Features::default();
        assert_eq!((features.level(), features.context_tokens()), (0, None));
        features.accepted(2);
        features.accepted(1);
        features.fits(900);
        features.fits(1_200);
        features.has_context(2_000);
        assert_eq!((features.level(), features.context_tokens()), (2, Some(900)));
        assert_eq!((features.answer_tokens(1_500), features.answer_tokens(64)), (500, 64));
        tokio::time::advance(LEARNED_FOR).await;
        assert_eq!((features.level(), features.context_tokens()), (0, None));
        assert_eq!(features.answer_tokens(1_500), 1_500);
        features.accepted(1);
        features.forget();
        assert_eq!(features.level(), 0);
    }
}
