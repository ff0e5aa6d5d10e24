//! Retry budget: at most a tenth of the traffic, so that a failing server is not overloaded.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};

/// Maximum number of retries of one request.
pub(super) const RETRIES: usize = 2;
/// Amount that each request adds to the budget, and its maximum.
const SHARE: f64 = 0.1;
const MOST: f64 = 10.0;

/// The retry budget.
#[derive(Debug)]
pub(super) struct RetryBudget(Mutex<f64>);

impl Default for RetryBudget {
    fn default() -> Self {
        Self(Mutex::new(1.0))
    }
}

impl RetryBudget {
    /// Adds the share of a new request to the budget.
    pub(super) fn earn(&self) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *left = (*left + SHARE).min(MOST);
    }

    /// Takes one retry from the budget, if there is one.
    pub(super) fn spend(&self) -> bool {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = *left >= 1.0;
        if enough {
            *left -= 1.0;
        }
        enough
    }
}

/// Pauses before the retries of one request, with full jitter.
pub(super) fn pauses() -> impl Iterator<Item = Duration> {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(200))
        .with_max_delay(Duration::from_secs(2))
        .with_max_times(RETRIES)
        .with_jitter()
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_are_a_tenth_of_the_requests() {
        let budget = RetryBudget::default();
        let mut retries = 0;
        for _ in 0..1_000 {
            budget.earn();
            retries += (0..RETRIES).filter(|_| budget.spend()).count();
        }
        assert!((100..=101).contains(&retries), "{retries}");
    }
}
