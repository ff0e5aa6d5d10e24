//! SQLite files, opened read-only with everything but reading switched off.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use tokio::sync::Semaphore;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_engine::session::ResultSet;
use wherefore_engine::sql::CheckedSql;
use wherefore_engine::sql::Dialect;

use super::limits::CappedResult;
use super::sqlite_authorizer::Scope;
use super::{Database, DatabaseError, RunLimits, like_literal, quoted, quoted_table, sqlite_rows};
use crate::catalog::sqlite as introspection;

/// Longest wait for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// Longest time of a search for stored values.
const SEARCH: Duration = Duration::from_secs(2);
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
}

#[derive(Debug)]
struct Pooled {
    connection: Connection,
    file: FileIdentity,
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
        }
    }

    /// Runs work on a connection of the pool, on a thread that may block.
    async fn with_connection<T: Send + 'static>(
        &self,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let permit = tokio::time::timeout(WAIT, Arc::clone(&self.permits).acquire_owned())
            .await
            .map_err(|_| DatabaseError::Busy)?
            .map_err(|_| DatabaseError::Busy)?;
        let watch = Watch::new(budget);
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let (path, idle) = (self.path.clone(), Arc::clone(&self.idle));
        let scope = Arc::clone(&self.scope.read().unwrap_or_else(PoisonError::into_inner));
        let result = tokio::task::spawn_blocking(move || {
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
        })
        .await;
        drop(cancel);
        result.unwrap_or_else(|error| Err(DatabaseError::Unavailable(error.to_string())))
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
        Ok(catalog)
    }

    async fn run(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ResultSet, DatabaseError> {
        let sql = statement.sql().to_owned();
        self.with_connection(limits.timeout, move |connection| {
            rows(connection, &sql, limits).map_err(|error| match error {
                RunError::Capped(error) => error,
                RunError::Sqlite(error) => failure(&error, limits.timeout),
            })
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

enum RunError {
    Capped(DatabaseError),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for RunError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn rows(connection: &Connection, sql: &str, limits: RunLimits) -> Result<ResultSet, RunError> {
    let start = Instant::now();
    let mut statement = connection.prepare(sql)?;
    if !statement.readonly() {
        return Err(RunError::Capped(DatabaseError::Refused("it is not read-only".into())));
    }
    let columns = sqlite_rows::columns(&statement);
    let mut result = CappedResult::new(columns.clone(), limits).map_err(RunError::Capped)?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        if !result.push(sqlite_rows::cells(row, &columns)?) {
            break;
        }
    }
    sqlite_rows::refine_types(result.result_mut());
    Ok(result.finish(start.elapsed()))
}

/// A connection of the pool, or a new one where the file was replaced since.
fn take(path: &Path, idle: &Mutex<Vec<Pooled>>) -> Result<Pooled, DatabaseError> {
    let file = FileIdentity::of(path)?;
    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
    idle.retain(|pooled| pooled.file == file);
    let pooled = idle.pop();
    drop(idle);
    pooled.map_or_else(|| open(path), Ok)
}

fn open(path: &Path) -> Result<Pooled, DatabaseError> {
    let file = FileIdentity::of(path)?;
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .and_then(|connection| lock_down(&connection).map(|()| connection))
    .map_err(|error| failure(&error, WAIT))?;
    Ok(Pooled { connection, file })
}

fn lock_down(connection: &Connection) -> rusqlite::Result<()> {
    for (option, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(option, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1_000_000),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 32 * 1024),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.busy_timeout(Duration::from_secs(2))?;
    connection.pragma_update(None, "query_only", true)
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

/// Tells a file from another that took its place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct FileIdentity(u64, u64);

impl FileIdentity {
    fn of(path: &Path) -> Result<Self, DatabaseError> {
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::PermissionDenied => {
                DatabaseError::PermissionDenied(format!("{} cannot be read", path.display()))
            }
            _ => DatabaseError::Unavailable(format!("{}: {}", path.display(), error.kind())),
        })?;
        if !metadata.is_file() {
            return Err(DatabaseError::Unavailable(format!("{} is not a file", path.display())));
        }
        Ok(Self::from_metadata(&metadata))
    }

    #[cfg(unix)]
    fn from_metadata(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    fn from_metadata(metadata: &Metadata) -> Self {
        let created = metadata.created().ok();
        let age = created.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        Self(age.map_or(0, |age| age.as_secs()), 0)
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::Catalog;

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
        let sql = sql.to_owned();
        let limits = RunLimits { timeout: Duration::from_secs(1), ..RunLimits::default() };
        database
            .with_connection(limits.timeout, move |connection| {
                rows(connection, &sql, limits).map_err(|error| match error {
                    RunError::Capped(error) => error,
                    RunError::Sqlite(error) => failure(&error, limits.timeout),
                })
            })
            .await
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
