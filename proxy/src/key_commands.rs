//! `key add`, `key list` and `key revoke`: API keys of the store.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use thiserror::Error;

use crate::access::keys::{digest, new_key};
use crate::config::{Config, Contradiction, KeyAction, KeyTarget};
use crate::store::{ApiKey, NewKey, Store, StoreError};

/// Longest name of a user or key, in characters.
const NAME: usize = 128;

/// Why nothing was done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeyCommandError {
    /// A text is empty, too long or holds control characters.
    #[error("--{0} takes a text of 1 to {NAME} characters")]
    Name(&'static str),
    /// Nothing is random here.
    #[error("no key can be made: {0}")]
    NoRandom(#[from] getrandom::Error),
    /// The options do not name a store.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No key in force has this id.
    #[error("no key in force has this id; `wherefore-proxy key list` shows them")]
    UnknownKey,
    /// The options name tenants, and not this one.
    #[error("tenant is unknown: {0}")]
    UnknownTenant(String),
}

/// Does what is asked for, and gives what is to be shown.
pub async fn run(action: KeyAction) -> Result<String, KeyCommandError> {
    match action {
        KeyAction::Add(target) => add(*target).await,
        KeyAction::List(config) => {
            let keys = store(&config).await?.list_keys().await?;
            Ok(keys.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        KeyAction::Revoke { id, config } => {
            if store(&config).await?.revoke_key(&id).await? {
                Ok("revoked, with every sign-in made with it".to_owned())
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
        let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        i64::try_from(seconds).unwrap_or(i64::MAX)
    });
    let key = new_key()?;
    let hash = digest(&key).to_vec();
    let kept = NewKey { hash, tenant, user: Some(user), name, expires_at };
    let id = store(&config).await?.add_key(kept).await?;
    Ok(format!("{key}\nid {id}; the key is shown this once"))
}

async fn store(config: &Config) -> Result<Store, KeyCommandError> {
    Ok(Store::open(&config.store_address()?).await?)
}

/// A key on one line, with tabs between its parts.
fn line(key: &ApiKey) -> String {
    let day = |seconds: Option<i64>| {
        let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        time.map_or_else(|| "-".to_owned(), |time| time.to_string())
    };
    let state = match key.is_in_force() {
        true => "in force",
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
        format!("made {}", day(Some(key.created_at))),
        format!("ends {}", day(key.expires_at)),
        format!("used {}", day(key.last_used_at)),
    ];
    parts.join("\t")
}
