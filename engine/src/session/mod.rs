//! Sessions: one question from asking to its answer, as a state machine over plain data.
//!
//! The host passes events to [`Session::step`], performs the effects that it returns, and passes their results as
//! events. [`Session::view`] is what a screen shows after each step.

mod advance;
mod brief;
mod cell;
mod checks;
mod completions;
mod computed;
mod constraints;
mod context;
mod correction;
mod deciding;
mod effect;
mod error;
mod event;
mod given;
mod lessons;
mod migrate;
mod names;
mod parts;
mod phase;
mod preview;
mod question;
mod remembering;
mod result_set;
mod shape;
mod show;
mod snapshot;
mod statement;
mod tied;
mod transitions;
mod understood;
mod view;
mod written;

pub use crate::clarification::AssumptionSource;
pub use crate::completing::{Completion, CompletionKind};
pub use crate::confidence::{Confidence, fingerprint};
pub use crate::conversation::FollowUp;
pub use crate::template::{ParameterSource, ParameterValue};
pub use cell::Cell;
pub use context::{Context, Decided, Said, Start};
pub use correction::Correction;
pub use effect::{Effect, EffectRequest, ValueSearch};
pub use error::{SnapshotError, StepError};
pub use event::{EffectResult, Event, ExecutionFailure, FoundValues};
pub use result_set::{CutCell, ExplainedStep, ResultColumn, ResultSet};
pub use transitions::Session;
pub use view::{
    Assumption, FromMemory, MentionKind, MentionView, Note, NoteKind, Outcome, Preview,
    ProblemView, ProgressStep, Rival, Stage, State, Understanding, View,
};
