//! Time spent on each stage of a round.

use std::time::Duration;

use serde::Serialize;

/// Stages that time is counted for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimedStage {
    /// Interpreting the question and composing the statement.
    Understanding,
    /// Searching for stored values.
    Values,
    /// Writing by the language model.
    Writing,
    /// Running statements.
    Running,
}

/// Time spent in one round, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StageTimes {
    understanding: Duration,
    values: Duration,
    writing: Duration,
    running: Duration,
}

/// Times in milliseconds, to a hundredth.
#[derive(Debug, Serialize)]
pub(crate) struct StageMilliseconds {
    understanding: f64,
    values: f64,
    writing: f64,
    running: f64,
}

impl StageTimes {
    /// Adds time to a stage.
    pub(crate) fn add(&mut self, stage: TimedStage, time: Duration) {
        let counted = match stage {
            TimedStage::Understanding => &mut self.understanding,
            TimedStage::Values => &mut self.values,
            TimedStage::Writing => &mut self.writing,
            TimedStage::Running => &mut self.running,
        };
        *counted += time;
    }

    /// The times in milliseconds.
    pub(crate) fn milliseconds(&self) -> StageMilliseconds {
        let milliseconds = |time: Duration| (time.as_secs_f64() * 100_000.0).round() / 100.0;
        StageMilliseconds {
            understanding: milliseconds(self.understanding),
            values: milliseconds(self.values),
            writing: milliseconds(self.writing),
            running: milliseconds(self.running),
        }
    }
}
