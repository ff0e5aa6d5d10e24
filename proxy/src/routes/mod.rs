//! The HTTP interface, version 1: one resource a file.

mod catalog;
mod change;
mod figures;
mod health;
mod history;
mod llm;
mod memory;
mod metrics;
mod once;
mod openapi;
mod progress;
pub(crate) mod query;
pub(crate) mod sql;
mod values;
mod web;

use std::path::Path;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::access::{Authentication, authenticate, sign_in_router};
use crate::admission;
use crate::headers;
pub use crate::headers::AllowedHosts;
use crate::mcp;
use crate::problem::Problem;
use crate::request::BODY_BYTES;
use crate::state::AppState;

/// Every route; the web app is served where its folder is given.
pub fn router(state: AppState, hosts: AllowedHosts, static_files: Option<&Path>) -> Router {
    let counted = middleware::from_fn_with_state(state.clone(), admission::count);
    let api = Router::new()
        .merge(catalog::router())
        .merge(change::router().route_layer(counted.clone()))
        .merge(figures::router())
        .merge(health::router())
        .merge(llm::router())
        .merge(history::router())
        .merge(memory::router())
        .merge(metrics::router())
        .merge(openapi::router())
        .merge(progress::router())
        .merge(query::router().route_layer(counted.clone()))
        .merge(sql::router().route_layer(counted))
        .merge(values::router())
        .fallback(unknown_route)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(state.clone());
    let mut routes =
        Router::new().nest("/api/v1", api).route_service("/mcp", mcp::service(state.clone()));
    if matches!(state.access.authentication, Authentication::Keys) {
        routes = routes.merge(sign_in_router().with_state(state.clone()));
    }
    let routes = match static_files {
        Some(folder) => routes.merge(web::router(folder)),
        None => routes.fallback(unknown_route),
    };
    guard(routes, state, hosts)
}

/// Routes behind everything that stands around a request: who may, how much, and from where.
pub fn guard(routes: Router, state: AppState, hosts: AllowedHosts) -> Router {
    let origins = &state.access.origins;
    let cross_origin = (!origins.is_empty()).then(|| headers::cross_origin(origins));
    // The last is the outermost: a request meets them from the bottom up.
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(middleware::from_fn_with_state(state.clone(), authenticate))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(option_layer(cross_origin))
        .layer(middleware::from_fn_with_state((hosts, state), headers::surround))
}

async fn unknown_route(uri: Uri) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "unknown_route",
        format!("no resource is at {}", uri.path()),
    )
}

async fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "the resource does not take this method",
    )
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Problem::internal("a handler panicked").into_response()
}
