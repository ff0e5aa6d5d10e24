//! SQL: one SELECT-only tree, read from text, checked by the guard, printed for a dialect.

mod dialect;
pub mod tree;

pub use dialect::Dialect;
