//! Interpretation: reads a question with the decisions made so far, and finds what is still ambiguous.

mod asked_people;
mod confirm;
mod confirm_joins;
mod constraints;
mod definition;
mod follow_up;
mod intent;
mod interpreter;
mod learned;
mod left_out;
mod linked;
mod named_rows;
mod out_of_scope;
mod reworded;
mod rival;
mod signals;
mod tree_parts;
mod unknown_noun;
mod verdict;

pub(crate) use constraints::selected_bindings;
pub(crate) use follow_up::Earlier;
pub(crate) use interpreter::Interpreter;
pub(crate) use learned::{lesson_of, target_of};
pub(crate) use verdict::{Interpretation, Verdict};
