//! `GET` and `DELETE history`, `GET` and `DELETE history/{id}`: earlier questions of the caller.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::extract::Parameters;
use crate::problem::{Problem, ProblemCode};
use crate::state::AppState;
use crate::store::{Cursor, Owner, PastQuestion, Store};

/// Default page size.
const PAGE: u32 = 50;
/// Maximum page size.
const LARGEST_PAGE: u32 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRequest {
    #[serde(default)]
    limit: Option<u32>,
    /// Cursor: `next` of the previous page.
    #[serde(default)]
    before: Option<String>,
    /// Owner of the history, if the caller is not authenticated.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    #[serde(default)]
    person: Option<String>,
}

#[derive(Serialize)]
struct Page {
    questions: Vec<PastQuestion>,
    /// Cursor of the next page; absent on the last one.
    next: Option<String>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/history", get(list).delete(forget_all))
        .route("/history/{id}", get(find).delete(forget))
}

async fn list(
    State(store): State<Store>,
    caller: Caller,
    Parameters(request): Parameters<PageRequest>,
) -> Result<JsonBody<Page>, Problem> {
    let PageRequest { limit, before, person } = request;
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let limit = limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let detail = format!("limit must be between 1 and {LARGEST_PAGE}");
        return Err(Problem::new(ProblemCode::InvalidLimit, detail));
    }
    let before = before.as_deref().map(cursor).transpose()?;
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    let mut questions = store.history(owner, limit + 1, before).await?;
    let more = questions.len() > limit as usize;
    questions.truncate(limit as usize);
    let last = questions.last().filter(|_| more);
    let next = last.map(|last| format!("{}.{}", last.asked_at, last.id));
    Ok(JsonBody(Page { questions, next }))
}

async fn find(
    State(store): State<Store>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<JsonBody<PastQuestion>, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    let found = store.past_question(owner, &id).await?;
    found.map(JsonBody).ok_or_else(unknown)
}

async fn forget(
    State(store): State<Store>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<StatusCode, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    match store.forget_history(owner, Some(&id)).await? {
        0 => Err(unknown()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

async fn forget_all(
    State(store): State<Store>,
    caller: Caller,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<StatusCode, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    store.forget_history(owner, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn cursor(text: &str) -> Result<Cursor, Problem> {
    let read = text.split_once('.').and_then(|(at, id)| {
        let digits = id.strip_prefix("q_")?.bytes();
        let is_time = at.bytes().all(|byte| byte.is_ascii_digit());
        let is_id = digits.len() == 32 && digits.clone().all(|byte| byte.is_ascii_hexdigit());
        let asked_at = at.parse().ok().filter(|_| is_time && is_id)?;
        Some(Cursor { asked_at, id: id.to_owned() })
    });
    read.ok_or_else(|| {
        let detail = "before must be the value of next from the previous page";
        Problem::new(ProblemCode::InvalidCursor, detail)
    })
}

fn unknown() -> Problem {
    Problem::new(ProblemCode::UnknownQuestion, "unknown question")
}
