//! A question under way: the states it passed, kept for readers who come late, and its stop.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};
use wherefore_engine::session::ProgressStep;

use super::told::End;
use crate::trace::{Spent, TimedStage};

/// Most states that are kept for readers who come late.
pub(crate) const KEPT: usize = 100;

/// A question under way.
#[derive(Debug)]
pub(crate) struct Run {
    stop: CancellationToken,
    passed: Mutex<Passed>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Passed {
    /// The last states, each with its id; ids count from 1.
    steps: VecDeque<(u64, ProgressStep)>,
    last: u64,
    end: Option<End>,
    spent: Spent,
}

/// What is new to a reader.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// States passed, each with its id.
    pub(crate) steps: Vec<(u64, ProgressStep)>,
    /// How it ended, once it did, with the id behind that of the last state.
    pub(crate) end: Option<(u64, End)>,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            stop: CancellationToken::new(),
            passed: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }
}

impl Run {
    /// Tells it to stop.
    pub(crate) fn cancel(&self) {
        self.stop.cancel();
    }

    /// Whether it was told to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Ends when it is told to stop.
    pub(crate) fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        self.stop.cancelled()
    }

    /// Shows readers the states passed so far, which are those of before and more.
    pub(crate) fn publish(&self, steps: &[ProgressStep]) {
        let mut passed = self.passed();
        let known = usize::try_from(passed.last).unwrap_or(usize::MAX);
        for step in steps.get(known..).unwrap_or_default() {
            passed.last += 1;
            let id = passed.last;
            passed.steps.push_back((id, step.clone()));
            if passed.steps.len() > KEPT {
                passed.steps.pop_front();
            }
        }
        let last = passed.last;
        drop(passed);
        self.changed.send_replace(last);
    }

    /// Tells readers how it ended; what is told first holds.
    pub(crate) fn end(&self, end: End) {
        let mut passed = self.passed();
        passed.end.get_or_insert(end);
        let last = passed.last + 1;
        drop(passed);
        self.changed.send_replace(last);
    }

    /// What is new behind the state of this id; to be read after subscribing, so that nothing is missed.
    pub(crate) fn after(&self, id: u64) -> News {
        let passed = self.passed();
        News {
            steps: passed.steps.iter().filter(|(step, _)| *step > id).cloned().collect(),
            end: passed.end.clone().map(|end| (passed.last.max(id) + 1, end)),
        }
    }

    /// Hears of everything that is new from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Counts time spent on a stage.
    pub(crate) fn spend(&self, stage: TimedStage, time: Duration) {
        self.passed().spent.add(stage, time);
    }

    /// Time spent so far.
    pub(crate) fn spent(&self) -> Spent {
        self.passed().spent
    }

    fn passed(&self) -> MutexGuard<'_, Passed> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::session::State;

    use super::*;

    fn steps(count: usize) -> Vec<ProgressStep> {
        let step = |number: usize| ProgressStep {
            state: State::ExecutingQuery,
            detail: format!("step {number}"),
        };
        (1..=count).map(step).collect()
    }

    #[test]
    fn a_late_reader_gets_the_last_states_and_no_more_than_are_kept() {
        let run = Run::default();
        run.publish(&steps(3));
        run.publish(&steps(250));
        let ids: Vec<u64> = run.after(0).steps.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, (151..=250).collect::<Vec<_>>());
        assert_eq!(run.after(249).steps, [(250, steps(250)[249].clone())]);
        assert!(run.after(250).steps.is_empty());
    }

    #[test]
    fn the_end_comes_behind_every_state_and_is_told_once() {
        let run = Run::default();
        run.publish(&steps(2));
        assert_eq!(run.after(0).end, None);
        run.end(End { status: Some(200), ..End::default() });
        run.end(End::default());
        let (id, end) = run.after(2).end.unwrap();
        assert_eq!((id, end.status), (3, Some(200)));
        assert_eq!(run.after(7).end.unwrap().0, 8, "ids increase for who heard more elsewhere");
    }
}
