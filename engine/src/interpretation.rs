//! Interpretation: a question read whole, with everything it leaves open, as a function of the decisions made.

mod intent;
mod verdict;

pub(crate) use verdict::{Interpretation, Reader, Verdict};
