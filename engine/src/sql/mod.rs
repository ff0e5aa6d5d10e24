//! SQL: one SELECT-only tree, read from text, checked by the guard, printed for a dialect.

#[cfg(feature = "sql")]
pub(crate) mod bind;
mod diagnostic;
mod dialect;
#[cfg(feature = "sql")]
mod dialects;
#[cfg(feature = "sql")]
pub mod explain;
#[cfg(feature = "sql")]
pub mod foreign;
pub mod guard;
#[cfg(feature = "sql")]
pub mod lint;
mod made_up;
mod names;
mod nesting;
pub(crate) mod packed;
#[cfg(feature = "sql")]
mod place;
pub mod print;
#[cfg(feature = "sql")]
pub mod read;
#[cfg(feature = "sql")]
pub mod repair;
mod suggest;
pub mod tree;
mod types;
#[cfg(feature = "sql")]
pub(crate) mod walk;
mod words;

pub use diagnostic::{Code, Diagnostic};
pub use dialect::Dialect;
#[cfg(feature = "sql")]
pub use dialects::{print_for, read_for, transpile};
#[cfg(feature = "sql")]
pub use guard::check_text;
pub use guard::{CheckedSql, GuardLimits, OutputColumn, check, check_bound};
pub use print::{Target, Unprintable, print};
#[cfg(feature = "sql")]
pub(crate) use read::read_with_tokens;
#[cfg(feature = "sql")]
pub use read::{ReadDialect, read, read_plain};
