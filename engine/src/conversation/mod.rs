//! Follow-ups: merges a text with the question that it refers to.

mod asks;
mod beside;
mod bounds;
mod changes;
mod contrast;
mod cue;
mod kept_columns;
mod merge;
mod other_row;
mod period;
mod ranks;
mod rejected;
mod shift;
mod slots;
mod turn;

pub(crate) use beside::rows_beside;
pub use changes::FollowUp;
pub(crate) use changes::changes;
pub(crate) use cue::{Cue, CueWords};
pub(crate) use kept_columns::compares_with_values;
pub(crate) use merge::{merge, stands_alone};
pub(crate) use period::told_from;
pub(crate) use ranks::is_figure_to_rank_by;
pub(crate) use rejected::{has_any, is_all_shown};
pub(crate) use turn::Turn;
