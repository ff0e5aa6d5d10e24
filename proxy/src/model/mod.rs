//! Client of a language model: any endpoint with `OpenAI`'s chat completions API.

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

use crate::problem::ProblemCode;

/// A language model at a configured address. Prompts are rendered by the engine from typed tasks, never taken from a
/// client.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// Name for readiness and traces, without key and address.
    fn name(&self) -> &str;

    /// Completion of a rendered prompt. Dropping the future cancels the request.
    async fn complete(&self, prompt: &Prompt) -> Result<Completion, ModelError>;

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

/// Why there is no completion. Messages of the server are never passed on.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The server is overloaded.
    #[error("the model is busy")]
    Busy {
        /// Value of `Retry-After`, if any.
        retry_after: Option<Duration>,
    },
    /// The server rejected the request.
    #[error("the model server rejected the request with status {status}: {hint}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// Probable cause.
        hint: &'static str,
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
            Self::Refused { .. } => ProblemCode::RefusedByModel,
            Self::TooLarge { .. } => ProblemCode::ModelAnswerTooLarge,
            Self::TimedOut { .. } => ProblemCode::ModelTimeout,
            Self::Unavailable(_) => ProblemCode::ModelUnavailable,
        }
    }
}
