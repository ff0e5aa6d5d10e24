//! Sessions, history, memory, metrics, API keys and sign-ins in SQLite or PostgreSQL, which several proxies can share.
//!
//! Statements are the same for both backends, with bound parameters `$1`, `$2` ….

mod cancellations;
mod catalogs;
mod choices;
mod effort;
mod error;
mod figures;
mod history;
mod keys;
mod memory;
mod migrations;
mod postgres;
mod presence;
mod record;
mod requests;
mod sessions;
mod sign_ins;
mod sqlite;
#[cfg(test)]
mod tests;
mod value;
mod writings;

pub use cancellations::{Abandoned, Closed};
pub use choices::MarkedPlace;
pub use error::StoreError;
pub use figures::{Figures, Period};
pub use history::{Cursor, Owner, PastQuestion};
pub use keys::{ApiKey, NewKey};
pub use record::{Ambiguity, Mark, NewSession, Record, Status};
pub use requests::{Asked, Begun, KeptAnswer, Placing, RequestKey};
pub use sessions::{OpenSession, StoredSession};
pub use sign_ins::SignIn;
pub use writings::WritingKey;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::database::DatabaseAddress;
use value::{Row, Statement};

/// Duration of the lease on work in progress, which its proxy renews. After it, another proxy can take over.
const HELD: Duration = Duration::from_secs(30);
/// Time for which an expired session is still reported as expired.
const REMEMBERED: Duration = Duration::from_hours(24);

/// Days for which questions are counted if no history is kept.
const FIGURES_DAYS: u32 = 90;

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
    /// Interval at which leases are renewed.
    pub const HOLD_AGAIN: Duration = Duration::from_secs(10);

    /// Opens the store, creates it if it does not exist, and runs migrations.
    ///
    /// A store with a newer schema than this program is an error.
    pub async fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let failed = |reason| StoreError::Open { address: address.to_string(), reason };
        let backend = if address.is_postgres() {
            Backend::Postgres(postgres::Postgres::open(address).await.map_err(failed)?)
        } else if address.is_url() {
            return Err(failed(
                "the store is a file of SQLite or a PostgreSQL database".to_owned(),
            ));
        } else {
            let path = PathBuf::from(address.secret());
            let opened = tokio::task::spawn_blocking(move || sqlite::Sqlite::open(&path))
                .await
                .map_err(|error| failed(error.to_string()))?;
            Backend::Sqlite(opened.map_err(failed)?)
        };
        Ok(Self { backend })
    }

    /// Deletes what has expired. History is kept for this many days; 0 keeps none.
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
                 said = '', corrections = '', sql = NULL WHERE kept = 1",
                [],
            ));
        }
        self.change(statements).await.map(drop)
    }

    /// Checks that the store is writable.
    pub async fn ping(&self) -> Result<(), StoreError> {
        // Inserts a row that expires at once, since a statement without changes would not detect a full disk.
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

    /// Runs statements in one transaction, and returns the number of changed rows of each.
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

/// Current time in seconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, seconds)
}

/// Current time in milliseconds since 1970.
pub(crate) fn milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX / 2)
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX / 2)
}
