//! The language model: a seam. Nothing in the proxy needs one, and none is configured.

use std::fmt::Debug;

use async_trait::async_trait;
use thiserror::Error;

/// A language model behind a fixed upstream; prompts are rendered by the engine from typed tasks,
/// never taken from a client.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// Name shown in readiness and traces; it holds no key and no address.
    fn name(&self) -> &str;

    /// Text that completes a rendered prompt.
    async fn complete(&self, prompt: &str) -> Result<String, ModelError>;
}

/// Why a model gave no text.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// It did not answer in time, or not at all.
    #[error("model is unavailable: {0}")]
    Unavailable(String),
}
