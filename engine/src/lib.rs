#![doc = include_str!("../../ARCHITECTURE.md")]

pub mod ambiguity;
pub mod catalog;
pub mod clarification;
mod engine;
pub mod intent;
pub mod session;
pub mod settings;
pub mod sql;
pub mod text;

pub use engine::{Engine, Knowledge};
pub use session::Session;
