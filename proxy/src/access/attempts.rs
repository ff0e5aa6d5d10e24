//! Rate limit on failed sign-ins, against guessing of API keys.

use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Failed sign-ins per minute and IP address.
const FAILURES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Failed sign-ins, by IP address.
#[derive(Debug)]
pub(crate) struct Attempts(DefaultKeyedRateLimiter<IpAddr>);

impl Default for Attempts {
    fn default() -> Self {
        Self(RateLimiter::keyed(Quota::per_minute(FAILURES)))
    }
}

impl Attempts {
    /// Counts a failure. Over the limit, the error is the number of seconds to wait.
    pub(super) fn failed(&self, address: IpAddr) -> Result<(), u64> {
        self.0
            .check_key(&address)
            .map_err(|early| early.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
    }

    /// Removes addresses whose limit is no longer in effect.
    pub(crate) fn sweep(&self) {
        self.0.retain_recent();
    }
}
