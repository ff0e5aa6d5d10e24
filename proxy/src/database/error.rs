//! Errors of databases.

use thiserror::Error;
use wherefore_engine::session::ExecutionFailure;

use crate::problem::{Problem, ProblemCode};

/// An error of a database.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DatabaseError {
    /// All connections are in use.
    #[error("the database is busy: all connections are in use")]
    Busy,
    /// The result has more columns than the limit allows.
    #[error("the result has {found} columns; at most {limit} are allowed")]
    Columns {
        /// Columns of the statement.
        found: usize,
        /// Maximum number of columns.
        limit: usize,
    },
    /// The database has no tables.
    #[error("the database has no tables: {0}")]
    NoTables(String),
    /// The login lacks the privilege to read.
    #[error("permission denied: {0}")]
    PermissionDenied(String),
    /// The database rejected the statement: the authorizer of SQLite, or a read-only transaction.
    #[error("the statement was refused: {0}")]
    Refused(String),
    /// The statement failed.
    #[error("the statement failed: {0}")]
    Statement(String),
    /// The statement exceeded its timeout and was cancelled.
    #[error("the statement was cancelled after {seconds} s")]
    Timeout {
        /// Timeout in seconds.
        seconds: u64,
    },
    /// The statement was not run, because its estimated cost exceeds the limit.
    #[error(
        "the estimated cost of the statement is {cost}; at most {limit} is allowed: ask for a shorter period, fewer \
         tables or fewer rows"
    )]
    TooCostly {
        /// Cost in the database's own units.
        cost: u64,
        /// Maximum allowed cost.
        limit: u64,
    },
    /// The database cannot be reached, or has closed the connection.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
}

impl DatabaseError {
    /// Stable code.
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::Busy => ProblemCode::DatabaseBusy,
            Self::Columns { .. } => ProblemCode::TooManyColumns,
            Self::NoTables(_) => ProblemCode::NoTables,
            Self::PermissionDenied(_) => ProblemCode::PermissionDenied,
            Self::Refused(_) => ProblemCode::StatementRefused,
            Self::Statement(_) => ProblemCode::StatementFailed,
            Self::Timeout { .. } => ProblemCode::StatementTimeout,
            Self::TooCostly { .. } => ProblemCode::StatementTooCostly,
            Self::Unavailable(_) => ProblemCode::DatabaseUnavailable,
        }
    }

    /// Whether the same statement may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy | Self::Timeout { .. } | Self::Unavailable(_))
    }
}

impl From<DatabaseError> for ExecutionFailure {
    fn from(error: DatabaseError) -> Self {
        error.code().failure(error.to_string(), error.is_retryable())
    }
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Self {
        Self::new(error.code(), error.to_string()).with("retryable", error.is_retryable())
    }
}
