//! Requests with an idempotency key: each runs once, and a repeated request gets the same response.

use std::time::Duration;

use super::cancellations::unmark;
use super::value::{Row, Statement};
use super::{HELD, Store, StoreError, now, seconds};
use crate::identity::Identity;

/// Time for which responses are kept for repeated requests.
const KEPT: Duration = Duration::from_hours(24);
/// The same for the response of a question that waits, from the end of the wait. It leads to the response of the next
/// round, which may begin shortly before that end and is then kept as well.
const KEPT_WAITING: Duration = Duration::from_hours(48);
/// HTTP status of a response that asks for clarification.
const WAITS: u16 = 202;
/// Status of a stored response that is kept under the key of another request, which is its body. It is never sent.
const ELSEWHERE: u16 = 303;
/// Prefix of the ids under which the latest responses of questions are stored. No id of a client has a slash.
const LATEST: &str = "latest/";

/// Key of a request: its owner and idempotency key.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct RequestKey {
    /// Tenant.
    pub tenant: String,
    /// Key of the history; empty if there is none.
    pub owner: String,
    /// Idempotency key of the client.
    pub id: String,
}

/// State of a request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Begun {
    /// The caller may run the request.
    Mine,
    /// The idempotency key was used for another request.
    Other,
    /// The request is running.
    Running,
    /// The request was answered.
    Answered(KeptAnswer),
}

/// State of a request that was started in any proxy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Asked {
    /// A proxy is working on the request.
    Running,
    /// The proxy that worked on the request is gone; the request can be sent again.
    Lost,
    /// The request was answered.
    Answered(KeptAnswer),
}

/// Where the latest response of a question is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Placing {
    /// Whether or not one is stored.
    Anew,
    /// Only in place of one that is stored.
    InPlace,
}

/// A stored response.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptAnswer {
    /// HTTP status.
    pub status: u16,
    /// Content type.
    pub content_type: String,
    /// Body.
    pub body: String,
}

impl Store {
    /// Starts a request, unless one with its key is running or was answered. `hash` identifies the request body.
    pub async fn begin(&self, key: &RequestKey, hash: &[u8]) -> Result<Begun, StoreError> {
        let now = now();
        let [tenant, owner, id] = key.values();
        let begun = self
            .change_one(Statement::new(
                "INSERT INTO requests (tenant, owner, id, hash, held_until, expires_at) \
                 VALUES ($1, $2, $3, $4, $5, $6) \
                 ON CONFLICT (tenant, owner, id) DO UPDATE SET held_until = excluded.held_until, \
                     hash = excluded.hash, expires_at = excluded.expires_at, \
                     status = NULL, content_type = NULL, body = NULL \
                 WHERE requests.expires_at <= $7 OR (requests.status IS NULL \
                     AND requests.held_until <= $7 AND requests.hash = excluded.hash)",
                [
                    tenant,
                    owner,
                    id,
                    hash.into(),
                    (now + seconds(HELD)).into(),
                    (now + seconds(KEPT)).into(),
                    now.into(),
                ],
            ))
            .await?;
        if begun == 1 {
            return Ok(Begun::Mine);
        }
        let found = self
            .query_one(Statement::new(
                "SELECT hash = $4, status, content_type, body FROM requests \
                 WHERE tenant = $1 AND owner = $2 AND id = $3",
                {
                    let [tenant, owner, id] = key.values();
                    [tenant, owner, id, hash.into()]
                },
            ))
            .await?;
        // The request failed meanwhile, and can be retried.
        let Some(mut row) = found else { return Ok(Begun::Running) };
        if row.integer(0)? == 0 {
            return Ok(Begun::Other);
        }
        let Some(status) = row.maybe_integer(1)? else { return Ok(Begun::Running) };
        Ok(Begun::Answered(KeptAnswer {
            status: u16::try_from(status).unwrap_or(500),
            content_type: row.text(2)?,
            body: row.text(3)?,
        }))
    }

    /// Starts a round whose session the caller has claimed, whatever was stored under its key before. A cancellation
    /// of an earlier attempt is forgotten.
    pub async fn begin_round(&self, key: &RequestKey, hash: &[u8]) -> Result<(), StoreError> {
        let now = now();
        let [tenant, owner, id] = key.values();
        let begin = Statement::new(
            "INSERT INTO requests (tenant, owner, id, hash, held_until, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (tenant, owner, id) DO UPDATE SET held_until = excluded.held_until, \
                 hash = excluded.hash, expires_at = excluded.expires_at, \
                 status = NULL, content_type = NULL, body = NULL",
            [
                tenant,
                owner,
                id,
                hash.into(),
                (now + seconds(HELD)).into(),
                (now + seconds(KEPT)).into(),
            ],
        );
        self.change(vec![begin, unmark(key)]).await.map(drop)
    }

    /// State of a request, if its body had this hash.
    pub async fn asked_with(
        &self,
        key: &RequestKey,
        hash: &[u8],
    ) -> Result<Option<Asked>, StoreError> {
        let [tenant, owner, id] = key.values();
        let found = self
            .query_one(Statement::new(
                "SELECT held_until, status, content_type, body FROM requests \
                 WHERE tenant = $1 AND owner = $2 AND id = $3 AND expires_at > $4 AND hash = $5",
                [tenant, owner, id, now().into(), hash.into()],
            ))
            .await?;
        found.map(state).transpose()
    }

