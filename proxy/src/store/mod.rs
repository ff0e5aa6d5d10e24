//! Sessions, memory, keys and sign-ins, kept in an SQLite file or in PostgreSQL; several proxies may share either.
//!
//! Statements are the same for both kinds of store, with `$1`, `$2` … for what is bound.

mod keys;
mod memory;
mod migrations;
mod postgres;
mod sessions;
mod sign_ins;
mod sqlite;
#[cfg(test)]
mod tests;
mod value;

pub use keys::{ApiKey, NewKey};
pub use sessions::StoredSession;
pub use sign_ins::SignIn;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::config::DatabaseAddress;
use value::{Row, Statement};

/// Time that an expired session is still known by its question.
const REMEMBERED: Duration = Duration::from_hours(24);

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

    /// Empties what has expired, and forgets sessions that expired a day ago; gives the number forgotten.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let now = now();
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE sessions SET snapshot = NULL WHERE expires_at <= $1 AND snapshot IS NOT NULL",
                    [now.into()],
                ),
                Statement::new("DELETE FROM sign_ins WHERE expires_at <= $1", [now.into()]),
                Statement::new(
                    "DELETE FROM sessions WHERE expires_at <= $1",
                    [(now - seconds(REMEMBERED)).into()],
                ),
            ])
            .await?;
        Ok(changed.last().copied().unwrap_or_default())
    }

    /// Whether it can be written to.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let statement = Statement::new("UPDATE sessions SET status = status WHERE id = ''", []);
        self.change_one(statement).await.map(drop)
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
fn new_id(prefix: &str) -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(format!("{prefix}_{:032x}", u128::from_be_bytes(bytes)))
}

/// Seconds since 1970 by the clock of this machine.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, seconds)
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX / 2)
}
