//! Responses if no route matches.

use axum::http::Uri;

use crate::problem::{Problem, ProblemCode};

/// No resource is at the path.
pub(crate) async fn unknown_route(uri: Uri) -> Problem {
    Problem::new(ProblemCode::UnknownRoute, format!("there is no resource at {}", uri.path()))
}

/// The resource does not support the method.
pub(super) async fn method_not_allowed() -> Problem {
    Problem::new(ProblemCode::MethodNotAllowed, "the resource does not support this method")
}
