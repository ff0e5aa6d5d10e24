//! Identity of a caller: a tenant, and a user if authentication is on.

use std::ops::RangeInclusive;

/// Tenant of callers if authentication is turned off, and of tokens without a tenant.
pub const DEFAULT_TENANT: &str = "default";

/// Identity of a caller, which the authentication middleware puts into the extensions of the request.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Identity {
    /// Tenant.
    pub tenant: String,
    /// User; `None` if authentication is turned off, or for a key of no user in particular.
    pub user: Option<String>,
}

impl Identity {
    /// The user as stored; empty if there is none.
    pub(crate) fn owner(&self) -> &str {
        self.user.as_deref().unwrap_or_default()
    }
}

impl Default for Identity {
    fn default() -> Self {
        Self { tenant: DEFAULT_TENANT.to_owned(), user: None }
    }
}

/// Minimum and maximum length of ids that clients generate, in characters.
pub(crate) const MADE_ID: RangeInclusive<usize> = 16..=64;

/// Whether an id of a client is well-formed: 16 to 64 letters, digits, hyphens and underscores.
pub(crate) fn is_made_id(id: &str) -> bool {
    MADE_ID.contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
