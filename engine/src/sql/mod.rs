//! SQL: one SELECT-only tree, read from text, checked by the guard, printed for a dialect.

mod diagnostic;
mod dialect;
pub mod guard;
mod nesting;
pub(crate) mod packed;
pub mod print;
#[cfg(feature = "sql")]
pub mod read;
pub mod tree;
mod types;
mod words;

pub use diagnostic::{Code, Diagnostic};
pub use dialect::Dialect;
#[cfg(feature = "sql")]
pub use guard::check_text;
pub use guard::{CheckedSql, GuardLimits, OutputColumn, check, check_bound};
pub use print::{Unprintable, print};
#[cfg(feature = "sql")]
pub use read::{ReadDialect, read};
