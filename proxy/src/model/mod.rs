//! Client of a language model: any endpoint with `OpenAI`'s chat completions API.

mod address;
mod breaker;
mod client;
mod embedding;
mod features;
mod options;
mod probe;
mod refusal;
mod retries;
mod stream;
mod wire;

pub use client::OpenAiModel;
pub use embedding::Embedder;
pub use options::ModelOptions;

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use thiserror::Error;
use wherefore_engine::writing::Prompt;

use crate::problem::ProblemCode;

/// A language model at a configured address. Prompts are rendered by the engine from typed tasks, never taken from a
/// client.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// Name for readiness and traces, without key and address.
    fn name(&self) -> &str;

    /// Completion of a rendered prompt. Dropping the future cancels the request.
    async fn complete(&self, prompt: &Prompt) -> Result<Completion, ModelError>;

    /// Context size with which prompts fit, in tokens of three bytes, if the server found a prompt too long.
    fn context_tokens(&self) -> Option<u32> {
        None
    }

    /// State of the circuit breaker; nothing is sent.
    fn health(&self) -> ModelHealth;

    /// Sends a short prompt to every model to check the configuration. Returns what works, or what to change.
    async fn probe(&self) -> Result<String, String>;
}

/// A completion.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Number of tokens used: the server's count, or an estimate of three bytes per token.
    pub tokens: u32,
}

/// Availability of a model.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelHealth {
    /// The model is presumed available.
    Ok,
    /// The circuit breaker is open after repeated failures.
    Resting,
    /// A single request is testing whether the model is available again.
    Probing,
}

/// Hint of a request that was rejected because the model does not exist.
const NO_SUCH_MODEL: &str = "the model does not exist";

/// Why there is no completion. The text of an error never contains the server's message; see [`ModelError::said`].
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The server is overloaded.
    #[error("the model is busy")]
    Busy {
        /// Value of `Retry-After`, if any.
        retry_after: Option<Duration>,
    },
    /// The prompt does not fit the context of the model.
    #[error("the prompt is too long for the model")]
    PromptTooLong {
        /// Context size, in tokens of three bytes, with which a prompt for this task should fit.
        context_tokens: u32,
        /// The server's message.
        said: String,
    },
    /// The server rejected the request.
    #[error("the model server rejected the request with status {status}: {hint}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Probable cause.
        hint: &'static str,
        /// The server's message; empty if there is none.
        said: String,
    },
    /// The server reported an error after it had begun to respond.
    #[error("the model is unavailable: the server reported an error")]
    Reported {
        /// The server's message; empty if there is none.
        said: String,
    },
    /// The response exceeds the size limit.
    #[error("the answer of the model is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The request timed out.
    #[error("the model did not respond within {seconds} s")]
    TimedOut {
        /// Timeout in seconds.
        seconds: u64,
    },
    /// The server cannot be reached, or its response is malformed.
    #[error("the model is unavailable: {0}")]
    Unavailable(String),
}

impl ModelError {
    /// Stable code. Failures whose code starts with `model_` are transient.
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::Busy { .. } => ProblemCode::ModelBusy,
            Self::PromptTooLong { .. } => ProblemCode::PromptTooLong,
            Self::Refused { .. } => ProblemCode::RefusedByModel,
            Self::TooLarge { .. } => ProblemCode::ModelAnswerTooLarge,
            Self::TimedOut { .. } => ProblemCode::ModelTimeout,
            Self::Reported { .. } | Self::Unavailable(_) => ProblemCode::ModelUnavailable,
        }
    }

    /// The server's own message in one line, for traces; empty if there is none.
    pub fn said(&self) -> &str {
        match self {
            Self::PromptTooLong { said, .. }
            | Self::Refused { said, .. }
            | Self::Reported { said } => said,
            _ => "",
        }
    }

    /// Context size with which the prompt should fit, if it was too long.
    pub fn context_tokens(&self) -> Option<u32> {
        match self {
            Self::PromptTooLong { context_tokens, .. } => Some(*context_tokens),
            _ => None,
        }
    }
}
