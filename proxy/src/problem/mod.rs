//! Problem documents (RFC 9457), and the codes of all errors.

mod code;
mod document;

pub use code::ProblemCode;
pub use document::Problem;
pub(crate) use document::{REQUEST_ID, request_id};
