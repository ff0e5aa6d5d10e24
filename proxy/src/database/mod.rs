//! Data sources: what can be read from them, and how they fail.

#[cfg(unix)]
pub mod adbc;
mod address;
mod arrow;
mod contents;
mod error;
mod interface;
mod key_evidence;
mod limits;
mod listed_values;
mod login;
pub mod mysql;
pub mod postgres;
mod quoting;
mod reading;
mod sampling;
pub mod sqlite;
mod stream;
mod turns;
mod unproven;

pub use address::DatabaseAddress;
use contents::Contents;
pub use error::DatabaseError;
pub use interface::{Database, LargestStep, Plan};
pub(crate) use limits::{CELL_BYTES, MAX_CELL_BYTES};
pub use limits::{Cuts, RunLimits};
pub(crate) use listed_values::has_listed_values;
pub use login::{LoginFinding, LoginRisk, Severity};
use quoting::{like_literal, quoted, quoted_table};
pub use reading::Reading;
pub use stream::{ArrowStream, CellStream, Part, ResultStream, RunEnd};
use turns::GivenUp;
pub use turns::{Turn, Turns};
pub use unproven::Unproven;
