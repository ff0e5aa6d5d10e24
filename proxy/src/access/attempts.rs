//! Rate limit on failed sign-ins and wrong bearer keys, against guessing of API keys.

use std::num::NonZeroU32;

use axum::http::Extensions;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::connections::Peer;
use crate::problem::{Problem, ProblemCode};

/// Failed sign-ins per minute and address. Of an IPv6 address, the network counts.
const FAILURES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Failed sign-ins, by address.
#[derive(Debug)]
pub(crate) struct Attempts(DefaultKeyedRateLimiter<Peer>);

impl Default for Attempts {
    fn default() -> Self {
        Self(RateLimiter::keyed(Quota::per_minute(FAILURES)))
    }
}

impl Attempts {
    /// Counts a failure of the client with these request extensions. Over the limit, the problem says how long to
    /// wait.
    pub(super) fn failed(&self, extensions: &Extensions) -> Result<(), Problem> {
        self.0.check_key(&Peer::of(extensions)).map_err(|early| {
            let detail = "too many failed sign-ins from this address; try again later";
            let seconds = early.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Problem::new(ProblemCode::TooManySignIns, detail).retry_after(seconds)
        })
    }

    /// Removes addresses whose limit is no longer in effect.
    pub(crate) fn sweep(&self) {
        self.0.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::extract::ConnectInfo;

    use super::*;

    #[test]
    fn failures_from_all_addresses_of_a_network_count_together() {
        let attempts = Attempts::default();
        let failed = |address: &str| {
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo(SocketAddr::new(address.parse().unwrap(), 1)));
            attempts.failed(&extensions).is_ok()
        };
        for number in 0..FAILURES.get() {
            assert!(failed(&format!("2001:db8::{number}")), "{number}");
        }
        assert!(!failed("2001:db8::ffff"));
        assert!(failed("2001:db8:0:1::1"));
    }
}
