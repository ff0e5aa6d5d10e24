//! Support for tests that span crates: the real proxy as a process, a temporary PostgreSQL, a database copier.

pub mod copy;
pub mod expect;
pub mod orders;
pub mod package;
pub mod postgres;
pub mod proxy;
pub mod recordings;
pub mod sessions;
pub mod workspace;

/// Error of a test helper.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
