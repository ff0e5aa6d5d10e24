//! A running question: its latest states for readers of events, and its cancellation.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};
use wherefore_engine::session::ProgressStep;

use super::answer_summary::Ending;
use super::stage_times::{StageTimes, TimedStage};

/// Maximum number of states that are kept for readers that join late.
pub(crate) const KEPT: usize = 100;

/// A running question.
#[derive(Debug)]
pub(crate) struct Run {
    stop: CancellationToken,
    passed: Mutex<Passed>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Passed {
    /// The latest states with their ids, which count from 1.
    steps: VecDeque<(u64, ProgressStep)>,
    last: u64,
    /// Number of states of the session's view that were published.
    viewed: usize,
    /// States that were published before the session's view contains them.
    ahead: VecDeque<ProgressStep>,
    end: Option<Ending>,
    times: StageTimes,
    tokens: i64,
}

/// Updates for a reader.
#[derive(Debug, Default)]
pub(crate) struct RunUpdates {
    /// New states with their ids.
    pub(crate) steps: Vec<(u64, ProgressStep)>,
    /// How the question ended, with the id after that of the last state.
    pub(crate) end: Option<(u64, Ending)>,
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
    /// Requests cancellation.
    pub(crate) fn cancel(&self) {
        self.stop.cancel();
    }

    /// Whether cancellation was requested.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Completes when cancellation is requested.
    pub(crate) fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        self.stop.cancelled()
    }

    /// Publishes the states of the session's view; earlier ones must be unchanged.
    pub(crate) fn publish(&self, steps: &[ProgressStep]) {
        let mut passed = self.passed();
        for step in steps.get(passed.viewed..).unwrap_or_default() {
            if passed.ahead.pop_front().as_ref() != Some(step) {
                // The session went on without the states that were ahead of it.
                passed.ahead.clear();
                passed.add(step);
            }
        }
        passed.viewed = passed.viewed.max(steps.len());
        let last = passed.last;
        drop(passed);
        self.changed.send_replace(last);
    }

    /// Publishes a state that the session's view contains only later.
    pub(crate) fn publish_ahead(&self, step: ProgressStep) {
        let mut passed = self.passed();
        passed.add(&step);
        passed.ahead.push_back(step);
        let last = passed.last;
        drop(passed);
        self.changed.send_replace(last);
    }

    /// Publishes how the question ended; only the first call has an effect.
    pub(crate) fn end(&self, end: Ending) {
        let mut passed = self.passed();
        passed.end.get_or_insert(end);
        let last = passed.last + 1;
        drop(passed);
        self.changed.send_replace(last);
    }

    /// Updates after this event id. Must be called after subscribing, so that none is missed.
    pub(crate) fn updates_after(&self, id: u64) -> RunUpdates {
        let passed = self.passed();
        RunUpdates {
            steps: passed.steps.iter().filter(|(step, _)| *step > id).cloned().collect(),
            end: passed.end.clone().map(|end| (passed.last.max(id) + 1, end)),
        }
    }

    /// Subscribes to updates.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Adds time spent on a stage.
    pub(crate) fn add_time(&self, stage: TimedStage, time: Duration) {
        self.passed().times.add(stage, time);
    }

    /// Time spent so far.
    pub(crate) fn times(&self) -> StageTimes {
        self.passed().times
    }

    /// Adds tokens that the language model used.
    pub(crate) fn add_tokens(&self, tokens: u32) {
        let mut passed = self.passed();
        passed.tokens = passed.tokens.saturating_add(tokens.into());
    }

    /// Tokens used so far.
    pub(crate) fn tokens(&self) -> i64 {
        self.passed().tokens
    }

    fn passed(&self) -> MutexGuard<'_, Passed> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Passed {
    fn add(&mut self, step: &ProgressStep) {
        self.last += 1;
        self.steps.push_back((self.last, step.clone()));
        if self.steps.len() > KEPT {
            self.steps.pop_front();
        }
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
            elapsed_ms: None,
        };
        (1..=count).map(step).collect()
    }

    #[test]
    fn a_late_reader_gets_the_last_states_and_no_more_than_are_kept() {
        let run = Run::default();
        run.publish(&steps(3));
        run.publish(&steps(250));
        let ids: Vec<u64> = run.updates_after(0).steps.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, (151..=250).collect::<Vec<_>>());
        assert_eq!(run.updates_after(249).steps, [(250, steps(250)[249].clone())]);
        assert!(run.updates_after(250).steps.is_empty());
    }

    #[test]
    fn states_that_were_told_ahead_are_told_once() {
        let run = Run::default();
        let all = steps(5);
        run.publish(&all[..2]);
        run.publish_ahead(all[2].clone());
        run.publish_ahead(all[3].clone());
        run.publish(&all);
        let told: Vec<_> = run.updates_after(0).steps.into_iter().map(|(_, step)| step).collect();
        assert_eq!(told, all);
        run.publish_ahead(all[0].clone());
        run.publish(&steps(6));
        let told = run.updates_after(5).steps;
        assert_eq!(told, [(6, all[0].clone()), (7, steps(6)[5].clone())]);
    }

    #[test]
    fn the_end_comes_behind_every_state_and_is_told_once() {
        let run = Run::default();
        run.publish(&steps(2));
        assert_eq!(run.updates_after(0).end, None);
        run.end(Ending { status: Some(200), ..Ending::default() });
        run.end(Ending::default());
        let (id, end) = run.updates_after(2).end.unwrap();
        assert_eq!((id, end.status), (3, Some(200)));
        assert_eq!(
            run.updates_after(7).end.unwrap().0,
            8,
            "ids increase for who heard more elsewhere"
        );
    }
}
