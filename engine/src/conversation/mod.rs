//! Follow-ups: merges a text with the question that it refers to.

mod changes;
mod cue;
mod merge;
mod shift;

pub use changes::FollowUp;
pub(crate) use changes::changes;
pub(crate) use cue::CueWords;
pub(crate) use merge::{Turn, merge, stands_alone};
