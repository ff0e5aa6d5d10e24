//! SQLite files, opened read-only with everything but reading switched off.

mod authorizer;
mod plan;
mod pool;
mod rows;
mod stream;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_engine::sql::CheckedSql;
use wherefore_engine::sql::Dialect;

use self::authorizer::Scope;
use self::pool::{FileIdentity, Pooled, open, take};
pub(crate) use self::rows::refine_types;
use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, like_literal,
    quoted, quoted_table,
};
use crate::catalog::sqlite as introspection;

/// Longest wait for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// Longest time of a search for stored values.
const SEARCH: Duration = Duration::from_secs(2);
/// Longest time that a statement may be planned.
const PLAN: Duration = Duration::from_secs(2);
/// Steps of SQLite's machine between two looks at the clock, about 0.1 ms.
const STEPS: i32 = 1_000;

/// An SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    connections: u32,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Pooled>>>,
    scope: RwLock<Arc<Scope>>,
    /// Rows of each table, by its name in lower case.
    sizes: RwLock<Arc<BTreeMap<String, f64>>>,
}

/// Stops a statement when its time is over, or when nobody waits for it.
#[derive(Debug)]
pub(crate) struct Watch {
    deadline: Mutex<Instant>,
    cancelled: AtomicBool,
}

impl Watch {
    fn new(budget: Duration) -> Arc<Self> {
        Arc::new(Self {
            deadline: Mutex::new(Instant::now() + budget),
            cancelled: AtomicBool::new(false),
        })
    }

    /// Gives the next statement this much time.
    pub(crate) fn allow(&self, budget: Duration) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + budget;
    }

    fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || Instant::now() > *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct CancelOnDrop(Arc<Watch>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Sqlite {
    /// The file at a path, read with at most this many connections; it is opened on first use.
    pub fn new(path: impl Into<PathBuf>, connections: u32) -> Self {
        Self {
            path: path.into(),
            connections: connections.max(1),
            permits: Arc::new(Semaphore::new(connections.max(1) as usize)),
            idle: Arc::default(),
            scope: RwLock::default(),
            sizes: RwLock::default(),
        }
    }

    /// Runs work on a connection of the pool, on a thread that may block.
    async fn with_connection<T: Send + 'static>(
        &self,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let watch = Watch::new(budget);
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let result = self.start(watch, budget, work).await?.await;
        drop(cancel);
        result.unwrap_or_else(|error| Err(DatabaseError::Unavailable(error.to_string())))
    }

    /// Starts work on a connection of the pool, on a thread that may block, once one is free.
    async fn start<T: Send + 'static>(
        &self,
        watch: Arc<Watch>,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<JoinHandle<Result<T, DatabaseError>>, DatabaseError> {
        let permit = tokio::time::timeout(WAIT, Arc::clone(&self.permits).acquire_owned())
            .await
            .map_err(|_| DatabaseError::Busy)?
            .map_err(|_| DatabaseError::Busy)?;
        let (path, idle) = (self.path.clone(), Arc::clone(&self.idle));
        let scope = Arc::clone(&self.scope.read().unwrap_or_else(PoisonError::into_inner));
        Ok(tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let mut pooled = take(&path, &idle)?;
            let connection = &mut pooled.connection;
            let allowed = Arc::clone(&scope);
            connection
                .authorizer(Some(move |context: rusqlite::hooks::AuthContext<'_>| {
                    allowed.decide(&context)
                }))
                .and_then(|()| connection.progress_handler(STEPS, Some(move || watch.is_over())))
                .map_err(|error| failure(&error, budget))?;
            let result = work(connection);
            let healthy = !matches!(result, Err(DatabaseError::Unavailable(_)));
            if healthy && connection.progress_handler(0, None::<fn() -> bool>).is_ok() {
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(pooled);
            }
            result
        }))
    }
}

