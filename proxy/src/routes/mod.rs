//! The HTTP API, version 1, with one file per resource.

mod catalog;
mod change;
mod choices;
mod fallback;
mod figures;
mod health;
mod history;
mod llm;
mod memory;
mod metrics;
mod openapi;
mod progress;
mod query;
mod sql;
mod values;
mod web;

use std::sync::Arc;

use axum::Router;
use axum::middleware;

use crate::limits::Limits;
use crate::middleware::count;
use crate::state::AppState;

use fallback::method_not_allowed;
pub(crate) use fallback::unknown_route;
pub(crate) use web::router as web_app;

/// Routes of the API. Those that run queries are rate-limited per user.
pub(crate) fn api(limits: Arc<Limits>) -> Router<AppState> {
    let counted = middleware::from_fn_with_state(limits, count);
    Router::new()
        .merge(catalog::router())
        .merge(change::router().route_layer(counted.clone()))
        .merge(choices::router())
        .merge(figures::router())
        .merge(health::router())
        .merge(llm::router().route_layer(counted.clone()))
        .merge(history::router())
        .merge(memory::router())
        .merge(metrics::router())
        .merge(openapi::router())
        .merge(progress::router())
        .merge(query::router().route_layer(counted.clone()))
        .merge(sql::router().route_layer(counted.clone()))
        .merge(values::router().route_layer(counted))
        .fallback(unknown_route)
        .method_not_allowed_fallback(method_not_allowed)
}
