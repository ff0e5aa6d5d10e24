//! Sign-ins in the store: who a cookie stands for, by a hash of its id.

use std::time::Duration;

use super::value::Statement;
use super::{Store, StoreError, now, seconds};

/// Who signed in; times are seconds since 1970.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SignIn {
    /// Key that was used, where one was; revoking it ends the sign-in.
    pub key_id: Option<String>,
    /// Tenant.
    pub tenant: String,
    /// User.
    pub user: Option<String>,
    /// When it began.
    pub created_at: i64,
    /// When it was last used.
    pub last_seen_at: i64,
    /// When it ends whatever happens.
    pub expires_at: i64,
}

impl Store {
    /// Keeps a new sign-in under the hash of its id, for at most this long.
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

    /// The sign-in with this hash, which counts as used now; none where it ended or was idle for too long.
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

    /// Ends a sign-in; false where none has this hash.
    pub async fn delete_sign_in(&self, hash: &[u8]) -> Result<bool, StoreError> {
        let delete = Statement::new("DELETE FROM sign_ins WHERE hash = $1", [hash.into()]);
        Ok(self.change_one(delete).await? == 1)
    }
}
