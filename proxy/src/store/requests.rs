//! Requests that clients gave an id: each runs once, and a repetition gets the same answer.

use std::time::Duration;

use super::value::Statement;
use super::{HELD, Store, StoreError, now, seconds};
use crate::caller::Identity;

/// Time that an answer is kept for repetitions.
const KEPT: Duration = Duration::from_hours(24);

/// Whose request, and under which id.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct RequestKey {
    /// Tenant.
    pub tenant: String,
    /// Whose history it belongs to; empty where nobody said who they are.
    pub owner: String,
    /// Id that the client made.
    pub id: String,
}

/// Where a request stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Begun {
    /// It is the caller's to run.
    Mine,
    /// Another one with this id asked for something else.
    Other,
    /// It is running.
    Running,
    /// It was answered.
    Answered(KeptAnswer),
}

/// A request that was begun, here or elsewhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Asked {
    /// Some proxy works on it.
    Running,
    /// Whoever worked on it has gone: it may be sent again.
    Lost,
    /// It was answered.
    Answered(KeptAnswer),
}

/// An answer as it was sent.
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
    /// Begins a request, unless one with its id runs or was answered; `hash` tells what is asked for.
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
        // Gone meanwhile: it failed and may be tried again.
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

    /// Where a request stands; none where none of this key was begun, or it is long over.
    pub async fn asked(&self, key: &RequestKey) -> Result<Option<Asked>, StoreError> {
        let [tenant, owner, id] = key.values();
        let found = self
            .query_one(Statement::new(
                "SELECT held_until, status, content_type, body FROM requests \
                 WHERE tenant = $1 AND owner = $2 AND id = $3 AND expires_at > $4",
                [tenant, owner, id, now().into()],
            ))
            .await?;
        let Some(mut row) = found else { return Ok(None) };
        let held = row.integer(0)? > now();
        Ok(Some(match row.maybe_integer(1)? {
            None if held => Asked::Running,
            None => Asked::Lost,
            Some(status) => Asked::Answered(KeptAnswer {
                status: u16::try_from(status).unwrap_or(500),
                content_type: row.text(2)?,
                body: row.text(3)?,
            }),
        }))
    }

    /// Keeps a request that still runs from being run by another proxy; to be called every [`Store::HOLD_AGAIN`].
    pub async fn hold(&self, key: &RequestKey) -> Result<(), StoreError> {
        let [tenant, owner, id] = key.values();
        self.change_one(Statement::new(
            "UPDATE requests SET held_until = $4 WHERE tenant = $1 AND owner = $2 AND id = $3",
            [tenant, owner, id, (now() + seconds(HELD)).into()],
        ))
        .await
        .map(drop)
    }

    /// Keeps the answer of a request for those that repeat it.
    pub async fn answer(&self, key: &RequestKey, answer: KeptAnswer) -> Result<(), StoreError> {
        let [tenant, owner, id] = key.values();
        self.change_one(Statement::new(
            "UPDATE requests SET status = $4, content_type = $5, body = $6 \
             WHERE tenant = $1 AND owner = $2 AND id = $3",
            [
                tenant,
                owner,
                id,
                i64::from(answer.status).into(),
                answer.content_type.into(),
                answer.body.into(),
            ],
        ))
        .await
        .map(drop)
    }

    /// Forgets a request that may be tried again.
    pub async fn forget_request(&self, key: &RequestKey) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "DELETE FROM requests WHERE tenant = $1 AND owner = $2 AND id = $3",
            key.values(),
        ))
        .await
        .map(drop)
    }
}

impl RequestKey {
    /// Key that the work on an answered session goes by.
    pub(crate) fn of_session(caller: &Identity, id: String) -> Self {
        Self { tenant: caller.tenant.clone(), owner: caller.owner().to_owned(), id }
    }

    pub(super) fn values(&self) -> [super::value::Value; 3] {
        [self.tenant.as_str().into(), self.owner.as_str().into(), self.id.as_str().into()]
    }
}
