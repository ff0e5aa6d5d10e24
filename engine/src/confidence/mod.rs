//! Confidence scores, computed from how words were matched; a model never rates itself.

mod chance;
mod gate;
mod resolution;

pub(crate) use chance::chance;
pub use gate::Confidence;
pub(crate) use gate::{Gate, overall};
pub(crate) use resolution::Method;

/// Hash of a text (FNV-1a).
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
