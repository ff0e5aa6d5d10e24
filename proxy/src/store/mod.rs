//! Sessions that wait for an answer, and memory, kept in an SQLite file that several proxies may share.

mod memory;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use refinery::{Migration, Runner};
use rusqlite::{Connection, OptionalExtension};
use thiserror::Error;

const MIGRATIONS: [(&str, &str); 2] = [
    ("V1__sessions", include_str!("migrations/V1__sessions.sql")),
    ("V2__memory", include_str!("migrations/V2__memory.sql")),
];
/// Time that an expired session is still known by its question.
const REMEMBERED: Duration = Duration::from_hours(24);
/// Tries of the migrations: another proxy may run them at the same time.
const TRIES: u32 = 20;

/// Why the store failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened.
    #[error("store {path} cannot be opened: {reason}")]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// A statement failed.
    #[error("store failed: {0}")]
    Failed(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A session as stored, by its clarification id.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StoredSession {
    /// It was answered before.
    Answered {
        /// The question.
        question: String,
    },
    /// It waited too long.
    Expired {
        /// The question.
        question: String,
    },
    /// It waits for an answer.
    Open {
        /// The session.
        snapshot: String,
        /// The question.
        question: String,
    },
}

/// The store.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens the file, makes it where it is missing, and brings its tables up to date.
    ///
    /// A file whose tables are newer than this program is refused.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |reason: String| StoreError::Open { path: path.to_owned(), reason };
        let mut connection = Connection::open(path).map_err(|error| failed(error.to_string()))?;
        prepare(&connection).map_err(|error| failed(error.to_string()))?;
        migrate(&mut connection).map_err(failed)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Keeps a session that waits for an answer, under a new id, for a time.
    pub async fn insert(
        &self,
        question: String,
        snapshot: String,
        lifetime: Duration,
    ) -> Result<String, StoreError> {
        let id = new_id()?;
        let row = (id.clone(), question, snapshot, now() + seconds(lifetime));
        self.with(move |connection| {
            connection.execute(
                "INSERT INTO sessions (id, status, question, snapshot, expires_at) VALUES (?1, 'open', ?2, ?3, ?4)",
                row,
            )
        })
        .await?;
        Ok(id)
    }

    /// The session with this id, if it was ever known.
    pub async fn find(&self, id: &str) -> Result<Option<StoredSession>, StoreError> {
        let id = id.to_owned();
        self.with(move |connection| {
            connection
                .query_row(
                    "SELECT status, question, snapshot, expires_at FROM sessions WHERE id = ?1",
                    [id],
                    |row| {
                        let (status, question): (String, String) = (row.get(0)?, row.get(1)?);
                        let (snapshot, expires_at): (Option<String>, i64) =
                            (row.get(2)?, row.get(3)?);
                        Ok(match snapshot {
                            _ if status == "answered" => StoredSession::Answered { question },
                            Some(snapshot) if expires_at > now() => {
                                StoredSession::Open { snapshot, question }
                            }
                            _ => StoredSession::Expired { question },
                        })
                    },
                )
                .optional()
        })
        .await
    }

    /// Marks an open session as answered; false where another answer was faster.
    pub async fn claim(&self, id: &str) -> Result<bool, StoreError> {
        self.set_status(id, "open", "answered").await
    }

    /// Opens a session again whose answer could not be used.
    pub async fn release(&self, id: &str) -> Result<bool, StoreError> {
        self.set_status(id, "answered", "open").await
    }

    async fn set_status(
        &self,
        id: &str,
        from: &'static str,
        to: &'static str,
    ) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.with(move |connection| {
            connection
                .execute(
                    "UPDATE sessions SET status = ?3 WHERE id = ?1 AND status = ?2",
                    (id, from, to),
                )
                .map(|changed| changed == 1)
        })
        .await
    }

    /// Empties expired sessions, and forgets those that expired a day ago; gives the number forgotten.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        self.with(|connection| {
            connection.execute(
                "UPDATE sessions SET snapshot = NULL WHERE expires_at <= ?1 AND snapshot IS NOT NULL",
                [now()],
            )?;
            connection.execute("DELETE FROM sessions WHERE expires_at <= ?1", [now() - seconds(REMEMBERED)])
        })
        .await
    }

    /// Whether it can be written to.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("UPDATE sessions SET status = status WHERE id = ''", ()).map(drop)
        })
        .await
    }

    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.with_mut(|connection| work(connection)).await
    }

    async fn with_mut<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let connection = Arc::clone(&self.connection);
        tokio::task::spawn_blocking(move || {
            work(&mut connection.lock().unwrap_or_else(PoisonError::into_inner))
                .map_err(StoreError::from)
        })
        .await
        .map_err(|error| StoreError::Failed(error.to_string()))?
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")
}

