//! What is told of the way to an answer: time spent, what the model did, flags in force.

use std::time::Duration;

use serde::Serialize;
use wherefore_engine::Session;
use wherefore_engine::writing::TraceEntry;

use crate::flags::Flags;
use crate::turn::Turn;

/// Most entries of the model's doings that are told, the last ones.
const ENTRIES: usize = 50;
/// Longest detail of an entry, in characters.
const DETAIL: usize = 300;

/// Stages that time is counted for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimedStage {
    /// Reading the question, and composing.
    Understanding,
    /// Searching for stored values.
    Values,
    /// Writing by a model.
    Writing,
    /// Running statements.
    Running,
}

/// Time spent in this round, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    understanding: Duration,
    values: Duration,
    writing: Duration,
    running: Duration,
}

impl Spent {
    pub(crate) fn add(&mut self, stage: TimedStage, time: Duration) {
        let counted = match stage {
            TimedStage::Understanding => &mut self.understanding,
            TimedStage::Values => &mut self.values,
            TimedStage::Writing => &mut self.writing,
            TimedStage::Running => &mut self.running,
        };
        *counted += time;
    }
}

/// Milliseconds of this round, by stage.
#[derive(Debug, Serialize)]
struct Stages {
    understanding: f64,
    values: f64,
    writing: f64,
    running: f64,
}

/// What is told of the way to an answer.
#[derive(Debug, Serialize)]
pub(crate) struct Trace {
    /// Milliseconds of this round, by stage.
    stages_ms: Stages,
    /// What the model did, over all rounds.
    model: Vec<TraceEntry>,
    /// Flags in force.
    flags: Flags,
    /// Variant of the experiment, where there is one.
    #[serde(skip_serializing_if = "String::is_empty")]
    variant: String,
}

impl Trace {
    /// Trace of a round.
    pub(crate) fn of(turn: &Turn, session: &Session) -> Self {
        let spent = turn.run.spent();
        let entries = session.trace();
        let last = &entries[entries.len().saturating_sub(ENTRIES)..];
        let model = last.iter().map(|entry| TraceEntry {
            stage: entry.stage.clone(),
            detail: entry.detail.chars().take(DETAIL).collect(),
        });
        Self {
            stages_ms: Stages {
                understanding: milliseconds(spent.understanding),
                values: milliseconds(spent.values),
                writing: milliseconds(spent.writing),
                running: milliseconds(spent.running),
            },
            model: model.collect(),
            flags: turn.flags,
            variant: turn.variant().to_owned(),
        }
    }
}

/// Milliseconds, to a hundredth.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 100_000.0).round() / 100.0
}
