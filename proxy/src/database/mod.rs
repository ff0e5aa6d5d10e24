//! Data sources: what can be read from them, and how they fail.

mod arrow;
mod limits;
mod login;
pub mod postgres;
pub mod sqlite;
mod stream;
mod unproven;

pub use limits::RunLimits;
pub use login::{LoginFinding, Severity};
pub use stream::{ArrowStream, CellStream, Part, ResultStream, RunEnd};
pub use unproven::Unproven;

use std::time::Duration;

use async_trait::async_trait;
use thiserror::Error;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_engine::session::{ExecutionFailure, ResultSet};
use wherefore_engine::sql::CheckedSql;
use wherefore_engine::sql::Dialect;

/// A database that is only ever read.
///
/// Statements of questions come as [`CheckedSql`], which only the guard makes. Everything else that
/// reaches the database is a constant statement of this crate whose identifiers come from the catalog
/// and whose values are bound.
#[async_trait]
pub trait Database: Send + Sync {
    /// Dialect it speaks.
    fn dialect(&self) -> Dialect;

    /// Address without a password.
    fn address(&self) -> String;

    /// Tables, columns, keys and stored values.
    async fn read_catalog(&self) -> Result<Catalog, DatabaseError>;

    /// What the login may do beyond reading.
    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError>;

    /// What the database expects of a checked statement, cut after so many rows where they are given.
    ///
    /// The statement is planned and never run; planning may take 2 s.
    async fn plan(&self, statement: &CheckedSql, rows: Option<u32>) -> Result<Plan, DatabaseError>;

    /// Rows of a checked statement whose cost was looked at; see [`Database::cells`].
    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<CellStream, DatabaseError>;

    /// The same as Arrow batches; see [`Database::record_batches`].
    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ArrowStream, DatabaseError>;

    /// What the database expects of a checked statement.
    async fn explain(&self, statement: &CheckedSql) -> Result<Plan, DatabaseError> {
        self.plan(statement, None).await
    }

    /// Refuses a statement that the database expects to cost more than the limit.
    async fn admit(&self, statement: &CheckedSql, limits: RunLimits) -> Result<(), DatabaseError> {
        if limits.cost == 0 {
            return Ok(());
        }
        match self.plan(statement, Some(limits.rows)).await?.cost {
            Some(cost) if cost > limits.cost as f64 => {
                Err(DatabaseError::TooCostly { cost: cost as u64, limit: limits.cost })
            }
            _ => Ok(()),
        }
    }

    /// Rows of a checked statement, within the limits, as they come; dropping the stream cancels it.
    async fn cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<CellStream, DatabaseError> {
        self.admit(statement, limits).await?;
        self.open_cells(statement, limits).await
    }

    /// The same as Arrow batches, made of the database's own types.
    async fn record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ArrowStream, DatabaseError> {
        self.admit(statement, limits).await?;
        self.open_record_batches(statement, limits).await
    }

    /// All rows of a checked statement, within the limits; dropping the future cancels it.
    async fn run(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ResultSet, DatabaseError> {
        let mut result = self.cells(statement, limits).await?.collect().await?;
        if self.dialect() == Dialect::Sqlite {
            sqlite::refine_types(&mut result.columns, &result.rows);
        }
        Ok(result)
    }

    /// Distinct stored values of a column in ascending order, at most this many, read within this time.
    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
    ) -> Result<Vec<String>, DatabaseError>;

    /// Stored values of a column that contain the text, ignoring case; those that start with it come first.
    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
    ) -> Result<Vec<String>, DatabaseError>;

    /// Whether it can be reached now.
    async fn ping(&self) -> Result<(), DatabaseError>;

    /// Connections that work now.
    fn connections_in_use(&self) -> u32 {
        0
    }
}

/// What a database expects of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    /// Cost in the database's own units (PostgreSQL: about one page read in sequence; SQLite: one row visited); none
    /// where it cannot tell.
    pub cost: Option<f64>,
    /// Rows of the result, where it can tell.
    pub rows: Option<f64>,
}

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
        /// Most columns.
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
        /// Seconds it was given.
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
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy => "database_busy",
            Self::Columns { .. } => "too_many_columns",
            Self::NoTables(_) => "no_tables",
            Self::PermissionDenied(_) => "permission_denied",
            Self::Refused(_) => "statement_refused",
            Self::Statement(_) => "statement_failed",
            Self::Timeout { .. } => "statement_timeout",
            Self::TooCostly { .. } => "statement_too_costly",
            Self::Unavailable(_) => "database_unavailable",
        }
    }

    /// Whether the same statement may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy | Self::Timeout { .. } | Self::Unavailable(_))
    }
}

impl From<DatabaseError> for ExecutionFailure {
    fn from(error: DatabaseError) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.to_string(),
            retryable: error.is_retryable(),
        }
    }
}

/// An identifier in double quotes, which both dialects read as a name and nothing else.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\0', "").replace('"', "\"\""))
}

/// A table's name with its schema, quoted.
pub(crate) fn quoted_table(schema: Option<&str>, name: &str) -> String {
    match schema {
        Some(schema) => format!("{}.{}", quoted(schema), quoted(name)),
        None => quoted(name),
    }
}

/// A text in which LIKE's wildcards stand for themselves, with `\` as the escape character.
pub(crate) fn like_literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
