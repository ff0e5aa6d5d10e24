//! Commands `key add`, `key list` and `key revoke`: API keys in the store.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use thiserror::Error;

use crate::access::keys::{digest, new_key};
use crate::config::{Config, Contradiction, KeyAction, KeyTarget};
use crate::store::{ApiKey, NewKey, Store, StoreError};

/// Maximum length of the name of a user or key, in characters.
const NAME: usize = 128;

/// Why a command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeyCommandError {
    /// A text is empty, too long or contains control characters.
    #[error("--{0} must have 1 to {NAME} characters")]
    Name(&'static str),
    /// The system has no source of randomness.
    #[error("cannot generate a key: {0}")]
    NoRandom(#[from] getrandom::Error),
    /// The options do not specify a store.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No active key has this id.
    #[error("no active key has this id; list keys with `wherefore-proxy key list`")]
    UnknownKey,
    /// The options specify tenants, and not this one.
    #[error("unknown tenant: {0}")]
    UnknownTenant(String),
}

/// Runs a command and returns its output.
pub async fn run(action: KeyAction) -> Result<String, KeyCommandError> {
    match action {
        KeyAction::Add(target) => add(*target).await,
        KeyAction::List(config) => {
            let keys = store(&config).await?.list_keys().await?;
            Ok(keys.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        KeyAction::Revoke { id, config } => {
            if store(&config).await?.revoke_key(&id).await? {
                Ok("revoked the key and its sign-ins".to_owned())
            } else {
                Err(KeyCommandError::UnknownKey)
            }
        }
    }
}

async fn add(target: KeyTarget) -> Result<String, KeyCommandError> {
    let KeyTarget { tenant, user, name, expires_days, config } = target;
    let is_text = |text: &str| text.chars().count() <= NAME && !text.chars().any(char::is_control);
    if user.trim().is_empty() || !is_text(&user) {
        return Err(KeyCommandError::Name("user"));
    }
    if !is_text(&name) {
        return Err(KeyCommandError::Name("name"));
    }
    let known = &config.tenants;
    if !known.is_empty() && !known.iter().any(|known| known.name == tenant) {
        return Err(KeyCommandError::UnknownTenant(tenant));
    }
    let expires_at = expires_days.map(|days| {
        let at = SystemTime::now() + Duration::from_hours(24 * u64::from(days));
        let seconds = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
        i64::try_from(seconds).unwrap_or(i64::MAX)
    });
    let key = new_key()?;
    let hash = digest(&key).to_vec();
    let kept = NewKey { hash, tenant, user: Some(user), name, expires_at };
    let id = store(&config).await?.add_key(kept).await?;
    Ok(format!("{key}\nid {id}; the key is not shown again"))
}

async fn store(config: &Config) -> Result<Store, KeyCommandError> {
    Ok(Store::open(&config.store_address()?).await?)
}

/// A key as one line of tab-separated fields.
fn line(key: &ApiKey) -> String {
    let day = |seconds: Option<i64>| {
        let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        time.map_or_else(|| "-".to_owned(), |time| time.to_string())
    };
    let state = match key.is_in_force() {
        true => "active",
        false if key.revoked_at.is_some() => "revoked",
        false => "expired",
    };
    let user = key.user.as_deref().unwrap_or("-");
    let parts = [
        key.id.clone(),
        state.to_owned(),
        key.tenant.clone(),
        user.to_owned(),
        key.name.clone(),
        format!("created {}", day(Some(key.created_at))),
        format!("expires {}", day(key.expires_at)),
        format!("last used {}", day(key.last_used_at)),
    ];
    parts.join("\t")
}
