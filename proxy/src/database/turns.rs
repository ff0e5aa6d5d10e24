//! Connections to a database, shared among callers, so that none holds all of them while others wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::DatabaseError;
use crate::connections::Connection;
use crate::holder::Holder;

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
    changed: Notify,
    timed_out: AtomicU64,
}

#[derive(Debug)]
struct Held {
    id: u64,
    who: Holder,
    usage: Usage,
    /// Number of its statements that were given up, and that the database is told to end.
    ending: u32,
    /// Number of its statements that were given up, and that the database goes on with although it was told to end.
    overdue: u32,
    /// Whether its reader was closed.
    is_closed: bool,
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

/// The turn of one caller, which ends when its last clone is dropped.
///
/// Whatever uses a connection to the database holds a clone until the connection is free.
#[derive(Clone, Debug)]
pub struct Turn(Arc<Place>);

#[derive(Debug)]
struct Place {
    turns: Arc<Turns>,
    id: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.turns.held().retain(|held| held.id != self.id);
        self.turns.changed.notify_waiters();
    }
}

impl Turn {
    /// Marks that a statement was given up before it has ended. Its caller gets no other turn until the returned guard,
    /// which holds the turn, is dropped.
    pub(super) fn give_up(&self) -> GivenUp {
        self.0.change(|held| held.ending += 1);
        GivenUp { turn: self.clone(), is_overdue: false }
    }
}

impl Place {
    fn change(&self, change: impl FnOnce(&mut Held)) {
        let mut held = self.turns.held();
        if let Some(own) = held.iter_mut().find(|held| held.id == self.id) {
            change(own);
        }
        drop(held);
        self.turns.changed.notify_waiters();
    }
}

/// A statement that was given up, and has not ended yet.
#[derive(Debug)]
pub(super) struct GivenUp {
    turn: Turn,
    is_overdue: bool,
}

impl GivenUp {
    /// Marks that the database goes on with the statement. Its caller is refused until it has ended.
    pub(super) fn is_overdue(&mut self) {
        if !std::mem::replace(&mut self.is_overdue, true) {
            self.turn.0.change(|held| {
                held.ending -= 1;
                held.overdue += 1;
            });
        }
    }
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        let is_overdue = self.is_overdue;
        self.turn.0.change(|held| {
            let count = if is_overdue { &mut held.overdue } else { &mut held.ending };
            *count -= 1;
        });
    }
}

impl Turns {
    /// Turns on so many connections.
    pub fn new(connections: u32) -> Self {
        let total = connections.max(1) as usize;
        let (held, changed) = (Mutex::default(), Notify::new());
        Self { total, held, changed, timed_out: AtomicU64::new(0) }
    }

    /// Waits for the turn of a statement whose rows are read at once.
    pub async fn query(self: &Arc<Self>, who: &Holder) -> Result<Turn, DatabaseError> {
        self.wait(who, Usage::Query).await
    }

    /// Waits for the turn of an export to a client, which may stall.
    pub async fn export(
        self: &Arc<Self>,
        who: &Holder,
        reader: Option<Arc<Connection>>,
    ) -> Result<Turn, DatabaseError> {
        self.wait(who, Usage::Export(reader)).await
    }

    /// Number of statements that the database goes on with although it was told to end them.
    pub fn overdue(&self) -> u32 {
        self.held().iter().map(|held| held.overdue).sum()
    }

    /// Number of callers that waited for a turn in vain.
    pub fn timed_out(&self) -> u64 {
        self.timed_out.load(Ordering::Relaxed)
    }

    async fn wait(self: &Arc<Self>, who: &Holder, usage: Usage) -> Result<Turn, DatabaseError> {
        let until = Instant::now() + WAIT;
        loop {
            // Registered before the check, so that no change in between is missed.
            let changed = self.changed.notified();
            if let Some(turn) = self.take(who, &usage)? {
                return Ok(turn);
            }
            let now = Instant::now();
            if now >= until {
                self.timed_out.fetch_add(1, Ordering::Relaxed);
                return Err(DatabaseError::Busy);
            }
            if tokio::time::timeout_at(until.min(now + LOOK), changed).await.is_err() {
                self.close_stalled(who, &usage);
            }
        }
    }

