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
    /// The statement was not run, because the caller has not accepted the estimated rows of a step of its plan.
    #[error(
        "a step of the statement, {step}, is estimated at {rows} rows, more than the {limit} that run without asking: \
         ask for a shorter period, fewer tables or fewer rows, or send the request again with `accept_estimate: true`"
    )]
    EstimateNotAccepted {
        /// Estimated rows of the step.
        rows: u64,
        /// Number of estimated rows that run without asking.
        limit: u64,
        /// The step, in the words of the database.
        step: String,
    },
    /// The database has no tables.
    #[error("the database has no tables: {0}")]
    NoTables(String),
    /// An earlier statement of the same owner was cancelled, but its backend still runs it.
    #[error(
        "an earlier statement of this user still runs in the database although it was cancelled; new ones are refused \
         until it has ended"
    )]
    Overdue,
    /// The login lacks the privilege to read.
    #[error("permission denied: {0}")]
    PermissionDenied(String),
    /// The database rejected the statement: the authorizer of SQLite, or a read-only transaction.
    #[error("the statement was refused: {0}")]
    Refused(String),
    /// The statement failed.
    #[error("the statement failed: {message}")]
    Statement {
        /// Message of the database.
        message: String,
        /// Byte offset of the error in the text that was sent, if the database gives one.
        position: Option<usize>,
    },
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
    /// The statement was not run, because the estimated rows of a step of its plan exceed the limit.
    #[error(
        "a step of the statement, {step}, is estimated at {rows} rows; at most {limit} are allowed: ask for a shorter \
         period, fewer tables or fewer rows"
    )]
    TooManyEstimatedRows {
        /// Estimated rows of the step.
        rows: u64,
        /// Maximum number of estimated rows.
        limit: u64,
        /// The step, in the words of the database.
        step: String,
    },
    /// The database cannot be reached, or has closed the connection.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// A file of the data source cannot be read as a table.
    #[error("{0}")]
    UnreadableFile(String),
}

impl DatabaseError {
    /// Failure of a statement at no known position.
    pub(crate) fn statement(message: impl Into<String>) -> Self {
        Self::Statement { message: message.into(), position: None }
    }

    /// The error with its position relative to the statement, which the text that was sent contains.
    pub(super) fn within(self, sent: &str, sql: &str) -> Self {
        match self {
            Self::Statement { message, position } => {
                let start = sent.find(sql);
                let position = start.and_then(|start| position?.checked_sub(start));
                Self::Statement { message, position: position.filter(|at| *at <= sql.len()) }
            }
            other => other,
        }
    }

    /// The problem with the estimate for which the statement was not run, if that is the reason.
    pub(crate) fn with_estimate(&self, problem: Problem) -> Problem {
        let (rows, limit, step, name) = match self {
            Self::EstimateNotAccepted { rows, limit, step } => {
                (rows, limit, step, "confirm_estimated_rows")
            }
            Self::TooManyEstimatedRows { rows, limit, step } => {
                (rows, limit, step, "max_estimated_rows")
            }
            _ => return problem,
        };
        problem.with("estimated_rows", *rows).with(name, *limit).with("plan_step", step.clone())
    }

    /// Stable code.
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::Busy => ProblemCode::DatabaseBusy,
            Self::Columns { .. } => ProblemCode::TooManyColumns,
            Self::EstimateNotAccepted { .. } => ProblemCode::EstimateNotAccepted,
            Self::NoTables(_) => ProblemCode::NoTables,
            Self::Overdue => ProblemCode::StatementOverdue,
            Self::PermissionDenied(_) => ProblemCode::PermissionDenied,
            Self::Refused(_) => ProblemCode::StatementRefused,
            Self::Statement { .. } => ProblemCode::StatementFailed,
            Self::Timeout { .. } => ProblemCode::StatementTimeout,
            Self::TooCostly { .. } => ProblemCode::StatementTooCostly,
            Self::TooManyEstimatedRows { .. } => ProblemCode::TooManyEstimatedRows,
            Self::Unavailable(_) => ProblemCode::DatabaseUnavailable,
            Self::UnreadableFile(_) => ProblemCode::UnreadableFile,
        }
    }

    /// Whether the error concerns the turns of one caller, and not the statement.
    pub(crate) fn is_of_caller(&self) -> bool {
        matches!(self, Self::Busy | Self::Overdue)
    }

    /// Whether the same statement may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy | Self::Overdue | Self::Timeout { .. } | Self::Unavailable(_))
    }
}

impl From<DatabaseError> for ExecutionFailure {
    fn from(error: DatabaseError) -> Self {
        error.code().failure(error.to_string(), error.is_retryable())
    }
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Self {
        let problem =
            Self::new(error.code(), error.to_string()).with("retryable", error.is_retryable());
        match &error {
            DatabaseError::Statement { position: Some(position), .. } => {
                problem.with("position", *position)
            }
            _ => error.with_estimate(problem),
        }
    }
}