#[async_trait]
impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn read_catalog(&self) -> Result<Catalog, DatabaseError> {
        let path = self.path.clone();
        let watch = Watch::new(Duration::from_secs(30));
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let read = tokio::task::spawn_blocking(move || {
            let mut connection = open(&path)?.connection;
            let clock = Arc::clone(&watch);
            connection
                .progress_handler(STEPS, Some(move || clock.is_over()))
                .map_err(|error| failure(&error, WAIT))?;
            introspection::read(&connection, &watch, &path)
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        drop(cancel);
        let (catalog, stored) = read?;
        *self.scope.write().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(Scope::new(&catalog, stored));
        let sizes = catalog
            .tables
            .iter()
            .filter_map(|table| Some((table.name.to_lowercase(), f64::from(table.row_estimate?))));
        *self.sizes.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sizes.collect());
        Ok(catalog)
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        let path = self.path.clone();
        let writable = tokio::task::spawn_blocking(move || {
            FileIdentity::of(&path)?;
            // Opening for writing writes nothing; it tells what modes and mounts together allow.
            let opened = std::fs::OpenOptions::new().append(true).open(&path);
            Ok(opened.is_ok().then(|| path.display().to_string()))
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))??;
        Ok(writable
            .and_then(|path| LoginFinding::new("file_is_writable", "", &[path]))
            .into_iter()
            .collect())
    }

    async fn plan(&self, statement: &CheckedSql, rows: Option<u32>) -> Result<Plan, DatabaseError> {
        let sizes = Arc::clone(&self.sizes.read().unwrap_or_else(PoisonError::into_inner));
        let statement = statement.clone();
        self.with_connection(PLAN, move |connection| {
            plan::read(connection, &statement, rows, &sizes).map_err(|error| failure(&error, PLAN))
        })
        .await
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<CellStream, DatabaseError> {
        stream::open(self, statement, limits, stream::Cells).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ArrowStream, DatabaseError> {
        stream::open(self, statement, limits, stream::Batches::default()).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
    ) -> Result<Vec<String>, DatabaseError> {
        let column = quoted(&column.name);
        let sql = format!(
            "SELECT DISTINCT CAST({column} AS TEXT) AS value FROM {} WHERE {column} IS NOT NULL ORDER BY value LIMIT ?1",
            quoted_table(table.schema.as_deref(), &table.name)
        );
        self.with_connection(budget, move |connection| {
            let list = || {
                let mut statement = connection.prepare(&sql)?;
                let values = statement.query_map((limit,), |row| row.get::<_, String>(0))?;
                values.collect::<rusqlite::Result<Vec<String>>>()
            };
            list().map_err(|error| failure(&error, budget))
        })
        .await
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
    ) -> Result<Vec<String>, DatabaseError> {
        let column = quoted(&column.name);
        let sql = format!(
            "SELECT DISTINCT CAST({column} AS TEXT) AS value FROM {} \
             WHERE {column} LIKE ?1 ESCAPE '\\' \
             ORDER BY value LIKE ?2 ESCAPE '\\' DESC, value LIMIT ?3",
            quoted_table(table.schema.as_deref(), &table.name)
        );
        let text = like_literal(text);
        self.with_connection(SEARCH, move |connection| {
            let search = || {
                let mut statement = connection.prepare(&sql)?;
                let rows = statement
                    .query_map((format!("%{text}%"), format!("{text}%"), limit), |row| {
                        row.get::<_, String>(0)
                    })?;
                rows.collect::<rusqlite::Result<Vec<String>>>()
            };
            search().map_err(|error| failure(&error, SEARCH))
        })
        .await
    }

    fn connections_in_use(&self) -> u32 {
        self.connections.saturating_sub(self.permits.available_permits() as u32)
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        let path = self.path.clone();
        tokio::task::spawn_blocking(move || {
            let connection = open(&path)?.connection;
            connection
                .query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))
                .map_err(|error| failure(&error, SEARCH))
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))?
    }
}

/// What a failure of SQLite means to the asker.
pub(crate) fn failure(error: &rusqlite::Error, budget: Duration) -> DatabaseError {
    let message = match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => {
            DatabaseError::Timeout { seconds: budget.as_secs().max(1) }
        }
        Some(ErrorCode::AuthorizationForStatementDenied) => DatabaseError::Refused(message),
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::NotADatabase
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure,
        ) => DatabaseError::Unavailable(message),
        _ if message.contains("not authorized") || message.contains("prohibited") => {
            DatabaseError::Refused(message)
        }
        _ => DatabaseError::Statement(message),
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::Catalog;
    use wherefore_engine::session::ResultSet;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a test's own statements")]
    fn file() -> (tempfile::TempDir, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        Connection::open(&path)
            .unwrap()
            .execute_batch(
                "CREATE TABLE seen (id); INSERT INTO seen VALUES (1); CREATE TABLE hidden (id);",
            )
            .unwrap();
        (folder, Sqlite::new(path, 1))
    }

    async fn run(database: &Sqlite, sql: &str) -> Result<ResultSet, DatabaseError> {
        let limits = RunLimits { timeout: Duration::from_secs(1), ..RunLimits::default() };
        stream::open_text(database, sql.to_owned(), limits, stream::Cells).await?.collect().await
    }

    #[tokio::test]
    async fn what_the_guard_would_miss_is_refused_by_the_database() {
        let (_folder, database) = file();
        let mut catalog = database.read_catalog().await.unwrap();
        catalog.tables.retain(|table| table.name == "seen");
        let stored = ["seen", "hidden"].map(str::to_owned);
        *database.scope.write().unwrap() = Arc::new(Scope::new(&catalog, stored));
        for sql in [
            "DELETE FROM seen",
            "INSERT INTO seen VALUES (2)",
            "CREATE TABLE more (id)",
            "ATTACH DATABASE ':memory:' AS other",
            "PRAGMA query_only = 0",
            "BEGIN",
            "SELECT load_extension('x')",
            "SELECT id FROM hidden",
            "SELECT name FROM sqlite_schema",
            "SELECT name FROM pragma_table_info('seen')",
            "SELECT sqlite_version()",
        ] {
            let error = run(&database, sql).await.unwrap_err();
            assert!(matches!(error, DatabaseError::Refused(_)), "{sql}: {error}");
        }
        for sql in [
            "SELECT id FROM seen",
            "WITH cte AS (SELECT id FROM seen) SELECT id FROM cte",
            "SELECT value FROM json_each('[1]')",
        ] {
            run(&database, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    }

    #[tokio::test]
    async fn a_statement_without_an_end_is_stopped_and_the_connection_goes_on() {
        let (_folder, database) = file();
        *database.scope.write().unwrap() = Arc::new(Scope::new(&Catalog::default(), []));
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
        assert_eq!(
            run(&database, endless).await.unwrap_err(),
            DatabaseError::Timeout { seconds: 1 }
        );
        run(&database, "SELECT 1").await.unwrap();
    }
}
