//! Identity of a caller: a tenant, and a user if authentication is on.

use std::ops::RangeInclusive;

use crate::rights::Rights;

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
    /// Makes a user with these rights another one than the same user with other rights.
    ///
    /// Whatever is stored for the user then holds only values that the user could see with the rights of today.
    pub(crate) fn restrict(&mut self, rights: &Rights) {
        if let Some(user) = &mut self.user {
            // The key has a fixed length, so that no name can contain that of other rights.
            user.push('#');
            user.push_str(rights.key());
        }
    }

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
