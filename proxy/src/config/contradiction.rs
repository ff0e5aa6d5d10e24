//! Error of options that contradict each other.

use thiserror::Error;

/// Options that contradict each other, or that require another one.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0}")]
pub struct Contradiction(String);

impl Contradiction {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}
