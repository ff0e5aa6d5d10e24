//! Connections to a database, shared among callers, so that none holds all of them while others wait.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::DatabaseError;
use crate::connections::Connection;
use crate::identity::Identity;

/// Timeout of waiting for a turn.
const WAIT: Duration = Duration::from_secs(5);
/// Interval of looking for an export whose reader has stalled, while another caller waits.
const LOOK: Duration = Duration::from_millis(250);
/// Time after which an export is aborted if its reader takes nothing while another caller waits.
const STALLED: Duration = Duration::from_secs(1);
/// Number of times that the statements of one caller may exceed the free connections.
const SHARE: usize = 3;

/// Turns of statements on a database.
///
/// A caller holds at most three times as many connections as are free, and with exports at most as many. Unless there
/// is only one connection, each caller leaves one to the others, and the exports of all leave one to statements that
/// end soon.
#[derive(Debug)]
pub struct Turns {
    total: usize,
    held: Mutex<Vec<Held>>,
    freed: Notify,
}

#[derive(Debug)]
struct Held {
    id: u64,
    who: Identity,
    usage: Usage,
}

/// What a connection to the database is used for.
#[derive(Clone, Debug)]
enum Usage {
    /// A statement whose rows are read at once.
    Query,
    /// An export, and the connection of its client if there is one.
    Export(Option<Arc<Connection>>),
}

impl Usage {
    fn is_export(&self) -> bool {
        matches!(self, Self::Export(_))
    }
}

/// The turn of one statement, which ends when it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    id: u64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.held().retain(|held| held.id != self.id);
        self.turns.freed.notify_waiters();
    }
}

impl Turns {
    /// Turns on so many connections.
    pub fn new(connections: u32) -> Self {
        let total = connections.max(1) as usize;
        Self { total, held: Mutex::default(), freed: Notify::new() }
    }

    /// Waits for the turn of a statement whose rows are read at once.
    pub async fn query(self: &Arc<Self>, who: &Identity) -> Result<Turn, DatabaseError> {
        self.wait(who, Usage::Query).await
    }

    /// Waits for the turn of an export to a client, which may stall.
    pub async fn export(
        self: &Arc<Self>,
        who: &Identity,
        reader: Option<Arc<Connection>>,
    ) -> Result<Turn, DatabaseError> {
        self.wait(who, Usage::Export(reader)).await
    }

    async fn wait(self: &Arc<Self>, who: &Identity, usage: Usage) -> Result<Turn, DatabaseError> {
        let until = Instant::now() + WAIT;
        loop {
            // Registered before the check, so that no turn that ends in between is missed.
            let freed = self.freed.notified();
            if let Some(turn) = self.take(who, &usage) {
                return Ok(turn);
            }
            let now = Instant::now();
            if now >= until {
                return Err(DatabaseError::Busy);
            }
            if tokio::time::timeout_at(until.min(now + LOOK), freed).await.is_err() {
                self.close_most_stalled();
            }
        }
    }

    fn take(self: &Arc<Self>, who: &Identity, usage: &Usage) -> Option<Turn> {
        let mut held = self.held();
        let free = self.total.saturating_sub(held.len());
        let exports = || held.iter().filter(|held| held.usage.is_export());
        let own = held.iter().filter(|held| held.who == *who).count();
        let most = (self.total - 1).max(1);
        let mut is_allowed = own < SHARE * free && own < most;
        if usage.is_export() {
            let own = exports().filter(|held| held.who == *who).count();
            is_allowed &= own < free && exports().count() < most;
        }
        if !is_allowed {
            return None;
        }
        let id = held.iter().map(|held| held.id).max().map_or(0, |last| last + 1);
        held.push(Held { id, who: who.clone(), usage: usage.clone() });
        Some(Turn { turns: Arc::clone(self), id })
    }

    /// Closes the connection of the export whose reader has taken nothing for the longest time.
    fn close_most_stalled(&self) {
        let held = self.held();
        let readers = held.iter().filter_map(|held| match &held.usage {
            Usage::Export(reader) => reader.as_ref(),
            Usage::Query => None,
        });
        let most = readers.max_by_key(|reader| reader.stalled_for());
        if let Some(reader) = most.filter(|reader| reader.stalled_for() >= STALLED) {
            reader.close();
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Identity {
        Identity { tenant: "default".to_owned(), user: Some(name.to_owned()) }
    }

    fn queries(turns: &Arc<Turns>, name: &str) -> Vec<Turn> {
        std::iter::from_fn(|| turns.take(&user(name), &Usage::Query)).collect()
    }

    fn exports(turns: &Arc<Turns>, name: &str) -> Vec<Turn> {
        std::iter::from_fn(|| turns.take(&user(name), &Usage::Export(None))).collect()
    }

    #[test]
    fn exports_of_one_caller_hold_half_and_of_all_leave_one() {
        let turns = Arc::new(Turns::new(4));
        let ann = exports(&turns, "ann");
        let ben = exports(&turns, "ben");
        assert_eq!((ann.len(), ben.len()), (2, 1));
        assert!(exports(&turns, "cem").is_empty());
        assert_eq!(queries(&turns, "cem").len(), 1);
        drop(ann);
        assert_eq!(exports(&turns, "cem").len(), 2);
    }

    #[test]
    fn queries_of_one_caller_leave_a_connection() {
        for (connections, most) in [(1, 1), (2, 1), (4, 3), (8, 6)] {
            let turns = Arc::new(Turns::new(connections));
            let ann = queries(&turns, "ann");
            assert_eq!(ann.len(), most, "of {connections}");
            assert_eq!(queries(&turns, "ben").is_empty(), connections == 1);
        }
        assert_eq!(exports(&Arc::new(Turns::new(1)), "ann").len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_gets_the_turn_that_ends_or_is_told() {
        let turns = Arc::new(Turns::new(1));
        let held = turns.query(&user("ann")).await.unwrap();
        assert_eq!(turns.query(&user("ben")).await.unwrap_err(), DatabaseError::Busy);
        let waiting = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.query(&user("ben")).await.map(drop) }
        });
        tokio::task::yield_now().await;
        drop(held);
        waiting.await.unwrap().unwrap();
    }
}
