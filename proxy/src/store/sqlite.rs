//! Backend of the store in an SQLite file, which several processes on one machine can share.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, TransactionBehavior, params_from_iter};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::presence::{self, Presence};
use super::value::{Row, Statement, Value};
use super::{StoreError, migrations};

/// Maximum number of attempts of migrations, since other processes may be writing.
const TRIES: u32 = 100;
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);
/// Timeout of waiting for the write lock of another process.
const BUSY: Duration = Duration::from_secs(5);
/// Timeout of waiting for earlier operations of this process.
const WAIT: Duration = Duration::from_secs(5);
/// Timeout of an operation, which may wait for the write lock.
const RUN: Duration = Duration::from_secs(10);
/// Maximum number of operations that wait.
const WAITING: usize = 1_024;

/// The file.
#[derive(Clone, Debug)]
pub(super) struct Sqlite {
    connection: Arc<Mutex<Connection>>,
    /// Held by the operation that runs, so that those that wait occupy no threads.
    turn: Arc<Semaphore>,
    /// Places of operations that wait.
    waiting: Arc<Semaphore>,
    presence: Arc<Presence>,
}

impl Sqlite {
    /// Opens the file, creates it if it does not exist, and runs migrations.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let text = |error: rusqlite::Error| error.to_string();
        let _alone = alone(path)?;
        // Opened before SQLite opens it, and never closed before it.
        let file = File::options().create(true).read(true).append(true).open(path);
        let file = file.map_err(|error| error.to_string())?;
        let mut connection = Connection::open(path).map_err(text)?;
        prepare(&connection).map_err(text)?;
        back_up(&connection, path)?;
        migrate(&mut connection)?;
        presence::mark(&connection).map_err(text)?;
        let presence = Presence::of(path, file, &connection).map_err(|error| error.to_string())?;
        Ok(Self {
            connection: Arc::new(Mutex::new(connection)),
            turn: Arc::new(Semaphore::new(1)),
            waiting: Arc::new(Semaphore::new(WAITING)),
            presence: Arc::new(presence),
        })
    }

    /// Rows of a statement.
    pub(super) async fn query(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        self.with(move |connection| {
            let mut prepared = connection.prepare_cached(&numbered(statement.sql))?;
            let columns = prepared.column_count();
            let mut rows = prepared.query(params_from_iter(&statement.values))?;
            let mut read = Vec::new();
            while let Some(row) = rows.next()? {
                let cells = (0..columns).map(|column| row.get_ref(column).map(value));
                read.push(Row(cells.collect::<rusqlite::Result<_>>()?));
            }
            Ok(read)
        })
        .await
    }

    /// Runs statements in one transaction, and returns the number of changed rows of each.
    pub(super) async fn change(&self, statements: Vec<Statement>) -> Result<Vec<u64>, StoreError> {
        self.with(move |connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut changed = Vec::with_capacity(statements.len());
            for statement in &statements {
                let mut prepared = transaction.prepare_cached(&numbered(statement.sql))?;
                changed.push(prepared.execute(params_from_iter(&statement.values))? as u64);
            }
            transaction.commit()?;
            Ok(changed)
        })
        .await
    }

    /// Runs a closure with the connection, after earlier operations.
    ///
    /// An operation that takes too long fails, but may still be carried out.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = self.waiting.try_acquire().map_err(|_| failed("too many operations wait"))?;
        let turn = timeout(WAIT, Arc::clone(&self.turn).acquire_owned()).await;
        let turn = turn.map_err(|_| failed("earlier operations took too long"))?;
        drop(place);
        let (connection, presence) = (Arc::clone(&self.connection), Arc::clone(&self.presence));
        let working = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let vanished = |error: std::io::Error| StoreError::Failed(error.to_string());
            presence.check().map_err(vanished)?;
            let result =
                work(&mut connection).map_err(|error| StoreError::Failed(error.to_string()))?;
            // What was written to a file that vanished meanwhile must not be acknowledged.
            presence.check().map_err(vanished)?;
            Ok(result)
        });
        let worked = timeout(RUN, working).await;
        worked
            .map_err(|_| failed("it did not respond in time"))?
            .map_err(|error| StoreError::Failed(error.to_string()))?
    }
}

fn failed(reason: &str) -> StoreError {
    StoreError::Failed(reason.to_owned())
}

/// Rewrites parameters to `?1` for SQLite. Statements of the store contain no other dollar sign.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

fn value(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Text(None),
        ValueRef::Integer(number) => Value::Integer(Some(number)),
        ValueRef::Real(number) => Value::Integer(Some(number as i64)),
        ValueRef::Text(text) => Value::Text(Some(String::from_utf8_lossy(text).into_owned())),
        ValueRef::Blob(bytes) => Value::Bytes(Some(bytes.to_owned())),
    }
}

/// Acquires a file lock for migrations, held until the returned file is dropped.
///
/// The lock is on a separate file, since closing the file of the store would release SQLite's own locks on it.
fn alone(path: &Path) -> Result<File, String> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = File::options().create(true).append(true).open(&name);
    let file = file.map_err(|error| format!("cannot open the lock file: {error}"))?;
    file.lock().map_err(|error| format!("cannot lock the lock file: {error}"))?;
    Ok(file)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")
}

/// Backs up a file with an older schema before migrations.
fn back_up(connection: &Connection, path: &Path) -> Result<(), String> {
    let newest = migrations::NEWEST;
    let known = connection
        .query_row("SELECT max(version) FROM refinery_schema_history", (), |row| {
            row.get::<_, Option<u32>>(0)
        })
        .ok()
        .flatten();
    let Some(known) = known.filter(|known| *known < newest) else { return Ok(()) };
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".v{known}"));
    if Path::new(&copy).exists() {
        return Ok(());
    }
    let name = copy.to_string_lossy().into_owned();
    connection
        .execute("VACUUM INTO ?1", [&name])
        .map_err(|error| format!("cannot back up the store before the migration: {error}"))?;
    tracing::info!(copy = name, "backed up the store before the migration");
    Ok(())
}

fn migrate(connection: &mut Connection) -> Result<(), String> {
    let runner = migrations::sqlite().map_err(|error| error.to_string())?;
    let mut failure = String::new();
    for _ in 0..TRIES {
        match runner.run(connection) {
            Ok(_) => return Ok(()),
            Err(error) => match error.kind() {
                refinery::error::Kind::Connection(..) => failure = error.to_string(),
                _ => return Err(error.to_string()),
            },
        }
        std::thread::sleep(PAUSE);
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn operations_wait_for_a_time_and_up_to_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("store.sqlite")).unwrap();
        let outcome = async || {
            let rows = store.query(Statement::new("SELECT id FROM sessions", [])).await;
            rows.map_or_else(|error| error.to_string(), |rows| format!("{} rows", rows.len()))
        };
        let turn = store.turn.acquire().await.unwrap();
        assert_eq!(outcome().await, "store failed: earlier operations took too long");
        drop(turn);
        let places = store.waiting.acquire_many(WAITING as u32).await.unwrap();
        assert_eq!(outcome().await, "store failed: too many operations wait");
        drop(places);
        assert_eq!(outcome().await, "0 rows");
    }
}
