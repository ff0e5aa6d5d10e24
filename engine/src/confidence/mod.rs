//! Confidence: from how something was resolved, never from an opinion.

mod gate;
mod resolution;

pub use gate::Confidence;
pub(crate) use gate::{Gate, overall};
pub(crate) use resolution::Method;
