//! Sessions, history, memory, figures, keys and sign-ins, kept in an SQLite file or in PostgreSQL; several proxies may share either.
//!
//! Statements are the same for both kinds of store, with `$1`, `$2` … for what is bound.

mod cancellations;
mod catalogs;
mod figures;
mod history;
mod keys;
mod memory;
mod migrations;
mod postgres;
mod record;
mod requests;
mod sessions;
mod sign_ins;
mod sqlite;
#[cfg(test)]
mod tests;
mod value;
mod writings;

pub use cancellations::Closed;
pub use figures::{Figures, Period};
pub use history::{Cursor, Owner, PastQuestion};
pub use keys::{ApiKey, NewKey};
pub use record::{Ambiguity, Mark, NewSession, Record, Status};
pub use requests::{Asked, Begun, KeptAnswer, RequestKey};
pub use sessions::{OpenSession, StoredSession};
pub use sign_ins::SignIn;
pub use writings::WritingKey;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::config::DatabaseAddress;
use value::{Row, Statement};

/// Time after which work whose proxy has gone may be done by another; it is renewed while the work goes on.
const HELD: Duration = Duration::from_secs(30);
/// Time that an expired session is still known by its question.
const REMEMBERED: Duration = Duration::from_hours(24);

/// Days that questions are counted where no history is kept.
const FIGURES_DAYS: u32 = 90;

/// Why the store failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It cannot be opened.
    #[error("store {address} cannot be opened: {reason}")]
    Open {
        /// Address without a password.
        address: String,
        /// What went wrong.
        reason: String,
    },
    /// A statement failed.
    #[error("store failed: {0}")]
    Failed(String),
}

/// The store.
#[derive(Clone, Debug)]
pub struct Store {
    backend: Backend,
}

#[derive(Clone, Debug)]
enum Backend {
    Postgres(postgres::Postgres),
    Sqlite(sqlite::Sqlite),
}

impl Store {
    /// Time after which work that goes on is held again.
    pub const HOLD_AGAIN: Duration = Duration::from_secs(10);

    /// Opens the store, makes it where it is missing, and brings its tables up to date.
    ///
    /// A store whose tables are newer than this program is refused.
    pub async fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let failed = |reason| StoreError::Open { address: address.to_string(), reason };
        let backend = if address.is_postgres() {
            Backend::Postgres(postgres::Postgres::open(address).await.map_err(failed)?)
        } else {
            let path = PathBuf::from(address.secret());
            let opened = tokio::task::spawn_blocking(move || sqlite::Sqlite::open(&path))
                .await
                .map_err(|error| failed(error.to_string()))?;
            Backend::Sqlite(opened.map_err(failed)?)
        };
        Ok(Self { backend })
    }

    /// Empties and forgets what is past its time; history is kept for this many days, or not at all.
    pub async fn sweep(&self, history_days: u32) -> Result<(), StoreError> {
        let now = now();
        let days = if history_days == 0 { FIGURES_DAYS } else { history_days };
        let oldest = (milliseconds() - i64::from(days) * 86_400_000).max(0);
        let mut statements = vec![
            Statement::new(
                "UPDATE questions SET status = 'abandoned', ended_at = $2 \
                 WHERE status IN ('pending_clarification', 'clarified') AND expires_at <= $1",
                [now.into(), milliseconds().into()],
            ),
            Statement::new(
                "UPDATE sessions SET snapshot = NULL WHERE expires_at <= $1 AND snapshot IS NOT NULL",
                [now.into()],
            ),
            Statement::new(
                "DELETE FROM sessions WHERE expires_at <= $1",
                [(now - seconds(REMEMBERED)).into()],
            ),
            Statement::new("DELETE FROM sign_ins WHERE expires_at <= $1", [now.into()]),
            Statement::new("DELETE FROM requests WHERE expires_at <= $1", [now.into()]),
            Statement::new("DELETE FROM cancellations WHERE expires_at <= $1", [now.into()]),
            Statement::new("DELETE FROM writings WHERE expires_at <= $1", [now.into()]),
            Statement::new("DELETE FROM ambiguities WHERE at < $1", [oldest.into()]),
            Statement::new("DELETE FROM questions WHERE asked_at < $1", [oldest.into()]),
        ];
        if history_days == 0 {
            statements.push(Statement::new(
                "UPDATE ambiguities SET owner = '', phrase = '' WHERE question_id IN \
                 (SELECT id FROM questions WHERE kept = 1)",
                [],
            ));
            statements.push(Statement::new(
                "UPDATE questions SET kept = 0, owner = '', question = '', clarifications = '', \
                 sql = NULL WHERE kept = 1",
                [],
            ));
        }
        self.change(statements).await.map(drop)
    }

    /// Whether it can be written to.
    pub async fn ping(&self) -> Result<(), StoreError> {
        // A row that the next sweep takes: a statement that changes nothing would not meet a full disk.
        self.change_one(Statement::new(
            "INSERT INTO requests (tenant, owner, id, hash, held_until, expires_at) \
             VALUES ('', '', 'ping', $1, $2, 0) \
             ON CONFLICT (tenant, owner, id) DO UPDATE SET held_until = excluded.held_until",
            [Vec::new().into(), now().into()],
        ))
        .await
        .map(drop)
    }

    async fn query(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.query(statement).await,
            Backend::Sqlite(sqlite) => sqlite.query(statement).await,
        }
    }

    async fn query_one(&self, statement: Statement) -> Result<Option<Row>, StoreError> {
        Ok(self.query(statement).await?.into_iter().next())
    }

    /// Rows changed by each statement; all of them are kept, or none.
    async fn change(&self, statements: Vec<Statement>) -> Result<Vec<u64>, StoreError> {
        match &self.backend {
            Backend::Postgres(postgres) => postgres.change(statements).await,
            Backend::Sqlite(sqlite) => sqlite.change(statements).await,
        }
    }

    async fn change_one(&self, statement: Statement) -> Result<u64, StoreError> {
        Ok(self.change(vec![statement]).await?.first().copied().unwrap_or_default())
    }
}

/// A new id that cannot be guessed: a prefix and 128 random bits.
pub(crate) fn new_id(prefix: &str) -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(format!("{prefix}_{:032x}", u128::from_be_bytes(bytes)))
}

/// Seconds since 1970 by the clock of this machine.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, seconds)
}

/// Milliseconds since 1970 by the clock of this machine.
pub(crate) fn milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2)
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX / 2)
}
