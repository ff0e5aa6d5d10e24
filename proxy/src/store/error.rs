//! Errors of the store.

use thiserror::Error;
use wherefore_engine::session::SnapshotError;
use wherefore_engine::writing::WritingError;

use crate::problem::{Problem, ProblemCode};

/// An error of the store.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be opened.
    #[error("cannot open store {address}: {reason}")]
    Open {
        /// Address without a password.
        address: String,
        /// The error.
        reason: String,
    },
    /// A statement failed.
    #[error("store failed: {0}")]
    Failed(String),
}

impl From<SnapshotError> for StoreError {
    fn from(error: SnapshotError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<WritingError> for StoreError {
    fn from(error: WritingError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "store failed");
        let detail = "the store is unavailable at the moment";
        Self::new(ProblemCode::StoreUnavailable, detail).with("retryable", true)
    }
}
