//! `GET metrics`: figures of the process, for Prometheus.

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::state::AppState;

/// The text format of `OpenMetrics`, which Prometheus reads.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/metrics", get(metrics))
}

async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    let databases = state.sources().values().filter_map(|source| source.database.as_ref());
    let connections = databases.map(|database| database.connections_in_use()).sum();
    let text = state.metrics.text(state.limits.running(), connections);
    ([(header::CONTENT_TYPE, TEXT), (header::CACHE_CONTROL, "no-store")], text)
}
