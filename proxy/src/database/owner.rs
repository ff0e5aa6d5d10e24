//! On whose behalf a statement runs.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::identity::Identity;

/// The authenticated user on whose behalf a statement runs, as a hash that is stable within the process.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct StatementOwner(u64);

impl StatementOwner {
    /// The owner of a caller's statements; `None` for callers without a name of their own, who cannot be told apart.
    pub fn of(identity: &Identity) -> Option<Self> {
        identity.user.as_ref()?;
        let mut hasher = DefaultHasher::new();
        identity.hash(&mut hasher);
        Some(Self(hasher.finish()))
    }
}
