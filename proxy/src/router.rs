//! The whole interface: the HTTP API, MCP, pages, and the middleware around them.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::access::{Authentication, Gate, authenticate, sign_in_router};
use crate::extract::BODY_BYTES;
use crate::hosts::AllowedHosts;
use crate::mcp;
use crate::middleware::{Admission, Surroundings, admit, cross_origin, surround};
use crate::problem::Problem;
use crate::routes;
use crate::state::AppState;

/// All routes; those of the web app only if its folder is given.
pub fn router(state: AppState, hosts: AllowedHosts, static_files: Option<&Path>) -> Router {
    let api = routes::api(Arc::clone(&state.limits)).with_state(state.clone());
    let mut routes = Router::new().nest("/api/v1", api).merge(mcp::router(state.clone()));
    if matches!(state.access.authentication, Authentication::Keys) {
        routes = routes.merge(sign_in_router().with_state(Gate::from_ref(&state)));
    }
    let routes = match static_files {
        Some(folder) => routes.merge(routes::web_app(folder)),
        None => routes.fallback(routes::unknown_route),
    };
    guard(routes, &state, hosts)
}

/// Adds all middleware to routes: authentication, limits, origin checks.
pub fn guard(routes: Router, state: &AppState, hosts: AllowedHosts) -> Router {
    let origins = Arc::clone(&state.access.origins);
    let cross_origin = (!origins.is_empty()).then(|| cross_origin(&origins));
    let around = Surroundings { hosts, metrics: Arc::clone(&state.metrics), origins };
    let admission = Admission {
        limits: Arc::clone(&state.limits),
        is_open: state.access.is_open(),
        stopping: state.stopping.clone(),
    };
    // The last layer is the outermost, which a request passes first.
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(middleware::from_fn_with_state(admission, admit))
        .layer(middleware::from_fn_with_state(Gate::from_ref(state), authenticate))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(option_layer(cross_origin))
        .layer(middleware::from_fn_with_state(around, surround))
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Problem::internal("a handler panicked").into_response()
}
