//! Sessions in the store: of a question that waits for clarification, by its clarification id, or of one that ended and
//! can be changed, by its id.

use super::value::{Row, Statement};
use super::{HELD, Store, StoreError, now, seconds};
use crate::identity::Identity;

/// A stored session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StoredSession {
    /// The session was answered before.
    Answered {
        /// The question.
        question: String,
    },
    /// The session has expired.
    Expired {
        /// The question.
        question: String,
    },
    /// The session waits for clarification, or has ended and can be changed.
    Open(Box<OpenSession>),
}

/// A session that can be continued.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OpenSession {
    /// Snapshot of the session.
    pub snapshot: String,
    /// The question.
    pub question: String,
    /// Id of the question; empty in sessions that version 2 of the schema stored.
    pub question_id: String,
    /// Thread of the question.
    pub thread_id: Option<String>,
    /// Variant of an experiment.
    pub variant: Option<String>,
    /// Time of the question, in milliseconds since 1970.
    pub asked_at: Option<i64>,
    /// Processing time so far, in milliseconds.
    pub working_ms: Option<i64>,
    /// Person who asked the question, whose memory is used.
    pub person: Option<String>,
}

impl Store {
    /// Session of the caller by its clarification id, if it exists.
    pub async fn find(
        &self,
        caller: &Identity,
        id: &str,
    ) -> Result<Option<StoredSession>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT s.status, s.question, s.snapshot, s.expires_at, s.question_id, \
                     q.thread_id, q.variant, q.asked_at, q.working_ms, \
                     CASE WHEN q.status = 'clarified' THEN s.held_until END, q.owner \
                 FROM sessions s LEFT JOIN questions q ON q.id = s.question_id \
                 WHERE s.id = $1 AND s.tenant = $2 AND s.owner = $3 AND s.status <> 'completed'",
                [id.into(), caller.tenant.as_str().into(), caller.owner().into()],
            ))
            .await?;
        row.map(session).transpose()
    }

    /// Ended session of the caller, by the id of its question or a clarification id.
    pub async fn find_completed(
        &self,
        caller: &Identity,
        id: &str,
    ) -> Result<Option<StoredSession>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT s.status, s.question, s.snapshot, s.expires_at, s.question_id, \
                     q.thread_id, q.variant, q.asked_at, q.working_ms, NULL, q.owner \
                 FROM sessions s LEFT JOIN questions q ON q.id = s.question_id \
                 WHERE s.tenant = $2 AND s.owner = $3 AND s.status = 'completed' AND (s.id = $1 OR \
                     s.id = (SELECT question_id FROM sessions WHERE id = $1 AND tenant = $2 AND owner = $3))",
                [id.into(), caller.tenant.as_str().into(), caller.owner().into()],
            ))
            .await?;
        row.map(session).transpose()
    }

    /// Claims an open session for an answer. Returns `false` if another answer was first, or if it was closed.
    ///
    /// Without renewal or an outcome the claim expires, and another answer can take over.
    pub async fn claim(&self, id: &str) -> Result<bool, StoreError> {
        let now = now();
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE sessions SET status = 'answered', held_until = $2 WHERE id = $1 \
                     AND snapshot IS NOT NULL AND \
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

    /// Renews the claim on a session. Must be called every [`Store::HOLD_AGAIN`].
    pub async fn hold_claim(&self, id: &str) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "UPDATE sessions SET held_until = $2 WHERE id = $1 AND status = 'answered'",
            [id.into(), (now() + seconds(HELD)).into()],
        ))
        .await
        .map(drop)
    }

    /// Releases the claim on a session whose answer failed.
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
    // The proxy that took the answer is gone, without an outcome.
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
            person: row.maybe_text(10)?.filter(|owner| !owner.is_empty()),
        })),
        _ => StoredSession::Expired { question },
    })
}
