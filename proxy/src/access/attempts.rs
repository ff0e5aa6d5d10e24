//! Rate limit on failed sign-ins and wrong bearer keys, against guessing of API keys.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use axum::extract::ConnectInfo;
use axum::http::Extensions;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::problem::{Problem, ProblemCode};

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
    /// Counts a failure of the client with these request extensions. Over the limit, the problem says how long to
    /// wait.
    pub(super) fn failed(&self, extensions: &Extensions) -> Result<(), Problem> {
        let address = extensions.get::<ConnectInfo<SocketAddr>>();
        let address = address.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
        self.0.check_key(&address).map_err(|early| {
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
