//! Sign-ins in the store, by a hash of the id in the cookie.

use std::time::Duration;

use super::value::Statement;
use super::{Store, StoreError, now, seconds};

/// A sign-in. Times are in seconds since 1970.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SignIn {
    /// API key of the sign-in, whose revocation ends it.
    pub key_id: Option<String>,
    /// Tenant.
    pub tenant: String,
    /// User.
    pub user: Option<String>,
    /// Creation time.
    pub created_at: i64,
    /// Last use.
    pub last_seen_at: i64,
    /// Latest expiry.
    pub expires_at: i64,
}

impl Store {
    /// Stores a new sign-in under the hash of its id, with a maximum lifetime.
    pub async fn add_sign_in(
        &self,
        hash: &[u8],
        key_id: Option<&str>,
        tenant: &str,
        user: Option<&str>,
        lifetime: Duration,
    ) -> Result<(), StoreError> {
        let now = now();
        let values = [
            hash.into(),
            key_id.map(str::to_owned).into(),
            tenant.into(),
            user.unwrap_or_default().into(),
            now.into(),
            (now + seconds(lifetime)).into(),
        ];
        self.change_one(Statement::new(
            "INSERT INTO sign_ins (hash, key_id, tenant, owner, created_at, last_seen_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $5, $6)",
            values,
        ))
        .await
        .map(drop)
    }

    /// Active sign-in with this hash, whose last use is updated.
    pub async fn use_sign_in(
        &self,
        hash: &[u8],
        idle: Duration,
    ) -> Result<Option<SignIn>, StoreError> {
        let now = now();
        let row = self
            .query_one(Statement::new(
                "UPDATE sign_ins SET last_seen_at = $2 \
                 WHERE hash = $1 AND expires_at > $2 AND last_seen_at > $3 \
                 RETURNING key_id, tenant, owner, created_at, expires_at",
                [hash.into(), now.into(), (now - seconds(idle)).into()],
            ))
            .await?;
        let Some(mut row) = row else { return Ok(None) };
        Ok(Some(SignIn {
            key_id: row.maybe_text(0)?,
            tenant: row.text(1)?,
            user: Some(row.text(2)?).filter(|user| !user.is_empty()),
            created_at: row.integer(3)?,
            last_seen_at: now,
            expires_at: row.integer(4)?,
        }))
    }

    /// Deletes a sign-in. Returns `false` if none has this hash.
    pub async fn delete_sign_in(&self, hash: &[u8]) -> Result<bool, StoreError> {
        let delete = Statement::new("DELETE FROM sign_ins WHERE hash = $1", [hash.into()]);
        Ok(self.change_one(delete).await? == 1)
    }
}
