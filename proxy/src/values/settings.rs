//! Limits and lifetimes of value lists and searches.

use std::time::Duration;

/// Maximum number of values that a search returns.
pub const FOUND_VALUES: u32 = 50;

/// Settings of value lists and searches.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ValueSettings {
    /// Maximum number of values in a list.
    pub listed: u32,
    /// Timeout of reading a list.
    pub budget: Duration,
    /// Age at which a list is refreshed; it is served meanwhile.
    pub fresh: Duration,
    /// Lifetime of cached searches.
    pub found: Duration,
    /// Time before a failed search is retried.
    pub failed: Duration,
    /// Maximum number of cached lists.
    pub kept_lists: u64,
    /// Maximum number of cached searches.
    pub kept_searches: u64,
}

impl Default for ValueSettings {
    fn default() -> Self {
        Self {
            listed: 500,
            budget: Duration::from_millis(500),
            fresh: Duration::from_mins(10),
            found: Duration::from_mins(1),
            failed: Duration::from_secs(3),
            kept_lists: 1_000,
            kept_searches: 2_000,
        }
    }
}
