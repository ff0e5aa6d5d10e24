//! Counting of questions and running queries of a user.
//!
//! The count is shared with the caller of the request, since its work may go on after the client has left.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::held::held;
use crate::identity::Identity;
use crate::limits::{Limits, Occupied};

/// Route that counts as a question.
const QUESTION: &str = "/api/v1/query";
/// Route of GET requests that count as running queries.
const VALUES: &str = "/api/v1/values";

/// Middleware that counts questions and running queries of a user.
pub(crate) async fn count(
    State(limits): State<Arc<Limits>>,
    mut request: Request,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_post = request.method() == Method::POST;
    if !is_post && route != Some(VALUES) {
        return next.run(request).await;
    }
    let who = request.extensions().get::<Identity>().cloned().unwrap_or_default();
    let is_question = is_post && route == Some(QUESTION);
    let asked = if is_question { limits.ask(&who) } else { Ok(()) };
    let running = match asked.and_then(|()| limits.run(&who)) {
        Ok(running) => Arc::new(running),
        Err(problem) => return problem.into_response(),
    };
    let occupied = request.extensions_mut().get_or_insert_default::<Occupied>();
    occupied.running = Some(Arc::clone(&running));
    let response = next.run(request).await;
    response.map(|inner| held(inner, running))
}
