//! Interpretation: reads a question with the decisions made so far, and finds what is still ambiguous.

mod asked_people;
mod confirm;
mod constraints;
mod definition;
mod follow_up;
mod intent;
mod interpreter;
mod left_out;
mod linked;
mod reworded;
mod rival;
mod signals;
mod tree_parts;
mod verdict;

pub(crate) use constraints::selected_bindings;
pub(crate) use follow_up::Earlier;
pub(crate) use interpreter::Interpreter;
pub(crate) use verdict::{Interpretation, Verdict};
