//! Confidence scores, computed from how words were matched; a model never rates itself.

mod gate;
mod resolution;

pub use gate::Confidence;
pub(crate) use gate::{Gate, overall};
pub(crate) use resolution::Method;
