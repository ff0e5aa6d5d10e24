//! Support for tests that span crates: the real proxy as a process, temporary PostgreSQL and MariaDB
//! servers, a database copier.

pub mod copy;
pub mod expect;
pub mod mariadb;
pub mod orders;
pub mod package;
pub mod postgres;
pub mod proxy;
pub mod recordings;
pub mod sessions;
mod system;
pub mod workspace;

/// Error of a test helper.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
