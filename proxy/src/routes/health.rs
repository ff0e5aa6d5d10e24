//! `GET health`: the process lives. `GET ready`: every part can work.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::model::ModelHealth;
use crate::state::AppState;

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Ready {
    status: &'static str,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    status: &'static str,
    /// Stable code of what is wrong, where something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/health", get(health)).route("/ready", get(ready))
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

async fn ready(State(state): State<AppState>) -> (StatusCode, Json<Ready>) {
    let part = |name, status| Part { name, status, code: None };
    let mut database = part("database", "not_configured");
    for found in state.sources().values().filter_map(|source| source.database.as_ref()) {
        database = match found.ping().await {
            Ok(()) => part("database", "ok"),
            Err(error) => Part { name: "database", status: "failed", code: Some(error.code()) },
        };
        if database.code.is_some() {
            break;
        }
    }
    let store = match state.store.ping().await {
        Ok(()) => part("store", "ok"),
        Err(_) => Part { name: "store", status: "failed", code: Some("store_unavailable") },
    };
    // A model that rests makes the proxy no less ready: what can be composed is answered without it.
    let model = match state.model.as_ref().map(|model| model.health()) {
        None => part("model", "not_configured"),
        Some(ModelHealth::Ok) => part("model", "ok"),
        Some(ModelHealth::Probing) => part("model", "probing"),
        Some(ModelHealth::Resting) => part("model", "resting"),
    };
    let parts = vec![database, store, model];
    if parts.iter().any(|part| part.status == "failed") {
        (StatusCode::SERVICE_UNAVAILABLE, Json(Ready { status: "failed", parts }))
    } else {
        (StatusCode::OK, Json(Ready { status: "ok", parts }))
    }
}