    /// A turn, if the caller may have one now. It is refused while the database goes on with a statement of this caller
    /// that was given up, and has to wait while one is being ended.
    fn take(self: &Arc<Self>, who: &Holder, usage: &Usage) -> Result<Option<Turn>, DatabaseError> {
        let mut held = self.held();
        let own = || held.iter().filter(|held| held.who == *who);
        if own().any(|held| held.overdue > 0) {
            return Err(DatabaseError::Overdue);
        }
        if own().any(|held| held.ending > 0) || !self.allows(held.iter(), who, usage) {
            return Ok(None);
        }
        let id = held.iter().map(|held| held.id).max().map_or(0, |last| last + 1);
        let (who, usage) = (who.clone(), usage.clone());
        held.push(Held { id, who, usage, ending: 0, overdue: 0, is_closed: false });
        Ok(Some(Turn(Arc::new(Place { turns: Arc::clone(self), id }))))
    }

    /// Whether a caller may have another turn while these are held.
    fn allows<'h>(
        &self,
        held: impl Iterator<Item = &'h Held> + Clone,
        who: &Holder,
        usage: &Usage,
    ) -> bool {
        let free = self.total.saturating_sub(held.clone().count());
        let own = held.clone().filter(|held| held.who == *who).count();
        let most = self.most_of_exports();
        if own >= SHARE * free || own >= most {
            return false;
        }
        let exports = held.filter(|held| held.usage.is_export());
        let own_exports = exports.clone().filter(|held| held.who == *who).count();
        !usage.is_export() || (own_exports < free && exports.count() < most)
    }

    fn most_of_exports(&self) -> usize {
        (self.total - 1).max(1)
    }

    /// If nothing is free for a caller that waits, closes the connection of an export whose reader has stalled and whose
    /// turn the caller could have. Exports of the caller itself and of callers that hold more are closed first, then
    /// those that have stalled for the longest time.
    fn close_stalled(&self, who: &Holder, usage: &Usage) {
        let mut held = self.held();
        let exports = held.iter().filter(|held| held.usage.is_export()).count();
        let is_full =
            held.len() >= self.total || usage.is_export() && exports >= self.most_of_exports();
        if !is_full {
            return;
        }
        let count = |who: &Holder| held.iter().filter(|held| held.who == *who).count();
        let own = count(who);
        let closed = held
            .iter()
            .filter_map(|export| {
                let Usage::Export(Some(reader)) = &export.usage else { return None };
                let others = held.iter().filter(|held| held.id != export.id);
                let helps = !export.is_closed
                    && reader.stalled_for() >= STALLED
                    && self.allows(others, who, usage);
                let first = export.who == *who || count(&export.who) > own;
                helps.then(|| ((first, reader.stalled_for()), export.id))
            })
            .max();
        let Some((_, id)) = closed else { return };
        if let Some(export) = held.iter_mut().find(|held| held.id == id)
            && let Usage::Export(Some(reader)) = &export.usage
        {
            reader.close();
            export.is_closed = true;
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tokio::io::{AsyncWriteExt, DuplexStream};

    use super::*;
    use crate::connections::{Peer, Watched};
    use crate::identity::Identity;

    fn user(name: &str) -> Holder {
        Holder::User(Identity { tenant: "default".to_owned(), user: Some(name.to_owned()) })
    }

    fn queries(turns: &Arc<Turns>, name: &str) -> Vec<Turn> {
        std::iter::from_fn(|| turns.take(&user(name), &Usage::Query).unwrap()).collect()
    }

    fn exports(turns: &Arc<Turns>, name: &str) -> Vec<Turn> {
        std::iter::from_fn(|| turns.take(&user(name), &Usage::Export(None)).unwrap()).collect()
    }

    /// A connection whose reader takes nothing.
    async fn stalled() -> (Arc<Connection>, DuplexStream) {
        let connection = Arc::new(Connection::new(Peer::new(IpAddr::from([10, 0, 0, 1]))));
        let (near, far) = tokio::io::duplex(1);
        let mut watched = Watched::new(near, Arc::clone(&connection), |_| {});
        tokio::spawn(async move { watched.write_all(b"rows").await });
        while connection.stalled_for() < STALLED {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        (connection, far)
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
        assert_eq!(turns.timed_out(), 1);
        let waiting = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { turns.query(&user("ben")).await.map(drop) }
        });
        tokio::task::yield_now().await;
        drop(held);
        waiting.await.unwrap().unwrap();
    }

    #[test]
    fn a_turn_lasts_as_long_as_a_clone_of_it() {
        let turns = Arc::new(Turns::new(1));
        let held = turns.take(&user("ann"), &Usage::Query).unwrap().unwrap();
        let kept = held.clone();
        drop(held);
        assert!(queries(&turns, "ben").is_empty());
        drop(kept);
        assert_eq!(queries(&turns, "ben").len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn who_gave_a_statement_up_waits_for_its_end_and_is_refused_while_it_is_overdue() {
        let turns = Arc::new(Turns::new(4));
        let held = turns.query(&user("ann")).await.unwrap();
        let mut given_up = held.give_up();
        drop(held);
        assert!(queries(&turns, "ann").is_empty());
        assert_eq!(turns.query(&user("ann")).await.unwrap_err(), DatabaseError::Busy);
        drop(turns.query(&user("ben")).await.unwrap());
        given_up.is_overdue();
        assert_eq!(turns.query(&user("ann")).await.unwrap_err(), DatabaseError::Overdue);
        assert_eq!(turns.overdue(), 1);
        drop(turns.query(&user("ben")).await.unwrap());
        drop(given_up);
        assert_eq!((turns.overdue(), queries(&turns, "ann").len()), (0, 3));
    }

    /// Those whose reader was closed.
    fn closed(turns: &Turns) -> Vec<Holder> {
        let held = turns.held();
        held.iter().filter(|held| held.is_closed).map(|held| held.who.clone()).collect()
    }

    #[tokio::test]
    async fn a_reader_is_closed_only_for_a_caller_that_its_turn_helps() {
        let turns = Arc::new(Turns::new(4));
        let _anns = exports(&turns, "ann");
        let (reader, _far) = stalled().await;
        let _bens = turns.take(&user("ben"), &Usage::Export(Some(reader))).unwrap().unwrap();
        turns.close_stalled(&user("ann"), &Usage::Export(None));
        assert_eq!(closed(&turns), [], "ann has her share");
        turns.close_stalled(&user("cem"), &Usage::Query);
        assert_eq!(closed(&turns), [], "a connection is free");
        turns.close_stalled(&user("cem"), &Usage::Export(None));
        assert_eq!(closed(&turns), [user("ben")]);
    }

    #[tokio::test]
    async fn readers_of_callers_that_hold_more_are_closed_first() {
        let turns = Arc::new(Turns::new(4));
        let (longest, _first) = stalled().await;
        let (reader, _second) = stalled().await;
        let take = |who: &str, usage: Usage| turns.take(&user(who), &usage).unwrap().unwrap();
        let _held = [
            take("ben", Usage::Export(Some(longest))),
            take("ann", Usage::Export(Some(reader))),
            take("ann", Usage::Query),
            take("dan", Usage::Query),
        ];
        turns.close_stalled(&user("dan"), &Usage::Query);
        assert_eq!(closed(&turns), [user("ann")]);
        turns.close_stalled(&user("dan"), &Usage::Query);
        assert_eq!(closed(&turns), [user("ben"), user("ann")], "then others");
    }
}
