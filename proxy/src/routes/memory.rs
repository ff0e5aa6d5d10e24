//! `GET`, `PUT` and `DELETE memory/{person}`, `DELETE memory/{person}/{pattern}`: memory of one person. The same on
//! `memory`, and `DELETE memory/everyone/{pattern}`: memory shared by everyone of a tenant.
//!
//! An authenticated user is `me`. Otherwise a person is a random id of the client, which gives access to the memory.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json as JsonBody, Router};
use serde_json::Value;
use wherefore_engine::memory::{Memory, Scope};

use crate::caller::Caller;
use crate::extract::{Json, write_integers};
use crate::problem::{Problem, ProblemCode};
use crate::questions::{Questions, not_shared};
use crate::state::AppState;

/// Name of everyone of a tenant.
const EVERYONE: &str = "everyone";
/// Maximum number of patterns of one person.
const PATTERNS: usize = 500;
/// Maximum size of a pattern as JSON, in bytes.
const PATTERN_BYTES: usize = 4_096;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/memory", get(list_shared).put(replace_shared).delete(forget_all_shared))
        .route("/memory/{person}", get(list).put(replace).delete(forget_all))
        .route("/memory/{person}/{pattern}", delete(forget))
}

async fn list(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<JsonBody<Memory>, Problem> {
    let (name, _) = named(&questions, &caller, &person)?;
    Ok(JsonBody(questions.store.memory(&name).await?))
}

async fn list_shared(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
) -> Result<JsonBody<Memory>, Problem> {
    list(State(questions), caller, Path(EVERYONE.to_owned())).await
}

async fn replace(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
    Json(mut body): Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    let (name, scope) = named(&questions, &caller, &person)?;
    write_integers(&mut body);
    // The first version was a list of patterns; an object names its version.
    let current = Memory::default().version;
    let version = body.get("version").and_then(Value::as_u64);
    if !body.is_array() && version.is_none_or(|version| version < u64::from(current)) {
        let detail = format!("version must be {current}");
        return Err(Problem::new(ProblemCode::InvalidRequest, detail).with("pointer", "/version"));
    }
    let mut memory = Memory::read(&body.to_string()).map_err(|error| {
        Problem::relayed(StatusCode::UNPROCESSABLE_ENTITY, error.code().as_str(), error.to_string())
    })?;
    let too_large = |detail: String| Problem::new(ProblemCode::MemoryTooLarge, detail);
    if memory.patterns.len() > PATTERNS {
        let detail = format!("the memory has more than {PATTERNS} patterns");
        return Err(too_large(detail).with("pointer", "/patterns"));
    }
    for (position, pattern) in memory.patterns.iter_mut().enumerate() {
        let bytes = serde_json::to_vec(pattern).map_or(0, |bytes| bytes.len());
        if bytes > PATTERN_BYTES {
            let detail = format!("the pattern is longer than {PATTERN_BYTES} bytes");
            return Err(too_large(detail).with("pointer", format!("/patterns/{position}")));
        }
        pattern.scope = scope;
    }
    questions.store.change_memory(&name, |known| known.clone_from(&memory)).await?;
    Ok(JsonBody(memory))
}

async fn replace_shared(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    body: Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    replace(State(questions), caller, Path(EVERYONE.to_owned()), body).await
}

async fn forget_all(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<StatusCode, Problem> {
    let (name, _) = named(&questions, &caller, &person)?;
    questions.store.change_memory(&name, |memory| memory.patterns.clear()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn forget_all_shared(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    forget_all(State(questions), caller, Path(EVERYONE.to_owned())).await
}

async fn forget(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path((person, pattern)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let (name, _) = named(&questions, &caller, &person)?;
    if questions.store.change_memory(&name, |memory| memory.forget(&pattern)).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        let detail = "unknown pattern";
        Err(Problem::new(ProblemCode::UnknownPattern, detail))
    }
}

/// Key and scope of a memory.
fn named(questions: &Questions, caller: &Caller, person: &str) -> Result<(String, Scope), Problem> {
    if person == EVERYONE {
        if !questions.shared_memory {
            return Err(not_shared());
        }
        return Ok((caller.everyone(), Scope::DataSource));
    }
    Ok((caller.person(Some(person))?.unwrap_or_default(), Scope::Person))
}
