//! Tests that span crates, and what they share: the real proxy, a throw-away PostgreSQL, a copier between databases.

pub mod copy;
pub mod expect;
pub mod package;
pub mod postgres;
pub mod proxy;
pub mod sessions;
pub mod workspace;

/// What went wrong in a helper, for the person who reads the failure.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
