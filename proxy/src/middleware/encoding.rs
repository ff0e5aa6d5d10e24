//! Content encodings of request bodies: none is supported.
//!
//! Bodies are at most a few hundred kilobytes, so decompression would save little and let small requests expand.

use axum::http::{HeaderMap, header};

use crate::problem::{Problem, ProblemCode};

/// Rejects a body with a content encoding, which would be read as if it had none.
pub(super) fn check(headers: &HeaderMap) -> Result<(), Problem> {
    let is_plain = |value: &str| value.trim().eq_ignore_ascii_case("identity");
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    if encodings.all(|encoding| encoding.to_str().is_ok_and(is_plain)) {
        return Ok(());
    }
    let detail = "send the body without a Content-Encoding";
    Err(Problem::new(ProblemCode::UnsupportedEncoding, detail))
}
