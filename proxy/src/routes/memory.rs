//! `GET`, `PUT` and `DELETE memory/{person}`, `DELETE memory/{person}/{pattern}`: memory of one person; `GET` and `PUT
//! memory/{person}/settings`: how that person is asked. The same on
//! `memory`, and `DELETE memory/everyone/{pattern}`: memory shared by everyone of a tenant.
//!
//! An authenticated user is `me`. Otherwise a person is a random id of the client, which gives access to the memory.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json as JsonBody, Router};
use serde_json::Value;
use wherefore_engine::memory::{Memory, PersonSettings, Scope};
use wherefore_engine::settings::Settings;

use crate::caller::Caller;
use crate::extract::{Json, write_integers};
use crate::problem::{Problem, ProblemCode};
use crate::questions::{Questions, not_shared};
use crate::state::AppState;

/// Maximum size of a lesson as JSON, in bytes; it can contain a statement.
const LESSON_BYTES: usize = 16 * 1024;
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
        .route("/memory/{person}/settings", get(settings).put(replace_settings))
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
    if let Some(settings) = &memory.settings {
        check_settings(settings, "/settings")?;
    }
    let lengths = [
        ("patterns", memory.patterns.len()),
        ("needless", memory.needless.len()),
        ("lessons", memory.lessons.len()),
    ];
    if let Some((list, _)) = lengths.into_iter().find(|(_, length)| *length > PATTERNS) {
        let detail = format!("the memory has more than {PATTERNS} {list}");
        return Err(too_large(detail).with("pointer", format!("/{list}")));
    }
    for (position, lesson) in memory.lessons.iter().enumerate() {
        let pointer = format!("/lessons/{position}");
        if !(0.0..=1.0).contains(&lesson.confidence) {
            let detail = "confidence must be between 0 and 1";
            return Err(Problem::new(ProblemCode::InvalidRequest, detail)
                .with("pointer", format!("{pointer}/confidence")));
        }
        let bytes = serde_json::to_vec(lesson).map_or(0, |bytes| bytes.len());
        if bytes > LESSON_BYTES {
            let detail = format!("the lesson is longer than {LESSON_BYTES} bytes");
            return Err(too_large(detail).with("pointer", pointer));
        }
    }
    for (position, marked) in memory.needless.iter().enumerate() {
        if marked.phrase.len() + marked.id.len() + marked.last_used.len() > PATTERN_BYTES {
            let detail = format!("the texts are longer than {PATTERN_BYTES} bytes");
            return Err(too_large(detail).with("pointer", format!("/needless/{position}")));
        }
    }
    for (position, pattern) in memory.patterns.iter_mut().enumerate() {
        let bytes = serde_json::to_vec(pattern).map_or(0, |bytes| bytes.len());
        if bytes > PATTERN_BYTES {
            let detail = format!("the pattern is longer than {PATTERN_BYTES} bytes");
            return Err(too_large(detail).with("pointer", format!("/patterns/{position}")));
        }
        pattern.scope = scope;
    }
    // Settings that the body does not name stay.
    let change = |known: &mut Memory| {
        let settings = memory.settings.clone().or_else(|| known.settings.clone());
        *known = Memory { settings, ..memory.clone() };
        known.clone()
    };
    Ok(JsonBody(questions.store.change_memory(&name, change).await?))
}

async fn replace_shared(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    body: Json<Value>,
) -> Result<JsonBody<Memory>, Problem> {
    replace(State(questions), caller, Path(EVERYONE.to_owned()), body).await
}

async fn settings(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<JsonBody<PersonSettings>, Problem> {
    let name = one_person(&caller, &person)?;
    let memory = questions.store.memory(&name).await?;
    Ok(JsonBody(memory.settings.unwrap_or_default()))
}

async fn replace_settings(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
    Json(Sent(settings)): Json<Sent>,
) -> Result<JsonBody<PersonSettings>, Problem> {
    let name = one_person(&caller, &person)?;
    check_settings(&settings, "")?;
    let stored = Some(settings.clone()).filter(|settings| *settings != PersonSettings::default());
    questions.store.change_memory(&name, |memory| memory.settings.clone_from(&stored)).await?;
    Ok(JsonBody(settings))
}

/// Key of the memory of a person; everyone together has no settings.
fn one_person(caller: &Caller, person: &str) -> Result<String, Problem> {
    if person == EVERYONE {
        let detail = "settings are those of one person; the server's are set by --settings";
        return Err(Problem::new(ProblemCode::InvalidPerson, detail).with("pointer", "/person"));
    }
    Ok(caller.person(Some(person))?.unwrap_or_default())
}

/// Settings that are sent as an object; a list of their values is refused.
#[derive(serde::Deserialize)]
#[serde(try_from = "serde_json::Map<String, serde_json::Value>")]
struct Sent(PersonSettings);

impl TryFrom<serde_json::Map<String, serde_json::Value>> for Sent {
    type Error = serde_json::Error;

    fn try_from(object: serde_json::Map<String, serde_json::Value>) -> Result<Self, Self::Error> {
        serde_json::from_value(object.into()).map(Self)
    }
}

/// Checks the settings of a person like those of the server.
fn check_settings(settings: &PersonSettings, pointer: &str) -> Result<(), Problem> {
    settings.applied(&Settings::default()).check().map_err(|detail| {
        let name = detail.split(' ').next().unwrap_or_default().to_owned();
        Problem::new(ProblemCode::InvalidRequest, detail)
            .with("pointer", format!("{pointer}/{name}"))
    })
}

async fn forget_all(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(person): Path<String>,
) -> Result<StatusCode, Problem> {
    let (name, _) = named(&questions, &caller, &person)?;
    questions.store.change_memory(&name, forget_choices).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forgets what was chosen and marked; the settings of the person stay.
fn forget_choices(memory: &mut Memory) {
    memory.patterns.clear();
    memory.needless.clear();
    memory.lessons.clear();
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
