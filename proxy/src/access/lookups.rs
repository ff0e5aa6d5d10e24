//! Bound on lookups of credentials in the store, which happen before a request is admitted.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;

use crate::connections::Peer;
use crate::holder::Holder;
use crate::identity::Identity;
use crate::limits::Slots;
use crate::problem::{Problem, ProblemCode};
use crate::store::StoreError;

/// Concurrent lookups of credentials that were not valid recently. One address can have half of those that are free.
const UNKNOWN: usize = 256;
/// Number of credentials that are remembered as valid, and the time since their last use.
const KNOWN: u64 = 10_000;
const KNOWN_TIME: Duration = Duration::from_hours(1);
/// Maximum time for which the result of a lookup is cached. The requests that share it remove it as soon as they have it.
const RUNNING_TIME: Duration = Duration::from_secs(1);

/// Lookups of credentials. Concurrent requests with the same credentials share one lookup. Credentials that were valid
/// recently are looked up again too, but do not count against the bound.
#[derive(Debug)]
pub(crate) struct Lookups {
    /// Lookups in progress.
    running: Cache<[u8; 32], Option<Identity>>,
    unknown: Arc<Slots>,
    /// Digests of credentials that were valid when they were last looked up.
    known: Cache<[u8; 32], ()>,
}

impl Default for Lookups {
    fn default() -> Self {
        let known = Cache::builder().max_capacity(KNOWN).time_to_idle(KNOWN_TIME).build();
        let running = Cache::builder().max_capacity(KNOWN).time_to_live(RUNNING_TIME).build();
        Self { running, unknown: Slots::new(UNKNOWN, 1), known }
    }
}

impl Lookups {
    /// The caller with a credential of this digest, if a lookup is possible now.
    pub(super) async fn find(
        &self,
        digest: [u8; 32],
        peer: Peer,
        lookup: impl Future<Output = Result<Option<Identity>, StoreError>>,
    ) -> Result<Option<Identity>, Problem> {
        let found = self.running.try_get_with(digest, self.look_up(digest, peer, lookup)).await;
        // Only requests that wait share the result, so that a revoked key is refused at once.
        self.running.invalidate(&digest).await;
        found.map_err(|problem| (*problem).clone())
    }

    async fn look_up(
        &self,
        digest: [u8; 32],
        peer: Peer,
        lookup: impl Future<Output = Result<Option<Identity>, StoreError>>,
    ) -> Result<Option<Identity>, Problem> {
        let is_known = self.known.get(&digest).await.is_some();
        let mut slot = self.unknown.none(&Holder::Peer(peer));
        if !is_known && !slot.grow(1) {
            let detail = "too many unknown credentials are being checked";
            return Err(Problem::new(ProblemCode::TooManyRequests, detail)
                .with("retryable", true)
                .retry_after(1));
        }
        let found = lookup.await?;
        match (&found, is_known) {
            (Some(_), false) => self.known.insert(digest, ()).await,
            (None, true) => self.known.invalidate(&digest).await,
            _ => {}
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{pending, ready};
    use std::net::IpAddr;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use futures_util::future::join_all;

    use super::*;

    type Found = Result<Option<Identity>, StoreError>;
    type Lookup<'a> = Pin<Box<dyn Future<Output = Result<Option<Identity>, Problem>> + 'a>>;

    fn ann() -> Identity {
        Identity { tenant: "default".to_owned(), user: Some("ann".to_owned()) }
    }

    fn peer(last: u8) -> Peer {
        Peer::new(IpAddr::from([192, 0, 2, last]))
    }

    fn digest(number: usize) -> [u8; 32] {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_le_bytes());
        digest
    }

    /// Polls a lookup once. Returns the code of its problem.
    fn begin(lookup: &mut Lookup<'_>) -> Option<String> {
        match lookup.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Err(problem)) => Some(problem.code().to_owned()),
            _ => None,
        }
    }

    #[tokio::test]
    async fn unknown_credentials_of_one_address_leave_lookups_to_others() {
        let lookups = Lookups::default();
        let known = digest(usize::MAX);
        let valid = || ready::<Found>(Ok(Some(ann())));
        lookups.find(known, peer(1), valid()).await.unwrap();
        let mut held: Vec<Lookup<'_>> = Vec::new();
        let refused = loop {
            let mut lookup: Lookup<'_> =
                Box::pin(lookups.find(digest(held.len()), peer(1), pending::<Found>()));
            if let Some(code) = begin(&mut lookup) {
                break code;
            }
            assert!(held.len() < UNKNOWN, "no lookup is refused");
            held.push(lookup);
        };
        assert_eq!((refused.as_str(), held.len()), ("too_many_requests", UNKNOWN / 2));
        assert_eq!(lookups.find(known, peer(1), valid()).await.unwrap(), Some(ann()));
        assert_eq!(lookups.find(digest(UNKNOWN), peer(2), valid()).await.unwrap(), Some(ann()));
        let revoked = || ready::<Found>(Ok(None));
        assert_eq!(lookups.find(known, peer(2), revoked()).await.unwrap(), None);
        let unknown = lookups.find(known, peer(1), revoked()).await;
        assert_eq!(unknown.unwrap_err().code(), "too_many_requests");
    }

    #[tokio::test]
    async fn requests_at_the_same_time_share_a_lookup() {
        let lookups = Lookups::default();
        let count = Cell::new(0);
        let find = || async {
            let lookup = async {
                count.set(count.get() + 1);
                tokio::task::yield_now().await;
                Ok(Some(ann()))
            };
            lookups.find(digest(1), peer(1), lookup).await.unwrap()
        };
        let found = join_all((0..UNKNOWN).map(|_| find())).await;
        assert!(found.iter().all(|found| *found == Some(ann())));
        assert_eq!(count.get(), 1);
        assert_eq!(find().await, Some(ann()));
        assert_eq!(count.get(), 2, "a result is not kept");
    }
}
