//! Language models behind a fixed upstream: any endpoint that speaks `OpenAI`'s chat completions.

mod address;
mod breaker;
mod client;
mod options;
mod probe;
mod retries;
mod stream;
mod wire;

pub use client::OpenAiModel;
pub use options::ModelOptions;

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use thiserror::Error;
use wherefore_engine::writing::Prompt;

/// A language model behind a fixed upstream; prompts are rendered by the engine from typed tasks,
/// never taken from a client.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// Name shown in readiness and traces; it holds no key and no address.
    fn name(&self) -> &str;

    /// Text that completes a rendered prompt; dropping the future ends the request.
    async fn complete(&self, prompt: &Prompt) -> Result<Completion, ModelError>;

    /// Whether requests are let through now, and how the last ones went; nothing is sent.
    fn health(&self) -> ModelHealth;

    /// Asks every model for a word, to find mistakes of the configuration; tells what works, or what to do.
    async fn probe(&self) -> Result<String, String>;
}

/// What a model wrote.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Tokens that it took, as the server counts them, else estimated at three bytes each.
    pub tokens: u32,
}

/// Whether a model can be asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelHealth {
    /// It answers, as far as is known.
    Ok,
    /// It failed so often that it is left alone for a while.
    Resting,
    /// One request finds out whether it answers again.
    Probing,
}

/// Why a model gave no text; the server's own words are never passed on.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The server has too much to do.
    #[error("the model is busy")]
    Busy {
        /// When it may be asked again, where it says so.
        retry_after: Option<Duration>,
    },
    /// The server does not take the request.
    #[error("the model's server refuses the request with status {status}: {hint}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// What is probably wrong.
        hint: &'static str,
    },
    /// The answer is larger than is read.
    #[error("the model's answer is larger than {limit} bytes")]
    TooLarge {
        /// Most bytes that are read.
        limit: usize,
    },
    /// It took too long.
    #[error("the model did not answer within {seconds} s")]
    TimedOut {
        /// Seconds it was given.
        seconds: u64,
    },
    /// It cannot be reached, or what it sent is no answer.
    #[error("the model is unavailable: {0}")]
    Unavailable(String),
}

impl ModelError {
    /// Stable code; those that start with `model_` may go away by themselves.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "model_busy",
            Self::Refused { .. } => "refused_by_model",
            Self::TooLarge { .. } => "model_answer_too_large",
            Self::TimedOut { .. } => "model_timeout",
            Self::Unavailable(_) => "model_unavailable",
        }
    }
}
