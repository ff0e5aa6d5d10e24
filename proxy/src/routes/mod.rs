//! The HTTP interface, version 1: one resource a file.

mod catalog;
mod change;
mod figures;
mod health;
mod history;
mod llm;
mod memory;
mod once;
mod query;
mod sql;
mod values;
mod web;

use std::path::Path;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;

use crate::headers;
pub use crate::headers::AllowedHosts;
use crate::problem::Problem;
use crate::request::BODY_BYTES;
use crate::state::AppState;

/// Every route; the web app is served where its folder is given.
pub fn router(state: AppState, hosts: AllowedHosts, static_files: Option<&Path>) -> Router {
    let api = Router::new()
        .merge(catalog::router())
        .merge(change::router())
        .merge(figures::router())
        .merge(health::router())
        .merge(llm::router())
        .merge(history::router())
        .merge(memory::router())
        .merge(query::router())
        .merge(sql::router())
        .merge(values::router())
        .fallback(unknown_route)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(state);
    let routes = Router::new().nest("/api/v1", api);
    let routes = match static_files {
        Some(folder) => routes.merge(web::router(folder)),
        None => routes.fallback(unknown_route),
    };
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(hosts, headers::same_site))
        .layer(middleware::from_fn(headers::identify))
        .layer(middleware::from_fn(headers::secure))
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
