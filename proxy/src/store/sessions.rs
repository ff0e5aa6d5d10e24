//! Sessions in the store: a question that waits for an answer, by its clarification id.

use std::time::Duration;

use super::value::Statement;
use super::{Store, StoreError, new_id, now, seconds};
use crate::caller::Identity;

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

impl Store {
    /// Keeps a session that waits for an answer of this caller, under a new id, for a time.
    pub async fn insert(
        &self,
        caller: &Identity,
        question: String,
        snapshot: String,
        lifetime: Duration,
    ) -> Result<String, StoreError> {
        let id = new_id("clf")?;
        let values = [
            id.as_str().into(),
            caller.tenant.as_str().into(),
            caller.owner().into(),
            question.into(),
            snapshot.into(),
            (now() + seconds(lifetime)).into(),
        ];
        self.change_one(Statement::new(
            "INSERT INTO sessions (id, status, tenant, owner, question, snapshot, expires_at) \
             VALUES ($1, 'open', $2, $3, $4, $5, $6)",
            values,
        ))
        .await?;
        Ok(id)
    }

    /// The caller's session with this id, if it was ever known; those of others are not.
    pub async fn find(
        &self,
        caller: &Identity,
        id: &str,
    ) -> Result<Option<StoredSession>, StoreError> {
        let values = [id.into(), caller.tenant.as_str().into(), caller.owner().into()];
        let found = self
            .query_one(Statement::new(
                "SELECT status, question, snapshot, expires_at FROM sessions \
                 WHERE id = $1 AND tenant = $2 AND owner = $3",
                values,
            ))
            .await?;
        let Some(mut row) = found else { return Ok(None) };
        let (status, question) = (row.text(0)?, row.text(1)?);
        let (snapshot, expires_at) = (row.maybe_text(2)?, row.integer(3)?);
        Ok(Some(match snapshot {
            _ if status == "answered" => StoredSession::Answered { question },
            Some(snapshot) if expires_at > now() => StoredSession::Open { snapshot, question },
            _ => StoredSession::Expired { question },
        }))
    }

    /// Marks an open session as answered; false where another answer was faster.
    pub async fn claim(&self, id: &str) -> Result<bool, StoreError> {
        self.set_status(id, "open", "answered").await
    }

    /// Opens a session again whose answer could not be used.
    pub async fn release(&self, id: &str) -> Result<bool, StoreError> {
        self.set_status(id, "answered", "open").await
    }

    async fn set_status(&self, id: &str, from: &str, to: &str) -> Result<bool, StoreError> {
        let changed = self
            .change_one(Statement::new(
                "UPDATE sessions SET status = $3 WHERE id = $1 AND status = $2",
                [id.into(), from.into(), to.into()],
            ))
            .await?;
        Ok(changed == 1)
    }
}
