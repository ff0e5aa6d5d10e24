//! How databases fail.

use thiserror::Error;
use wherefore_engine::session::ExecutionFailure;

use crate::problem::{Problem, ProblemCode};

/// How a database failed.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DatabaseError {
    /// Every connection is taken.
    #[error("database is busy: every connection is taken")]
    Busy,
    /// It gave more columns than are shown.
    #[error("result has {found} columns, at most {limit} are read")]
    Columns {
        /// Columns of the statement.
        found: usize,
        /// Maximum number of columns.
        limit: usize,
    },
    /// It holds no table.
    #[error("database has no tables: {0}")]
    NoTables(String),
    /// The login may not read what is asked for.
    #[error("permission denied: {0}")]
    PermissionDenied(String),
    /// The database's own second guard refused the statement.
    #[error("statement was refused: {0}")]
    Refused(String),
    /// The statement failed.
    #[error("statement failed: {0}")]
    Statement(String),
    /// The statement ran too long and was stopped.
    #[error("statement was stopped after {seconds} s")]
    Timeout {
        /// Timeout in seconds.
        seconds: u64,
    },
    /// The database expects the statement to cost too much; it was not run.
    #[error(
        "statement would cost about {cost}, and at most {limit} is allowed: ask for a shorter period, for fewer tables \
         or for fewer rows"
    )]
    TooCostly {
        /// Cost in the database's own units.
        cost: u64,
        /// Highest cost that is allowed.
        limit: u64,
    },
    /// It cannot be reached, or was closed meanwhile.
    #[error("database is unavailable: {0}")]
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
