//! Sessions in the store: a question that waits for an answer by its clarification id, or one that has ended and
//! may be changed by its own id.

use super::value::{Row, Statement};
use super::{HELD, Store, StoreError, now, seconds};
use crate::caller::Identity;

/// A session as stored.
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
    /// It waits for an answer, or for a change where it has ended.
    Open(Box<OpenSession>),
}

/// A session that can go on.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OpenSession {
    /// The session as text.
    pub snapshot: String,
    /// The question.
    pub question: String,
    /// Id of the question; empty in sessions of version 2 of the store.
    pub question_id: String,
    /// Thread of the question.
    pub thread_id: Option<String>,
    /// Variant of an experiment.
    pub variant: Option<String>,
    /// When it was asked, in milliseconds since 1970.
    pub asked_at: Option<i64>,
    /// Time the proxy worked on it so far, in milliseconds.
    pub working_ms: Option<i64>,
}

impl Store {
    /// The caller's session that waits under this id, if it was ever known; those of others are not.
    pub async fn find(
        &self,
        caller: &Identity,
        id: &str,
    ) -> Result<Option<StoredSession>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT s.status, s.question, s.snapshot, s.expires_at, s.question_id, \
                     q.thread_id, q.variant, q.asked_at, q.working_ms, \
                     CASE WHEN q.status = 'clarified' THEN s.held_until END \
                 FROM sessions s LEFT JOIN questions q ON q.id = s.question_id \
                 WHERE s.id = $1 AND s.tenant = $2 AND s.owner = $3 AND s.status <> 'completed'",
                [id.into(), caller.tenant.as_str().into(), caller.owner().into()],
            ))
            .await?;
        row.map(session).transpose()
    }

    /// The caller's session that has ended, by the id of its question or of one of its clarifications.
    pub async fn find_completed(
        &self,
        caller: &Identity,
        id: &str,
    ) -> Result<Option<StoredSession>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT s.status, s.question, s.snapshot, s.expires_at, s.question_id, \
                     q.thread_id, q.variant, q.asked_at, q.working_ms, NULL \
                 FROM sessions s LEFT JOIN questions q ON q.id = s.question_id \
                 WHERE s.tenant = $2 AND s.owner = $3 AND s.status = 'completed' AND (s.id = $1 OR \
                     s.id = (SELECT question_id FROM sessions WHERE id = $1 AND tenant = $2 AND owner = $3))",
                [id.into(), caller.tenant.as_str().into(), caller.owner().into()],
            ))
            .await?;
        row.map(session).transpose()
    }

    /// Marks an open session as answered; false where another answer was faster.
    ///
    /// Unless the claim is held, or the question comes to an outcome, another answer may take it over after a while.
    pub async fn claim(&self, id: &str) -> Result<bool, StoreError> {
        let now = now();
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE sessions SET status = 'answered', held_until = $2 WHERE id = $1 AND \
                     (status = 'open' OR (status = 'answered' AND held_until <= $3 AND EXISTS \
                     (SELECT 1 FROM questions q WHERE q.id = question_id AND q.status = 'clarified')))",
                    [id.into(), (now + seconds(HELD)).into(), now.into()],
                ),
                Statement::new(
                    "UPDATE questions SET status = 'clarified' WHERE status = 'pending_clarification' \
                     AND id = (SELECT question_id FROM sessions WHERE id = $1 AND status = 'answered')",
                    [id.into()],
                ),
            ])
            .await?;
        Ok(changed.first() == Some(&1))
    }

    /// Keeps what was claimed from being answered by another proxy; to be called every [`Store::HOLD_AGAIN`].
    pub async fn hold_claim(&self, id: &str) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "UPDATE sessions SET held_until = $2 WHERE id = $1 AND status = 'answered'",
            [id.into(), (now() + seconds(HELD)).into()],
        ))
        .await
        .map(drop)
    }

    /// Opens a session again whose answer could not be used.
    pub async fn release(&self, id: &str) -> Result<bool, StoreError> {
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE sessions SET status = 'open' WHERE id = $1 AND status = 'answered'",
                    [id.into()],
                ),
                Statement::new(
                    "UPDATE questions SET status = 'pending_clarification', ended_at = NULL, \
                     expires_at = (SELECT expires_at FROM sessions WHERE id = $1) \
                     WHERE id = (SELECT question_id FROM sessions WHERE id = $1 AND status = 'open')",
                    [id.into()],
                ),
            ])
            .await?;
        Ok(changed.first() == Some(&1))
    }
}

fn session(mut row: Row) -> Result<StoredSession, StoreError> {
    let (status, question) = (row.text(0)?, row.text(1)?);
    let (snapshot, expires_at) = (row.maybe_text(2)?, row.integer(3)?);
    // Whoever took the answer has gone before there was an outcome.
    let abandoned = row.maybe_integer(9)?.is_some_and(|held_until| held_until <= now());
    Ok(match snapshot {
        _ if status == "answered" && !abandoned => StoredSession::Answered { question },
        Some(snapshot) if expires_at > now() => StoredSession::Open(Box::new(OpenSession {
            snapshot,
            question,
            question_id: row.text(4)?,
            thread_id: row.maybe_text(5)?,
            variant: row.maybe_text(6)?,
            asked_at: row.maybe_integer(7)?,
            working_ms: row.maybe_integer(8)?,
        })),
        _ => StoredSession::Expired { question },
    })
}
