//! SQL: one SELECT-only tree, read from text, checked by the guard, printed for a dialect.

mod diagnostic;
mod dialect;
pub mod print;
#[cfg(feature = "sql")]
pub mod read;
pub mod tree;
mod types;
mod words;

pub use diagnostic::{Code, Diagnostic};
pub use dialect::Dialect;
pub use print::{Unprintable, print};
#[cfg(feature = "sql")]
pub use read::{ReadDialect, read};
