//! `GET`, `PUT` and `DELETE memory/{person}`, `DELETE memory/{person}/{pattern}`: what is remembered.
//!
//! A person is an id that the client chose at random; who knows it may read and change the memory.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json as JsonBody, Router};
use serde_json::Value;
use wherefore_engine::memory::{Memory, Scope};

use crate::problem::Problem;
use crate::request::Json;
use crate::state::AppState;

/// Shortest and longest id of a person, in characters.
const PERSON: std::ops::RangeInclusive<usize> = 16..=64;
/// Most patterns of one person.
const PATTERNS: usize = 500;
/// Longest pattern as JSON, in bytes.
const PATTERN_BYTES: usize = 4_096;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/memory/{person}", get(list).put(replace).delete(forget_all))
        .route("/memory/{person}/{pattern}", delete(forget))
}

async fn list(
    State(state): State<AppState>,
    Path(person): Path<String>,
) -> Result<JsonBody<Memory>, Problem> {
    check_person(&person)?;
    Ok(JsonBody(state.store.memory(&person).await?))
}

async fn replace(
    State(state): State<AppState>,
    Path(person): Path<String>,
    Json(body): Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    check_person(&person)?;
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
        pattern.scope = Scope::Person;
    }
    let kept = memory.clone();
    state.store.change_memory(&person, move |known| known.clone_from(&kept)).await?;
    Ok(JsonBody(memory))
}

async fn forget_all(
    State(state): State<AppState>,
    Path(person): Path<String>,
) -> Result<StatusCode, Problem> {
    check_person(&person)?;
    state.store.change_memory(&person, |memory| memory.patterns.clear()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn forget(
    State(state): State<AppState>,
    Path((person, pattern)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    check_person(&person)?;
    if state.store.change_memory(&person, move |memory| memory.forget(&pattern)).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        let detail = "no pattern has this id";
        Err(Problem::new(StatusCode::NOT_FOUND, "unknown_pattern", detail))
    }
}

/// Refuses ids that could be guessed, or that are no ids.
pub(super) fn check_person(person: &str) -> Result<(), Problem> {
    let fits = PERSON.contains(&person.len())
        && person.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if fits {
        return Ok(());
    }
    let detail = format!(
        "id of a person has {} to {} letters, digits, hyphens and underscores",
        PERSON.start(),
        PERSON.end()
    );
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_person", detail)
        .with("pointer", "/person"))
}
