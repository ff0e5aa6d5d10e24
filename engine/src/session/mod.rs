//! A session: one question on its way to an answer, as plain data driven by events.

mod effect;
mod error;
mod event;
mod result_set;
mod view;

pub use effect::{Effect, EffectRequest, ValueSearch};
pub use error::{SnapshotError, StepError};
pub use event::{EffectResult, Event, ExecutionFailure, FoundValues};
pub use result_set::{Cell, ResultColumn, ResultSet};
pub use view::{
    Assumption, AssumptionSource, Confidence, MentionKind, MentionView, Note, NoteKind, Outcome,
    Preview, ProblemView, ProgressStep, Rival, Stage, State, Understanding, View,
};

use serde::{Deserialize, Serialize};

use crate::engine::Engine;

/// One question on its way to an answer.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Session {
    view: View,
}

impl Session {
    /// A session that nothing was asked in yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes an event, and gives back what the host is to do.
    pub fn step(&mut self, _engine: &Engine, _event: Event) -> Result<Vec<Effect>, StepError> {
        Ok(Vec::new())
    }

    /// Everything a screen needs.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The session as JSON text, to be restored here or elsewhere.
    pub fn snapshot(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A session from its snapshot.
    pub fn restore(snapshot: &str) -> Result<Self, SnapshotError> {
        serde_json::from_str(snapshot).map_err(|error| SnapshotError::Unreadable(error.to_string()))
    }
}
