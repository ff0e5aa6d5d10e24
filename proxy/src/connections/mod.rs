//! Open connections: their phases, and which of them are closed before their time.
//!
//! Connections that wait (idle, or with an incomplete request) cost file descriptors only. If there are too many, the
//! oldest of the peer with the most are closed: first those beyond the share of a peer, then those that were never
//! signed in. A connection whose request was admitted is closed only if its reader stalls.

mod connection;
mod descriptors;
mod lingering;
mod peer;
mod socket;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{AbortHandle, AbortRegistration};

pub use self::connection::{Busy, Connection};
pub use self::descriptors::room_for;
pub use self::lingering::Lingering;
pub use self::peer::Peer;
pub use self::socket::Watched;
use crate::metrics::{Dropped, Metrics};

/// Time limit of a request head, from its first byte.
const HEAD: Duration = Duration::from_secs(10);
/// Interval of looking for slow connections.
const SWEEP: Duration = Duration::from_millis(250);
/// Part of all connections that one peer can have waiting before its own are closed first.
const SHARE: usize = 8;
/// Time after which an incomplete request is given up at shutdown.
const LAST_HEAD: Duration = Duration::from_secs(1);
/// Share of the connections that are closed at once, so that a flood does not search all of them each time.
const BATCH: usize = 32;

/// Open connections of the process.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    stalled: Duration,
    metrics: Arc<Metrics>,
    last_id: AtomicU64,
    is_stopping: AtomicBool,
    open: Mutex<BTreeMap<u64, Open>>,
}

/// An open connection, and the handle that closes it.
#[derive(Debug)]
struct Open {
    connection: Arc<Connection>,
    task: AbortHandle,
}

/// Entry of a connection, removed when dropped.
#[derive(Debug)]
pub struct Registered {
    connections: Arc<Connections>,
    id: u64,
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.connections.open().remove(&self.id);
    }
}

impl Connections {
    /// At most this many connections, each closed if its reader takes nothing for this time.
    pub fn new(most: usize, stalled: Duration, metrics: Arc<Metrics>) -> Arc<Self> {
        let (last_id, open) = (AtomicU64::new(0), Mutex::default());
        let is_stopping = AtomicBool::new(false);
        Arc::new(Self { most: most.max(1), stalled, metrics, last_id, is_stopping, open })
    }

    /// Adds a connection. It is served by a future that holds the entry and can be aborted.
    pub fn add(self: &Arc<Self>, connection: Arc<Connection>) -> (Registered, AbortRegistration) {
        let (task, registration) = AbortHandle::new_pair();
        let id = self.last_id.fetch_add(1, Ordering::Relaxed);
        self.open().insert(id, Open { connection, task });
        (Registered { connections: Arc::clone(self), id }, registration)
    }

    /// Makes room for another connection. Returns `false` if all are in use.
    pub fn has_room(&self) -> bool {
        let mut open = self.open();
        open.len() < self.most || self.close_oldest(&mut open) > 0
    }

    /// Closes some waiting connections, since the process has no file descriptors left.
    pub fn shrink(&self) {
        self.close_oldest(&mut self.open());
    }

