//! Interpretation: a question read whole, with everything it leaves open, as a function of the decisions made.

mod constraints;
mod definition;
mod follow_up;
mod intent;
mod linked;
mod verdict;

pub(crate) use constraints::selected_bindings;
pub(crate) use follow_up::Earlier;
pub(crate) use verdict::{Interpretation, Reader, Verdict};
