//! SQL: one SELECT-only tree, read from text, checked by the guard, printed for a dialect.

mod dialect;
pub mod print;
pub mod tree;
mod types;
mod words;

pub use dialect::Dialect;
pub use print::{Unprintable, print};
