//! Deadline and cancellation flag of a statement, checked while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Interrupts a statement at its deadline, or when its caller goes away.
#[derive(Debug)]
pub(super) struct Watch {
    deadline: Mutex<Instant>,
    cancelled: AtomicBool,
}

impl Watch {
    pub(super) fn new(budget: Duration) -> Arc<Self> {
        Arc::new(Self {
            deadline: Mutex::new(Instant::now() + budget),
            cancelled: AtomicBool::new(false),
        })
    }

    /// Sets the deadline of the next statement.
    pub(super) fn allow(&self, budget: Duration) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + budget;
    }

    pub(super) fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || Instant::now() > *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cancels the statement when dropped.
pub(super) struct CancelOnDrop(pub(super) Arc<Watch>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}
