//! Conversation: a text that goes on from what was asked before, put together with it.

mod changes;
mod cue;
mod merge;
mod shift;

pub use changes::FollowUp;
pub(crate) use changes::changes;
pub(crate) use cue::CueWords;
pub(crate) use merge::{Turn, merge, stands_alone};
