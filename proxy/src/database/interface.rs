//! Interface of databases, which are only read.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_engine::session::ResultSet;
use wherefore_sql::{CheckedSql, Dialect, ReadDialect};

use super::sqlite::refine_types;
use super::{ArrowStream, CellStream, DatabaseError, LoginFinding, RunLimits, Turn, contents};
use crate::rights::Rights;

/// A database that is only read.
///
/// Statements of questions are [`CheckedSql`], which only the guard creates. All other statements are constants of this
/// crate, with identifiers from the catalog and bound values.
///
/// A statement holds a clone of the turn it is given for as long as it uses a connection, even if its caller goes away
/// before the database has ended it. Without a turn it is one of the proxy's own.
#[async_trait]
pub trait Database: Send + Sync {
    /// SQL dialect of the statements that it takes.
    fn dialect(&self) -> Dialect;

    /// Address without a password.
    fn address(&self) -> String;

    /// Tables, columns and keys, with the numbers of rows that the database estimates; and also what the tables hold,
    /// unless [`Database::reads_contents_apart`].
    async fn read_structure(&self) -> Result<Catalog, DatabaseError>;

    /// Whether what the tables hold is read by statements of its own.
    fn reads_contents_apart(&self) -> bool {
        false
    }

    /// Whether reading what the tables hold takes so long that nobody waits for it.
    fn reads_contents_late(&self) -> bool {
        false
    }

    /// Reads numbers of rows, ranges and listed values into tables of the catalog. What exceeds its time budget is left
    /// out. After an error the tables may be filled in part.
    async fn read_contents(
        &self,
        _tables: &mut [Table],
        _until: Instant,
    ) -> Result<(), DatabaseError> {
        Ok(())
    }

    /// Looks up the values of the first column of each pair in the second, as evidence of keys that are not declared. What
    /// exceeds its time budget is left out.
    async fn read_containments(
        &self,
        _catalog: &Catalog,
        _pairs: &[(ColumnRef, ColumnRef)],
        _until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        Ok(Vec::new())
    }

    /// The structure, and what the tables hold as far as it can be read within a minute.
    async fn read_catalog(&self) -> Result<Catalog, DatabaseError> {
        contents::read_catalog(self).await
    }

    /// Privileges of the login beyond reading.
    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError>;

    /// SQL dialect of the server.
    fn server_dialect(&self) -> ReadDialect {
        self.dialect().into()
    }

    /// Text of a checked statement in the dialect of the server, if it differs from that of the statement. An error says
    /// what the server cannot express.
    async fn native_sql(&self, _statement: &CheckedSql) -> Result<Option<String>, DatabaseError> {
        Ok(None)
    }

    /// Cost estimate of a checked statement, with the row limit of a run if it is to be run.
    ///
    /// The statement is planned and not run, with a timeout of 2 s.
    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError>;

    /// Rows of a checked statement whose cost was checked before; see [`Database::cells`].
    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError>;

    /// Like [`Database::open_cells`], as Arrow batches; see [`Database::record_batches`].
    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError>;

    /// Cost estimate of a checked statement.
    async fn explain(
        &self,
        statement: &CheckedSql,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        self.plan(statement, None, turn).await
    }

    /// Rejects a statement whose estimated cost or rows exceed a limit, or whose estimated rows the caller must accept.
    async fn admit(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<(), DatabaseError> {
        if limits.cost == 0 && limits.estimated_rows == 0 && limits.confirm_rows == 0 {
            return Ok(());
        }
        let exceeds = |estimate: f64, limit: u64| limit > 0 && estimate > limit as f64;
        let Plan { cost, largest, .. } = self.plan(statement, Some(limits), turn).await?;
        let cost = cost.filter(|cost| exceeds(*cost, limits.cost)).map(|cost| cost as u64);
        match (largest, cost) {
            (Some(LargestStep { rows, name: step }), _) if exceeds(rows, limits.estimated_rows) => {
                let (rows, limit) = (rows as u64, limits.estimated_rows);
                Err(DatabaseError::TooManyEstimatedRows { rows, limit, step })
            }
            (_, Some(cost)) => Err(DatabaseError::TooCostly { cost, limit: limits.cost }),
            (Some(LargestStep { rows, name: step }), None)
                if exceeds(rows, limits.confirm_rows) =>
            {
                let (rows, limit) = (rows as u64, limits.confirm_rows);
                Err(DatabaseError::EstimateNotAccepted { rows, limit, step })
            }
            _ => Ok(()),
        }
    }

    /// Stream of the rows of a checked statement, within the limits. Dropping the stream cancels the statement.
    async fn cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        self.admit(statement, limits, turn).await?;
        self.open_cells(statement, limits, turn).await
    }

    /// Like [`Database::cells`], as Arrow batches that are converted from the types of the database.
    async fn record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        self.admit(statement, limits, turn).await?;
        self.open_record_batches(statement, limits, turn).await
    }

    /// All rows of a checked statement, within the limits. Dropping the future cancels the statement.
    async fn run(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ResultSet, DatabaseError> {
        let mut result = self.cells(statement, limits, turn).await?.collect().await?;
        if self.dialect() == Dialect::Sqlite {
            refine_types(&mut result.columns, &result.rows);
        }
        Ok(result)
    }

    /// Distinct stored values of a column in ascending order, with a limit on their number and a timeout.
    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError>;

    /// Stored values of a column that contain a text, ignoring case; those that start with it come first.
    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError>;

    /// The same database, which reads only what these rights let a caller see; `None` if it knows no rights.
    fn with_rights(&self, _rights: &Rights) -> Option<Arc<dyn Database>> {
        None
    }

    /// Checks that the database is reachable.
    async fn ping(&self) -> Result<(), DatabaseError>;

    /// Number of connections in use.
    fn connections_in_use(&self) -> u32 {
        0
    }
}

/// Estimate of a statement by the planner of the database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Cost in units of the database, if known: in PostgreSQL and MySQL about one page read, in SQLite, in MariaDB
    /// before version 11, and in DuckDB, one row visited.
    pub cost: Option<f64>,
    /// Rows of the result, if known.
    pub rows: Option<f64>,
    /// The step with the most rows, if known.
    pub largest: Option<LargestStep>,
}

/// The step of a plan with the most rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LargestStep {
    /// Estimated number of rows that it yields.
    pub rows: f64,
    /// What it does, and to which table, in the words of the database.
    pub name: String,
}

impl LargestStep {
    /// The one with more rows; the first of two with as many.
    pub(super) fn or_larger(found: Option<Self>, rows: f64, name: impl FnOnce() -> String) -> Self {
        match found {
            Some(found) if found.rows >= rows => found,
            _ => Self { rows, name: name() },
        }
    }
}
