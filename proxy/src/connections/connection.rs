//! One connection: its phase, and since when its reader has stalled.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::peer::Peer;

/// No byte of the next request has arrived.
const IDLE: u8 = 0;
/// A part of the request head has arrived.
const HEAD: u8 = 1;
/// The head is complete, and the request is not yet admitted.
const ENTERING: u8 = 2;
/// The request was admitted, and its response is not yet complete.
const BUSY: u8 = 3;

/// State of a connection. Milliseconds count from the first use of the clock.
#[derive(Debug)]
pub struct Connection {
    peer: Peer,
    phase: AtomicU8,
    /// Time of the last change of phase.
    since: AtomicU64,
    /// Time since which the client has not taken output that waits for it; 0 if none waits.
    blocked: AtomicU64,
    signed_in: AtomicBool,
    closing: AtomicBool,
    is_reset: AtomicBool,
}

/// Holds a connection in the phase of an admitted request, until it is dropped.
#[derive(Debug)]
pub struct Busy(Arc<Connection>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.enter(IDLE);
    }
}

impl Connection {
    /// A connection that was just opened.
    pub fn new(peer: Peer) -> Self {
        Self {
            peer,
            phase: AtomicU8::new(IDLE),
            since: AtomicU64::new(now()),
            blocked: AtomicU64::new(0),
            signed_in: AtomicBool::new(false),
            closing: AtomicBool::new(false),
            is_reset: AtomicBool::new(false),
        }
    }

    /// Address of the client.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Marks that a request on this connection was authenticated.
    pub fn signed_in(&self) {
        self.signed_in.store(true, Ordering::Relaxed);
    }

    /// Marks that a request was admitted; the response holds the returned guard.
    pub fn admit(connection: &Arc<Self>) -> Busy {
        connection.enter(BUSY);
        Busy(Arc::clone(connection))
    }

    /// Time for which the client has taken nothing of the output that waits for it.
    pub fn stalled_for(&self) -> Duration {
        match self.blocked.load(Ordering::Relaxed) {
            0 => Duration::ZERO,
            since => Duration::from_millis(now().saturating_sub(since)),
        }
    }

    /// Requests that the connection is closed, which happens within a fraction of a second.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Marks that the head of a request is complete.
    pub fn head_read(&self) {
        self.enter(ENTERING);
    }

    /// Marks that a response is made. A request that was never admitted leaves no guard behind that would do so.
    pub fn answered(&self) {
        if self.phase.load(Ordering::Relaxed) == ENTERING {
            self.enter(IDLE);
        }
    }

    /// Marks that bytes of the client have arrived.
    pub(super) fn received(&self) {
        if self.phase.load(Ordering::Relaxed) == IDLE {
            self.enter(HEAD);
        }
    }

    /// Marks whether the client has taken some of the output.
    pub(super) fn sent(&self, is_taken: bool) {
        if is_taken {
            self.blocked.store(0, Ordering::Relaxed);
        } else if self.blocked.load(Ordering::Relaxed) == 0 {
            self.blocked.store(now(), Ordering::Relaxed);
        }
    }

    /// Age of a request head that is incomplete.
    pub(super) fn head_age(&self) -> Duration {
        if self.phase.load(Ordering::Relaxed) == HEAD {
            Duration::from_millis(now().saturating_sub(self.since()))
        } else {
            Duration::ZERO
        }
    }

    /// Age of a request that is incomplete or not yet admitted.
    pub(super) fn entering_age(&self) -> Duration {
        match self.phase.load(Ordering::Relaxed) {
            HEAD | ENTERING => Duration::from_millis(now().saturating_sub(self.since())),
            _ => Duration::ZERO,
        }
    }

    /// Whether the client has not taken output that waits for it.
    pub(super) fn is_blocked(&self) -> bool {
        self.blocked.load(Ordering::Relaxed) != 0
    }

    /// Whether no request of the connection is being served.
    pub(super) fn is_waiting(&self) -> bool {
        self.phase.load(Ordering::Relaxed) != BUSY
    }

    pub(super) fn is_signed_in(&self) -> bool {
        self.signed_in.load(Ordering::Relaxed)
    }

    /// Marks that the connection is reset when its socket is dropped, since its response is not complete.
    pub(super) fn reset(&self) {
        self.is_reset.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_reset(&self) -> bool {
        self.is_reset.load(Ordering::Relaxed)
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Time of the last change of phase.
    pub(super) fn since(&self) -> u64 {
        self.since.load(Ordering::Relaxed)
    }

    fn enter(&self, phase: u8) {
        self.since.store(now(), Ordering::Relaxed);
        self.phase.store(phase, Ordering::Relaxed);
    }
}

/// Milliseconds of a monotonic clock, from 1.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(START.elapsed().as_millis()).unwrap_or(u64::MAX - 1) + 1
}
