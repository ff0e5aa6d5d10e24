//! `GET health`: the process lives. `GET ready`: every part can work; which one cannot is told to those who signed in.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Extension, Json, Router};
use futures_util::future::join_all;
use serde::Serialize;

use crate::access::Authentication;
use crate::caller::Identity;
use crate::database::DatabaseError;
use crate::model::ModelHealth;
use crate::state::AppState;

/// Longest wait for a part.
const WAIT: Duration = Duration::from_secs(3);

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Ready {
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
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

impl Part {
    fn ok(name: &'static str) -> Self {
        Self { name, status: "ok", code: None }
    }

    fn failed(name: &'static str, code: &'static str) -> Self {
        Self { name, status: "failed", code: Some(code) }
    }

    fn not_configured(name: &'static str) -> Self {
        Self { name, status: "not_configured", code: None }
    }
}

async fn ready(
    State(state): State<AppState>,
    identity: Option<Extension<Identity>>,
) -> (StatusCode, Json<Ready>) {
    let parts = vec![database(&state).await, store(&state).await, model(&state), sign_in(&state)];
    let (status, word) = if parts.iter().any(|part| part.status == "failed") {
        (StatusCode::SERVICE_UNAVAILABLE, "failed")
    } else {
        (StatusCode::OK, "ok")
    };
    let is_told = state.access.is_open() || identity.is_some();
    let parts = if is_told { parts } else { Vec::new() };
    (status, Json(Ready { status: word, parts }))
}

/// All data sources as one part: whose it is that fails is not told to others.
async fn database(state: &AppState) -> Part {
    let databases = state.sources().values().filter_map(|source| source.database.clone());
    let pings: Vec<_> = databases
        .map(|database| async move {
            let late = DatabaseError::Unavailable("it did not answer in time".to_owned());
            tokio::time::timeout(WAIT, database.ping()).await.unwrap_or(Err(late))
        })
        .collect();
    if pings.is_empty() {
        return Part::not_configured("database");
    }
    let failure = join_all(pings).await.into_iter().find_map(Result::err);
    failure.map_or(Part::ok("database"), |error| Part::failed("database", error.code()))
}

async fn store(state: &AppState) -> Part {
    match tokio::time::timeout(WAIT, state.store.ping()).await {
        Ok(Ok(())) => Part::ok("store"),
        _ => Part::failed("store", "store_unavailable"),
    }
}

fn model(state: &AppState) -> Part {
    // A model that rests makes the proxy no less ready: what can be composed is answered without it.
    match state.model.as_ref().map(|model| model.health()) {
        None => Part::not_configured("model"),
        Some(ModelHealth::Ok) => Part::ok("model"),
        Some(ModelHealth::Probing) => Part { name: "model", status: "probing", code: None },
        Some(ModelHealth::Resting) => Part { name: "model", status: "resting", code: None },
    }
}

fn sign_in(state: &AppState) -> Part {
    match &state.access.authentication {
        Authentication::None => Part::not_configured("sign_in"),
        Authentication::Tokens(tokens) if !tokens.is_current() => {
            Part::failed("sign_in", "key_set_unreadable")
        }
        Authentication::Keys | Authentication::Tokens(_) => Part::ok("sign_in"),
    }
}
