//! Errors of libraries, as problem documents.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, ProblemCode};

/// The response, or a problem document if it is an error without a body or in plain text.
///
/// The routers for files and for MCP respond so to requests that they do not accept.
pub(super) fn as_problem(response: Response) -> Response {
    if !is_plain(response.headers()) {
        return response;
    }
    let (code, detail) = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            (ProblemCode::MethodNotAllowed, "the resource does not support this method")
        }
        StatusCode::NOT_ACCEPTABLE => {
            (ProblemCode::NotAcceptable, "accept both application/json and text/event-stream")
        }
        StatusCode::PAYLOAD_TOO_LARGE => (ProblemCode::BodyTooLarge, "the body is too large"),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            (ProblemCode::UnsupportedMediaType, "Content-Type must be application/json")
        }
        _ => return response,
    };
    let mut problem = Problem::new(code, detail).into_response();
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        problem.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    problem
}

fn is_plain(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"))
}