    /// State of a request; `None` if there is none with this key, or if it has expired.
    pub async fn asked(&self, key: &RequestKey) -> Result<Option<Asked>, StoreError> {
        let [tenant, owner, id] = key.values();
        let found = self
            .query_one(Statement::new(
                "SELECT held_until, status, content_type, body FROM requests \
                 WHERE tenant = $1 AND owner = $2 AND id = $3 AND expires_at > $4",
                [tenant, owner, id, now().into()],
            ))
            .await?;
        found.map(state).transpose()
    }

    /// Renews the lease of a running request. Must be called every [`Store::HOLD_AGAIN`].
    pub async fn hold(&self, key: &RequestKey) -> Result<(), StoreError> {
        let [tenant, owner, id] = key.values();
        self.change_one(Statement::new(
            "UPDATE requests SET held_until = $4 WHERE tenant = $1 AND owner = $2 AND id = $3",
            [tenant, owner, id, (now() + seconds(HELD)).into()],
        ))
        .await
        .map(drop)
    }

    /// Stores the response of a request, from now on for [`KEPT`]. `lifetime` is that of clarifications.
    pub async fn answer(
        &self,
        key: &RequestKey,
        answer: KeptAnswer,
        lifetime: Duration,
    ) -> Result<(), StoreError> {
        let [tenant, owner, id] = key.values();
        let kept = if answer.status == WAITS { lifetime + KEPT_WAITING } else { KEPT };
        self.change_one(Statement::new(
            "UPDATE requests SET status = $4, content_type = $5, body = $6, expires_at = $7 \
             WHERE tenant = $1 AND owner = $2 AND id = $3",
            [
                tenant,
                owner,
                id,
                i64::from(answer.status).into(),
                answer.content_type.into(),
                answer.body.into(),
                (now() + seconds(kept)).into(),
            ],
        ))
        .await
        .map(drop)
    }

    /// Stores the latest response of a question, in place of an earlier one if there is one, for as long as any of them may be kept.
    /// `lifetime` is that of clarifications.
    pub async fn put_latest(
        &self,
        key: &RequestKey,
        answer: KeptAnswer,
        lifetime: Duration,
        placing: Placing,
    ) -> Result<(), StoreError> {
        if placing == Placing::InPlace && self.asked(key).await?.is_none() {
            return Ok(());
        }
        let kept = lifetime + KEPT_WAITING;
        let [tenant, owner, id] = key.values();
        self.change_one(Statement::new(
            "INSERT INTO requests (tenant, owner, id, hash, held_until, expires_at, status, \
                 content_type, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT (tenant, owner, id) DO UPDATE SET expires_at = excluded.expires_at, \
                 status = excluded.status, content_type = excluded.content_type, \
                 body = excluded.body",
            [
                tenant,
                owner,
                id,
                Vec::new().into(),
                now().into(),
                (now() + seconds(kept)).into(),
                i64::from(answer.status).into(),
                answer.content_type.into(),
                answer.body.into(),
            ],
        ))
        .await
        .map(drop)
    }

    /// Latest response of a question of the caller, by the id of the question; [`Asked::Lost`] if it has expired.
    pub async fn latest(&self, caller: &Identity, id: &str) -> Result<Option<Asked>, StoreError> {
        let found = self.asked(&RequestKey::of_question(caller, id)).await?;
        match found {
            Some(Asked::Answered(answer)) if answer.status == ELSEWHERE => {
                let [tenant, owner, id] = elsewhere(&answer.body)?;
                let held = self.asked(&RequestKey { tenant, owner, id }).await?;
                Ok(Some(held.unwrap_or(Asked::Lost)))
            }
            found => Ok(found),
        }
    }

    /// Deletes a request and its cancellation, so that it can be retried.
    pub async fn forget_request(&self, key: &RequestKey) -> Result<(), StoreError> {
        let forget = Statement::new(
            "DELETE FROM requests WHERE tenant = $1 AND owner = $2 AND id = $3",
            key.values(),
        );
        self.change(vec![forget, unmark(key)]).await.map(drop)
    }
}

fn state(mut row: Row) -> Result<Asked, StoreError> {
    let held = row.integer(0)? > now();
    Ok(match row.maybe_integer(1)? {
        None if held => Asked::Running,
        None => Asked::Lost,
        Some(status) => Asked::Answered(KeptAnswer {
            status: u16::try_from(status).unwrap_or(500),
            content_type: row.text(2)?,
            body: row.text(3)?,
        }),
    })
}

/// Key of the request that has the response.
fn elsewhere(body: &str) -> Result<[String; 3], StoreError> {
    serde_json::from_str(body).map_err(|error| StoreError::Failed(error.to_string()))
}

impl KeptAnswer {
    /// Says that the response is the one to another request.
    pub(crate) fn reference(request: &RequestKey) -> Self {
        let RequestKey { tenant, owner, id } = request;
        Self {
            status: ELSEWHERE,
            content_type: "application/json".to_owned(),
            body: serde_json::json!([tenant, owner, id]).to_string(),
        }
    }
}

impl RequestKey {
    /// Key of the latest response of a question, by the id of the question.
    pub(crate) fn of_question(caller: &Identity, id: &str) -> Self {
        Self::of_session(caller, format!("{LATEST}{id}"))
    }

    /// Whether an id can only be that of a latest response, under which no client asks.
    pub(crate) fn is_internal(id: &str) -> bool {
        id.starts_with(LATEST)
    }

    /// Key of the run that continues a session.
    pub(crate) fn of_session(caller: &Identity, id: String) -> Self {
        Self { tenant: caller.tenant.clone(), owner: caller.owner().to_owned(), id }
    }

    pub(super) fn values(&self) -> [super::value::Value; 3] {
        [self.tenant.as_str().into(), self.owner.as_str().into(), self.id.as_str().into()]
    }
}
