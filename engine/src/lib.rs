//! The deterministic engine of Wherefore: questions to a database in, clarifications and checked SQL out.
//!
//! An [`Engine`] is the indexed knowledge of one data source and is shared by sessions. A [`Session`] takes events and
//! returns effects for its host to perform; [`Session::view`] holds everything a screen needs. The engine does no I/O:
//! it reads no clock, file, network or random source, so that the same events give the same bytes everywhere.
//!
//! `ARCHITECTURE.md` describes the stages and where to add what, `docs/spec.md` the behaviour with its figures.

mod account;
pub mod ambiguity;
pub mod clarification;
mod completing;
mod compose;
mod confidence;
mod conversation;
mod data;
mod dictionary;
mod engine;
mod failure;
pub mod intent;
mod interpretation;
mod json;
mod linking;
pub mod memory;
mod narration;
mod order;
mod reading;
pub mod session;
pub mod settings;
mod template;
pub mod text;
pub mod writing;

pub use account::{
    Account, Clause, ClauseDefault, ClauseKind, Doubt, DoubtKind, Remainder, RemainderKind,
};
pub use wherefore_catalog as catalog;
use wherefore_catalog::day;

pub use data::{Words, WordsError};
pub use dictionary::{TermFault, check_term};
pub use engine::{Engine, Knowledge};
pub use failure::FailureCode;
pub use json::read_json;
pub use linking::possible_keys;
pub use session::Session;
pub use template::{ParameterFault, ParameterField, TemplateStatement, check_parameter};
