//! Follow-ups: merges a text with the question that it refers to.

mod bounds;
mod changes;
mod contrast;
mod cue;
mod merge;
mod other_row;
mod period;
mod shift;
mod turn;

pub use changes::FollowUp;
pub(crate) use changes::changes;
pub(crate) use cue::{Cue, CueWords};
pub(crate) use merge::{merge, stands_alone};
pub(crate) use period::told_from;
pub(crate) use turn::Turn;
