//! `GET metrics`: metrics of the process, for Prometheus.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::data_source::DataSources;
use crate::limits::Limits;
use crate::metrics::{Metrics, Usage};
use crate::state::AppState;

/// The text format of `OpenMetrics`, which Prometheus reads.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/metrics", get(metrics))
}

async fn metrics(
    State(metrics): State<Arc<Metrics>>,
    State(limits): State<Arc<Limits>>,
    State(sources): State<DataSources>,
) -> impl IntoResponse {
    let databases = sources.all().filter_map(|source| source.database.as_ref());
    let text = metrics.text(Usage {
        running_queries: limits.running(),
        connections: databases.map(|database| database.connections_in_use()).sum(),
        overdue: sources.all().map(|source| source.turns.overdue()).sum(),
        turns_timed_out: sources.all().map(|source| source.turns.timed_out()).sum(),
    });
    ([(header::CONTENT_TYPE, TEXT), (header::CACHE_CONTROL, "no-store")], text)
}
