//! Confidence: from how something was resolved, never from an opinion.

mod gate;
mod resolution;

pub(crate) use gate::{Gate, overall};
pub(crate) use resolution::Method;
