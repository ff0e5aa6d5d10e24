//! Unfinished work of the language model, so that completions are not requested again after a restart.

use std::time::Duration;

use super::value::Statement;
use super::{Store, StoreError, now, seconds};

/// Time for which unfinished work is kept.
const KEPT: Duration = Duration::from_mins(30);

/// Digest of caller and brief.
pub type WritingKey = [u8; 32];

impl Store {
    /// Last snapshot of unfinished work.
    pub async fn writing(&self, key: &WritingKey) -> Result<Option<String>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT state FROM writings WHERE key = $1 AND expires_at > $2",
                [key.as_slice().into(), now().into()],
            ))
            .await?;
        row.map(|mut row| row.text(0)).transpose()
    }

    /// Stores a snapshot of work after a call.
    pub async fn keep_writing(&self, key: &WritingKey, state: String) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "INSERT INTO writings (key, state, expires_at) VALUES ($1, $2, $3) \
             ON CONFLICT (key) DO UPDATE SET state = excluded.state, expires_at = excluded.expires_at",
            [key.as_slice().into(), state.into(), (now() + seconds(KEPT)).into()],
        ))
        .await
        .map(drop)
    }

    /// Deletes work that has ended.
    pub async fn end_writing(&self, key: &WritingKey) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "DELETE FROM writings WHERE key = $1",
            [key.as_slice().into()],
        ))
        .await
        .map(drop)
    }
}
