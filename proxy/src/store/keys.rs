//! API keys in the store, by a hash of each.

use std::time::Duration;

use super::value::{Row, Statement};
use super::{Store, StoreError, new_id, now};

/// Interval in seconds at which the use of a key is recorded.
const NOTED: i64 = 60;

/// A key to store.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// SHA-256 of the key; the key itself is never stored.
    pub hash: Vec<u8>,
    /// Tenant whose data the key gives access to.
    pub tenant: String,
    /// User of the key; `None` for no user in particular.
    pub user: Option<String>,
    /// Display name.
    pub name: String,
    /// Expiry, in seconds since 1970.
    pub expires_at: Option<i64>,
}

/// An API key as stored, without its hash. Times are in seconds since 1970.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiKey {
    /// Id by which the key can be revoked.
    pub id: String,
    /// Tenant whose data the key gives access to.
    pub tenant: String,
    /// User of the key.
    pub user: Option<String>,
    /// Display name.
    pub name: String,
    /// Creation time.
    pub created_at: i64,
    /// Expiry.
    pub expires_at: Option<i64>,
    /// Time of revocation.
    pub revoked_at: Option<i64>,
    /// Last use, to the minute.
    pub last_used_at: Option<i64>,
}

impl ApiKey {
    /// Time until the key expires, if it does.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.expires_at? - now();
        Some(Duration::from_secs(u64::try_from(left).unwrap_or(0)))
    }

    /// Whether the last use of the key was recorded less than a minute ago.
    pub(crate) fn is_noted(&self) -> bool {
        self.last_used_at.is_some_and(|at| at > now() - NOTED)
    }

    /// Whether the key is active.
    pub fn is_in_force(&self) -> bool {
        self.revoked_at.is_none() && self.time_left().is_none_or(|left| !left.is_zero())
    }
}

impl Store {
    /// Stores a key and returns its id. A duplicate hash is an error.
    pub async fn add_key(&self, key: NewKey) -> Result<String, StoreError> {
        let id = new_id("key")?;
        let NewKey { hash, tenant, user, name, expires_at } = key;
        let values = [
            id.as_str().into(),
            hash.into(),
            tenant.into(),
            user.unwrap_or_default().into(),
            name.into(),
            now().into(),
            expires_at.into(),
        ];
        self.change_one(Statement::new(
            "INSERT INTO api_keys (id, hash, tenant, owner, name, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            values,
        ))
        .await?;
        Ok(id)
    }

    /// The active key with this hash.
    pub async fn find_key(&self, hash: &[u8]) -> Result<Option<ApiKey>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT id, tenant, owner, name, created_at, expires_at, revoked_at, last_used_at \
                 FROM api_keys WHERE hash = $1 AND revoked_at IS NULL \
                 AND (expires_at IS NULL OR expires_at > $2)",
                [hash.into(), now().into()],
            ))
            .await?;
        row.map(key).transpose()
    }

    /// Records the use of a key, at most once a minute.
    pub async fn touch_key(&self, id: &str) -> Result<(), StoreError> {
        let now = now();
        self.change_one(Statement::new(
            "UPDATE api_keys SET last_used_at = $2 \
             WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
            [id.into(), now.into(), (now - NOTED).into()],
        ))
        .await
        .map(drop)
    }

    /// Revokes a key and ends all sign-ins with it. Returns `false` if no active key has this id.
    pub async fn revoke_key(&self, id: &str) -> Result<bool, StoreError> {
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
                    [id.into(), now().into()],
                ),
                Statement::new("DELETE FROM sign_ins WHERE key_id = $1", [id.into()]),
            ])
            .await?;
        Ok(changed.first() == Some(&1))
    }

    /// All keys, including revoked ones, oldest first.
    pub async fn list_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        let rows = self
            .query(Statement::new(
                "SELECT id, tenant, owner, name, created_at, expires_at, revoked_at, last_used_at \
                 FROM api_keys ORDER BY created_at, id",
                [],
            ))
            .await?;
        rows.into_iter().map(key).collect()
    }
}

fn key(mut row: Row) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: row.text(0)?,
        tenant: row.text(1)?,
        user: Some(row.text(2)?).filter(|user| !user.is_empty()),
        name: row.text(3)?,
        created_at: row.integer(4)?,
        expires_at: row.maybe_integer(5)?,
        revoked_at: row.maybe_integer(6)?,
        last_used_at: row.maybe_integer(7)?,
    })
}
