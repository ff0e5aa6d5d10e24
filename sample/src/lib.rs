//! The sample.
