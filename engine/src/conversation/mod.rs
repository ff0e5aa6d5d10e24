//! Follow-ups: merges a text with the question that it refers to.

mod changes;
mod cue;
mod merge;
mod other_row;
mod shift;
mod turn;

pub use changes::FollowUp;
pub(crate) use changes::changes;
pub(crate) use cue::{Cue, CueWords};
pub(crate) use merge::{merge, stands_alone};
pub(crate) use turn::Turn;