    /// Closes connections with a slow request head or a stalled reader, until it is aborted.
    pub async fn watch(&self) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.close_slow();
        }
    }

    /// Gives up incomplete requests at shutdown: they can be sent again.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    fn close_slow(&self) {
        let is_stopping = self.is_stopping.load(Ordering::Relaxed);
        self.open().retain(|_, open| {
            let Open { connection, .. } = open;
            let is_late = is_stopping && connection.entering_age() > LAST_HEAD;
            let reason = if is_late || connection.head_age() > HEAD {
                Dropped::SlowHead
            } else if connection.is_closing() || connection.stalled_for() > self.stalled {
                Dropped::Stalled
            } else {
                return true;
            };
            self.close(open, reason);
            false
        });
    }

    /// Closes the oldest waiting connections of one peer. Returns their number.
    fn close_oldest(&self, open: &mut BTreeMap<u64, Open>) -> usize {
        let mut oldest = self.to_close(open);
        oldest.sort_unstable();
        oldest.truncate((self.most / BATCH).max(1));
        for (_, id) in &oldest {
            if let Some(open) = open.remove(id) {
                self.close(&open, Dropped::Crowded);
            }
        }
        oldest.len()
    }

    /// Waiting connections of the peer whose are closed first, with their times.
    ///
    /// That is the peer with the most, if these exceed its share; otherwise the one with the most that were never signed
    /// in; otherwise the one with the most. Connections with output that was not taken come last.
    fn to_close(&self, open: &BTreeMap<u64, Open>) -> Vec<(u64, u64)> {
        for is_blocked in [false, true] {
            let waiting = open.iter().filter(|(_, open)| {
                open.connection.is_waiting() && open.connection.is_blocked() == is_blocked
            });
            let mut groups: BTreeMap<(bool, Peer), Vec<(u64, u64)>> = BTreeMap::new();
            for (id, Open { connection, .. }) in waiting {
                let group = groups.entry((connection.is_signed_in(), connection.peer()));
                group.or_default().push((connection.since(), *id));
            }
            let share = (self.most / SHARE).max(1);
            let order = |(key, group): &((bool, Peer), Vec<(u64, u64)>)| {
                (if group.len() > share { group.len() } else { 0 }, !key.0, group.len())
            };
            if let Some((_, group)) = groups.into_iter().max_by_key(order) {
                return group;
            }
        }
        Vec::new()
    }

    fn close(&self, open: &Open, reason: Dropped) {
        self.metrics.connection_dropped(reason);
        if matches!(reason, Dropped::Stalled) {
            open.connection.reset();
        }
        open.task.abort();
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::future::Abortable;

    use super::*;

    struct Held {
        connections: Arc<Connections>,
        tasks: Vec<tokio::task::JoinHandle<()>>,
    }

    impl Held {
        fn new(most: usize) -> Self {
            let metrics = Arc::<Metrics>::default();
            Self { connections: Connections::new(most, HEAD, metrics), tasks: Vec::new() }
        }

        fn add(&mut self, peer: [u8; 4]) -> Arc<Connection> {
            let connection = Arc::new(Connection::new(Peer::new(IpAddr::from(peer))));
            let (entry, registration) = self.connections.add(Arc::clone(&connection));
            let served = Abortable::new(std::future::pending::<()>(), registration);
            self.tasks.push(tokio::spawn(async move {
                let _ = served.await;
                drop(entry);
            }));
            connection
        }

        /// Indexes of the connections that were closed.
        async fn closed(&self) -> Vec<usize> {
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            (0..self.tasks.len()).filter(|index| self.tasks[*index].is_finished()).collect()
        }
    }

    #[tokio::test]
    async fn the_oldest_of_the_peer_with_most_makes_room() {
        let mut held = Held::new(4);
        held.add([10, 0, 0, 1]);
        for _ in 0..3 {
            held.add([10, 0, 0, 2]);
        }
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await, [1]);
        assert!(held.connections.has_room(), "there is room without closing another");
        assert_eq!(held.closed().await, [1]);
    }

    #[tokio::test]
    async fn who_signed_in_goes_last_and_who_is_served_stays() {
        let mut held = Held::new(3);
        let first = held.add([10, 0, 0, 1]);
        first.signed_in();
        let second = held.add([10, 0, 0, 1]);
        let busy = Connection::admit(&second);
        held.add([10, 0, 0, 2]);
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await, [2]);
        held.add([10, 0, 0, 1]).signed_in();
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await, [0, 2]);
        let third = held.add([10, 0, 0, 3]);
        let third = Connection::admit(&third);
        held.connections.shrink();
        assert_eq!(held.closed().await, [0, 2, 3]);
        held.connections.shrink();
        assert_eq!(held.closed().await, [0, 2, 3], "all others are served");
        drop((busy, third));
        held.connections.shrink();
        assert_eq!(held.closed().await.len(), 4);
    }

    #[tokio::test]
    async fn a_user_with_more_than_a_share_makes_room_before_who_is_not_signed_in_yet() {
        let mut held = Held::new(17);
        for _ in 0..3 {
            held.add([10, 0, 0, 1]).signed_in();
        }
        for number in 2..16 {
            held.add([10, 0, 0, number]);
        }
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await, [0]);
        held.add([10, 0, 0, 16]);
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await.len(), 2);
        assert!(!held.closed().await.contains(&1), "two are its share");
    }

    #[tokio::test]
    async fn a_response_that_is_still_read_is_closed_last() {
        let mut held = Held::new(2);
        held.add([10, 0, 0, 1]).sent(false);
        held.add([10, 0, 0, 1]);
        assert!(held.connections.has_room());
        assert_eq!(held.closed().await, [1]);
        held.connections.shrink();
        assert_eq!(held.closed().await, [0, 1]);
    }

    #[tokio::test]
    async fn a_connection_that_ends_at_once_leaves_no_entry() {
        let held = Held::new(2);
        let connection = Arc::new(Connection::new(Peer::default()));
        let (entry, _) = held.connections.add(connection);
        assert_eq!(held.connections.open().len(), 1);
        drop(entry);
        assert!(held.connections.open().is_empty());
    }
}
