//! Circuit breaker: after repeated failures no requests are sent for a while, then a single one probes the model.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::ModelHealth;

/// Number of failures that open the breaker, and the window in which they are counted.
const FAILURES: usize = 5;
const WINDOW: Duration = Duration::from_secs(10);
/// Time that the breaker stays open.
const REST: Duration = Duration::from_secs(10);

/// Circuit breaker.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: VecDeque<Instant>,
    opened: Option<Instant>,
    probing: bool,
}

impl Breaker {
    /// Whether a request may be sent now. The first one after the open period is the probe.
    pub(super) fn admits(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.opened {
            None => true,
            Some(opened) if opened.elapsed() >= REST && !state.probing => {
                state.probing = true;
                true
            }
            Some(_) => false,
        }
    }

    /// Records a success.
    pub(super) fn succeeded(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// Records that a request was dropped before it had a result.
    pub(super) fn abandoned(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).probing = false;
    }

    /// Records a failure.
    pub(super) fn failed(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if state.opened.is_some() {
            state.opened = Some(now);
            state.probing = false;
            return;
        }
        state.failures.push_back(now);
        while state.failures.front().is_some_and(|first| now - *first > WINDOW) {
            state.failures.pop_front();
        }
        if state.failures.len() >= FAILURES {
            state.opened = Some(now);
            state.failures.clear();
        }
    }

    /// Current state.
    pub(super) fn health(&self) -> ModelHealth {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.opened {
            None => ModelHealth::Ok,
            Some(_) if state.probing => ModelHealth::Probing,
            Some(_) => ModelHealth::Resting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_opens_rests_probes_and_closes() {
        let breaker = Breaker::default();
        for _ in 0..FAILURES {
            assert!(breaker.admits());
            breaker.failed();
        }
        assert!(!breaker.admits());
        tokio::time::advance(REST).await;
        assert!(breaker.admits(), "one probe");
        assert!(!breaker.admits(), "and only one");
        breaker.failed();
        assert!(!breaker.admits());
        tokio::time::advance(REST).await;
        assert!(breaker.admits());
        breaker.succeeded();
        assert_eq!(breaker.health(), ModelHealth::Ok);
        assert!(breaker.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn failures_that_lie_far_apart_do_not_add_up() {
        let breaker = Breaker::default();
        for _ in 0..20 {
            breaker.failed();
            tokio::time::advance(Duration::from_secs(4)).await;
        }
        assert!(breaker.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_is_given_up_makes_way_for_another() {
        let breaker = Breaker::default();
        (0..FAILURES).for_each(|_| breaker.failed());
        tokio::time::advance(REST).await;
        assert!(breaker.admits());
        breaker.abandoned();
        assert!(breaker.admits());
    }
}