fn migrate(connection: &mut Connection) -> Result<(), String> {
    let migrations: Vec<Migration> = MIGRATIONS
        .iter()
        .map(|(name, sql)| Migration::unapplied(name, sql).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let runner = Runner::new(&migrations);
    let mut failure = String::new();
    for _ in 0..TRIES {
        match runner.run(connection) {
            Ok(_) => return Ok(()),
            Err(error) => match error.kind() {
                refinery::error::Kind::Connection(..) => failure = error.to_string(),
                _ => return Err(error.to_string()),
            },
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(failure)
}

/// A new id that cannot be guessed: 128 random bits.
fn new_id() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(format!("clf_{:032x}", u128::from_be_bytes(bytes)))
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, seconds)
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.sqlite")).unwrap();
        (folder, store)
    }

    #[tokio::test]
    async fn a_session_is_answered_once() {
        let (_folder, store) = store();
        let id = store.insert("q".into(), "{}".into(), Duration::from_mins(1)).await.unwrap();
        assert!(matches!(store.find(&id).await.unwrap(), Some(StoredSession::Open { .. })));
        assert!(store.claim(&id).await.unwrap());
        assert!(!store.claim(&id).await.unwrap());
        assert_eq!(
            store.find(&id).await.unwrap(),
            Some(StoredSession::Answered { question: "q".into() })
        );
        assert!(store.release(&id).await.unwrap());
        assert!(store.claim(&id).await.unwrap());
    }

    #[tokio::test]
    async fn an_expired_session_keeps_its_question_after_the_sweep() {
        let (_folder, store) = store();
        let id = store.insert("q".into(), "{}".into(), Duration::ZERO).await.unwrap();
        let expired = Some(StoredSession::Expired { question: "q".into() });
        assert_eq!(store.find(&id).await.unwrap(), expired);
        assert_eq!(store.sweep().await.unwrap(), 0);
        assert_eq!(store.find(&id).await.unwrap(), expired);
    }

    #[tokio::test]
    async fn two_proxies_share_a_store() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let opened: Vec<_> = (0..4)
            .map(|_| {
                let path = path.clone();
                std::thread::spawn(move || Store::open(&path).unwrap())
            })
            .collect();
        let stores: Vec<_> = opened.into_iter().map(|thread| thread.join().unwrap()).collect();
        let id = stores[0].insert("q".into(), "{}".into(), Duration::from_mins(1)).await.unwrap();
        assert!(stores[3].claim(&id).await.unwrap());
        assert!(!stores[1].claim(&id).await.unwrap());
    }

    #[test]
    fn a_newer_store_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        drop(Store::open(&path).unwrap());
        let connection = Connection::open(&path).unwrap();
        connection
            .execute(
                "INSERT INTO refinery_schema_history SELECT 99, 'later', applied_on, checksum FROM refinery_schema_history LIMIT 1",
                (),
            )
            .unwrap();
        drop(connection);
        assert!(Store::open(&path).is_err());
    }

    #[test]
    fn a_file_that_is_no_store_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "not a database, but long enough to be read as one".repeat(40))
            .unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
    }
}
