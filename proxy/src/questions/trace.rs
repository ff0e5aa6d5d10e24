//! Trace of an answer: time per stage, steps of the language model, flags.

use serde::Serialize;
use wherefore_engine::Session;
use wherefore_engine::writing::TraceEntry;

use super::flags::Flags;
use super::record::QuestionRecord;
use super::stage_times::StageMilliseconds;

/// Number of last entries about the language model that are sent.
const ENTRIES: usize = 50;
/// Maximum length of the detail of an entry, in characters.
const DETAIL: usize = 300;

/// Trace of an answer.
#[derive(Debug, Serialize)]
pub(crate) struct Trace {
    /// Milliseconds of this round, by stage.
    stages_ms: StageMilliseconds,
    /// Steps of the language model, in all rounds.
    model: Vec<TraceEntry>,
    /// Flags of a question.
    flags: Flags,
    /// Variant of the experiment, if any.
    #[serde(skip_serializing_if = "String::is_empty")]
    variant: String,
}

impl Trace {
    /// Trace of a round.
    pub(crate) fn of(record: &QuestionRecord, session: &Session) -> Self {
        let entries = session.trace();
        let last = &entries[entries.len().saturating_sub(ENTRIES)..];
        let model = last.iter().map(|entry| TraceEntry {
            stage: entry.stage.clone(),
            detail: entry.detail.chars().take(DETAIL).collect(),
        });
        Self {
            stages_ms: record.run.times().milliseconds(),
            model: model.collect(),
            flags: record.flags,
            variant: record.variant().to_owned(),
        }
    }
}
