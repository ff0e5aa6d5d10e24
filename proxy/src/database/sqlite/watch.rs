//! Deadline and cancellation flag of a statement, checked while it runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// Interrupts a statement at its deadline, or when its caller goes away.
#[derive(Debug)]
pub(super) struct Watch {
    deadline: Mutex<Instant>,
    cancelled: CancellationToken,
}

impl Watch {
    pub(super) fn new(budget: Duration) -> Arc<Self> {
        Arc::new(Self {
            deadline: Mutex::new(Instant::now() + budget),
            cancelled: CancellationToken::new(),
        })
    }

    /// Sets the deadline of the next statement.
    pub(super) fn allow(&self, budget: Duration) {
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + budget;
    }

    /// Completes when the caller has gone away.
    pub(super) async fn given_up(&self) {
        self.cancelled.cancelled().await;
    }

    pub(super) fn is_over(&self) -> bool {
        self.cancelled.is_cancelled()
            || Instant::now() > *self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cancels the statement when dropped.
pub(super) struct CancelOnDrop(pub(super) Arc<Watch>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancelled.cancel();
    }
}
