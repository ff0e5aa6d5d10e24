#![doc = include_str!("../../ARCHITECTURE.md")]

pub mod ambiguity;
pub mod catalog;
pub mod clarification;
mod compose;
mod confidence;
mod conversation;
mod day;
mod dictionary;
mod engine;
pub mod intent;
mod interpretation;
mod linking;
pub mod memory;
mod order;
mod reading;
pub mod session;
pub mod settings;
pub mod sql;
mod template;
pub mod text;
pub mod writing;

pub use engine::{Engine, Knowledge};
pub use session::Session;
pub use template::TemplateStatement;
