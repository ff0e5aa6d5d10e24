//! A session: one question on its way to an answer, as plain data driven by events.

mod advance;
mod context;
mod correction;
mod deciding;
mod effect;
mod error;
mod event;
mod machine;
mod names;
mod preview;
mod remembering;
mod result_set;
mod run;
mod shape;
mod show;
mod tied;
mod view;
mod writing;

pub use crate::clarification::AssumptionSource;
pub use crate::confidence::Confidence;
pub use crate::conversation::FollowUp;
pub use context::{Context, Decided, Said, Start};
pub use correction::Correction;
pub use effect::{Effect, EffectRequest, ValueSearch};
pub use error::{SnapshotError, StepError};
pub use event::{EffectResult, Event, ExecutionFailure, FoundValues};
use machine::Pending;
pub use machine::Session;
pub(crate) use preview::preview;
pub use remembering::FromMemory;
pub use result_set::{Cell, ExplainedStep, ResultColumn, ResultSet};
pub use view::{
    Assumption, MentionKind, MentionView, Note, NoteKind, Outcome, Preview, ProblemView,
    ProgressStep, Rival, Stage, State, Understanding, View,
};
