//! Cancellation of questions: waiting ones are closed, and running ones are marked for the proxy that works on them.

use std::time::Duration;

use super::value::Statement;
use super::{RequestKey, Store, StoreError, milliseconds, now, seconds};
use crate::identity::Identity;

/// Lifetime of a mark, longer than any question runs.
const MARKED: Duration = Duration::from_mins(10);

/// A question whose waiting session was closed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Abandoned {
    /// Id of the question.
    pub id: String,
    /// The question.
    pub question: String,
}

/// Result of closing the sessions of a cancelled question.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Closed {
    /// Questions of the waiting sessions that were closed.
    pub abandoned: Vec<Abandoned>,
    /// Ids of sessions that a proxy is working on.
    pub running: Vec<String>,
}

impl Store {
    /// Closes the waiting sessions of a question of the caller as abandoned. Returns `None` if the id is unknown.
    ///
    /// `id` is that of the question, or a clarification id. A session whose answer was claimed by a proxy that is gone
    /// waits again.
    pub async fn close(&self, caller: &Identity, id: &str) -> Result<Option<Closed>, StoreError> {
        let rows = self
            .query(Statement::new(
                "SELECT s.id, CASE WHEN s.status = 'open' AND s.expires_at > $4 THEN 'open' \
                     WHEN s.status = 'answered' AND q.status = 'clarified' THEN \
                         CASE WHEN s.held_until > $4 THEN 'running' \
                         WHEN s.expires_at > $4 THEN 'open' ELSE 'ended' END \
                     ELSE 'ended' END, s.question_id, s.question \
                 FROM sessions s LEFT JOIN questions q ON q.id = s.question_id \
                 WHERE s.tenant = $2 AND s.owner = $3 AND (s.id = $1 OR s.question_id = $1 OR \
                     (s.question_id <> '' AND s.question_id = \
                     (SELECT question_id FROM sessions WHERE id = $1 AND tenant = $2 AND owner = $3)))",
                [
                    id.into(),
                    caller.tenant.as_str().into(),
                    caller.owner().into(),
                    now().into(),
                ],
            ))
            .await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let (mut closed, mut statements) = (Closed::default(), Vec::new());
        let mut waiting = Vec::new();
        for mut row in rows {
            let id = row.text(0)?;
            match row.text(1)?.as_str() {
                "open" => {
                    statements.extend(abandon(&id));
                    waiting.push(Abandoned { id: row.text(2)?, question: row.text(3)? });
                }
                "running" => closed.running.push(id),
                _ => {}
            }
        }
        if statements.is_empty() {
            return Ok(Some(closed));
        }
        let changed = self.change(statements).await?;
        let pairs = waiting.into_iter().zip(changed.chunks(2));
        let abandoned = pairs.filter(|(_, pair)| pair.last() == Some(&1));
        closed.abandoned = abandoned.map(|(question, _)| question).collect();
        Ok(Some(closed))
    }

    /// Marks a question as cancelled, for the proxy that works on it.
    pub async fn mark_cancelled(&self, key: &RequestKey) -> Result<(), StoreError> {
        let [tenant, owner, id] = key.values();
        self.change_one(Statement::new(
            "INSERT INTO cancellations (tenant, owner, id, expires_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (tenant, owner, id) DO UPDATE SET expires_at = excluded.expires_at",
            [tenant, owner, id, (now() + seconds(MARKED)).into()],
        ))
        .await
        .map(drop)
    }

    /// Questions marked as cancelled.
    pub async fn cancellations(&self) -> Result<Vec<RequestKey>, StoreError> {
        let rows = self
            .query(Statement::new(
                "SELECT tenant, owner, id FROM cancellations WHERE expires_at > $1",
                [now().into()],
            ))
            .await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(RequestKey { tenant: row.text(0)?, owner: row.text(1)?, id: row.text(2)? })
            })
            .collect()
    }

    /// Deletes a mark after the question was cancelled.
    pub async fn forget_cancellation(&self, key: &RequestKey) -> Result<(), StoreError> {
        self.change_one(unmark(key)).await.map(drop)
    }
}

/// Deletes the mark of a request.
pub(super) fn unmark(key: &RequestKey) -> Statement {
    Statement::new(
        "DELETE FROM cancellations WHERE tenant = $1 AND owner = $2 AND id = $3",
        key.values(),
    )
}

/// Closes a waiting session: first its question, whose update depends on the state of the session.
fn abandon(id: &str) -> [Statement; 2] {
    let now = now();
    [
        Statement::new(
            "UPDATE questions SET status = 'abandoned', ended_at = $2 \
             WHERE status IN ('pending_clarification', 'clarified') \
             AND id = (SELECT question_id FROM sessions WHERE id = $1 \
                 AND (status = 'open' OR (status = 'answered' AND held_until <= $3)))",
            [id.into(), milliseconds().into(), now.into()],
        ),
        Statement::new(
            "UPDATE sessions SET status = 'open', snapshot = NULL, expires_at = $2 WHERE id = $1 \
             AND (status = 'open' OR (status = 'answered' AND held_until <= $2))",
            [id.into(), now.into()],
        ),
    ]
}
