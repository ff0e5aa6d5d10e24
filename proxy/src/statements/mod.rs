//! Statements of clients: checked by the guard, and explained step by step.

mod check;
mod explain;

pub(crate) use check::{CheckRequest, Checked, WrittenDialect, check_statement, checked};
pub(crate) use explain::{explained, may_hide, tell_hidden};
