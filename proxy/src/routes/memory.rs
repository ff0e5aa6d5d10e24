//! `GET`, `PUT` and `DELETE memory/{person}`, `DELETE memory/{person}/{pattern}`: what is remembered for one; the same
//! on `memory`, and `DELETE memory/everyone/{pattern}`: for everyone of a tenant.
//!
//! A user who is known is `me`. Elsewhere a person is an id that the client chose at random; who knows it may read and
//! change the memory.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json as JsonBody, Router};
use serde_json::Value;
use wherefore_engine::memory::{Memory, Scope};

use crate::caller::Caller;
use crate::problem::Problem;
use crate::request::Json;
use crate::state::AppState;

/// How everyone of a tenant is named.
const EVERYONE: &str = "everyone";
/// Most patterns of one person.
const PATTERNS: usize = 500;
/// Longest pattern as JSON, in bytes.
const PATTERN_BYTES: usize = 4_096;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/memory", get(list_shared).put(replace_shared).delete(forget_all_shared))
        .route("/memory/{person}", get(list).put(replace).delete(forget_all))
        .route("/memory/{person}/{pattern}", delete(forget))
}

async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<JsonBody<Memory>, Problem> {
    let (name, _) = named(&state, &caller, &person)?;
    Ok(JsonBody(state.store.memory(&name).await?))
}

async fn list_shared(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<JsonBody<Memory>, Problem> {
    list(State(state), caller, Path(EVERYONE.to_owned())).await
}

async fn replace(
    State(state): State<AppState>,
    caller: Caller,
    Path(person): Path<String>,
    Json(body): Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    let (name, scope) = named(&state, &caller, &person)?;
    let refused =
        |code, detail: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail);
    let mut memory = Memory::read(&body.to_string())
        .map_err(|error| refused(error.code(), error.to_string()))?;
    if memory.patterns.len() > PATTERNS {
        let detail = format!("memory holds more than {PATTERNS} patterns");
        return Err(refused("memory_too_large", detail).with("pointer", "/patterns"));
    }
    for (position, pattern) in memory.patterns.iter_mut().enumerate() {
        let bytes = serde_json::to_vec(pattern).map_or(0, |bytes| bytes.len());
        if bytes > PATTERN_BYTES {
            let detail = format!("pattern is longer than {PATTERN_BYTES} bytes");
            return Err(refused("memory_too_large", detail)
                .with("pointer", format!("/patterns/{position}")));
        }
        pattern.scope = scope;
    }
    state.store.change_memory(&name, |known| known.clone_from(&memory)).await?;
    Ok(JsonBody(memory))
}

async fn replace_shared(
    State(state): State<AppState>,
    caller: Caller,
    body: Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    replace(State(state), caller, Path(EVERYONE.to_owned()), body).await
}

async fn forget_all(
    State(state): State<AppState>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<StatusCode, Problem> {
    let (name, _) = named(&state, &caller, &person)?;
    state.store.change_memory(&name, |memory| memory.patterns.clear()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn forget_all_shared(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    forget_all(State(state), caller, Path(EVERYONE.to_owned())).await
}

async fn forget(
    State(state): State<AppState>,
    caller: Caller,
    Path((person, pattern)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let (name, _) = named(&state, &caller, &person)?;
    if state.store.change_memory(&name, |memory| memory.forget(&pattern)).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        let detail = "no pattern has this id";
        Err(Problem::new(StatusCode::NOT_FOUND, "unknown_pattern", detail))
    }
}

/// Under which name a memory is kept, and whom it holds for.
fn named(state: &AppState, caller: &Caller, person: &str) -> Result<(String, Scope), Problem> {
    if person == EVERYONE {
        if !state.shared_memory {
            return Err(not_shared());
        }
        return Ok((caller.everyone(), Scope::DataSource));
    }
    Ok((caller.person(Some(person))?.unwrap_or_default(), Scope::Person))
}

/// Why nothing is remembered for everyone.
pub(super) fn not_shared() -> Problem {
    let detail = "nothing is remembered for everyone here: --shared-memory allows it";
    Problem::new(StatusCode::FORBIDDEN, "shared_memory_off", detail)
}
