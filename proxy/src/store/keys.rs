//! API keys in the store, by a hash of each.

use std::time::Duration;

use super::value::{Row, Statement};
use super::{Store, StoreError, new_id, now};

/// Seconds within which the last use of a key is not noted again.
const NOTED: i64 = 60;

/// A key to be kept.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Hash of the key; the key itself is never kept.
    pub hash: Vec<u8>,
    /// Tenant whose data it opens.
    pub tenant: String,
    /// User it stands for; none where nobody in particular.
    pub user: Option<String>,
    /// What people call it.
    pub name: String,
    /// When it ends, in seconds since 1970.
    pub expires_at: Option<i64>,
}

/// A key as kept, without its hash; times are seconds since 1970.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiKey {
    /// Id to revoke it by.
    pub id: String,
    /// Tenant whose data it opens.
    pub tenant: String,
    /// User it stands for.
    pub user: Option<String>,
    /// What people call it.
    pub name: String,
    /// When it was made.
    pub created_at: i64,
    /// When it ends.
    pub expires_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<i64>,
}

impl ApiKey {
    /// Time until it ends, where it ends by itself.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.expires_at? - now();
        Some(Duration::from_secs(u64::try_from(left).unwrap_or_default()))
    }

    /// Whether its last use was noted less than a minute ago.
    pub(crate) fn is_noted(&self) -> bool {
        self.last_used_at.is_some_and(|at| at > now() - NOTED)
    }

    /// Whether it can be used.
    pub fn is_in_force(&self) -> bool {
        self.revoked_at.is_none() && self.time_left().is_none_or(|left| !left.is_zero())
    }
}

impl Store {
    /// Keeps a key, and gives its id; a hash that is known is refused.
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

    /// The key with this hash, unless it was revoked or has ended.
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

    /// Notes that a key was used, at most once a minute.
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

    /// Revokes a key and ends every sign-in with it; false where no key in force has this id.
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

    /// Every key, those revoked too, oldest first.
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
