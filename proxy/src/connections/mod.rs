//! Open connections: their phases, and which of them are closed before their time.
//!
//! Connections that wait (idle, or with an incomplete request) cost file descriptors only. If there are too many, the
//! oldest of the peer with the most are closed. A connection whose request was admitted is closed only if its reader
//! stalls.

mod connection;
mod descriptors;
mod lingering;
mod peer;
mod socket;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;

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
/// Share of the connections that are closed at once, so that a flood does not search all of them each time.
const BATCH: usize = 32;

/// Open connections of the process.
#[derive(Debug)]
pub struct Connections {
    most: usize,
    stalled: Duration,
    metrics: Arc<Metrics>,
    last_id: AtomicU64,
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
        Arc::new(Self { most: most.max(1), stalled, metrics, last_id, open })
    }

    /// An entry for a connection that is served next.
    pub fn entry(self: &Arc<Self>) -> Registered {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed);
        Registered { connections: Arc::clone(self), id }
    }

    /// Adds a connection that a task serves; the task holds the entry.
    pub fn add(&self, id: u64, connection: Arc<Connection>, task: AbortHandle) {
        // A task that has ended by now has removed its entry already.
        let mut open = self.open();
        if !task.is_finished() {
            open.insert(id, Open { connection, task });
        }
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

    fn close_slow(&self) {
        self.open().retain(|_, open| {
            let Open { connection, .. } = open;
            let reason = if connection.head_age() > HEAD {
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

    /// Closes the oldest waiting connections of the peer that has most of them. Those that were never signed in go
    /// first.
    fn close_oldest(&self, open: &mut BTreeMap<u64, Open>) -> usize {
        let waiting = |signed_in: bool| {
            let found = open.iter().filter(move |(_, open)| {
                open.connection.is_waiting() && open.connection.is_signed_in() == signed_in
            });
            let mut by_peer: BTreeMap<Peer, Vec<(u64, u64)>> = BTreeMap::new();
            for (id, Open { connection, .. }) in found {
                by_peer.entry(connection.peer()).or_default().push((connection.since(), *id));
            }
            by_peer.into_values().max_by_key(Vec::len)
        };
        let Some(mut oldest) = waiting(false).or_else(|| waiting(true)) else { return 0 };
        oldest.sort_unstable();
        oldest.truncate((self.most / BATCH).max(1));
        for (_, id) in &oldest {
            if let Some(open) = open.remove(id) {
                self.close(&open, Dropped::Crowded);
            }
        }
        oldest.len()
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

impl Registered {
    /// Id of the entry.
    pub fn id(&self) -> u64 {
        self.id
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

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
            let entry = self.connections.entry();
            let id = entry.id();
            let task = tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(entry);
            });
            self.connections.add(id, Arc::clone(&connection), task.abort_handle());
            self.tasks.push(task);
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
}
