//! `GET` and `DELETE history`, `GET` and `DELETE history/{id}`: what the caller asked before.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::problem::Problem;
use crate::request::Parameters;
use crate::state::AppState;
use crate::store::{Cursor, Owner, PastQuestion};

/// Questions of a page, unless more or fewer are asked for.
const PAGE: u32 = 50;
/// Most questions of a page.
const LARGEST_PAGE: u32 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRequest {
    #[serde(default)]
    limit: Option<u32>,
    /// `next` of the page before.
    #[serde(default)]
    before: Option<String>,
    /// Whose history, where no user is known.
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
    /// Where the next page begins; absent on the last one.
    next: Option<String>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/history", get(list).delete(forget_all))
        .route("/history/{id}", get(find).delete(forget))
}

async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Parameters(request): Parameters<PageRequest>,
) -> Result<JsonBody<Page>, Problem> {
    let PageRequest { limit, before, person } = request;
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let limit = limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let detail = format!("limit is 1 to {LARGEST_PAGE}");
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_limit", detail));
    }
    let before = before.as_deref().map(cursor).transpose()?;
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    let mut questions = state.store.history(owner, limit + 1, before).await?;
    let more = questions.len() > limit as usize;
    questions.truncate(limit as usize);
    let last = questions.last().filter(|_| more);
    let next = last.map(|last| format!("{}.{}", last.asked_at, last.id));
    Ok(JsonBody(Page { questions, next }))
}

async fn find(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<JsonBody<PastQuestion>, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    let found = state.store.past_question(owner, &id).await?;
    found.map(JsonBody).ok_or_else(unknown)
}

async fn forget(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<StatusCode, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    match state.store.forget_history(owner, Some(&id)).await? {
        0 => Err(unknown()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

async fn forget_all(
    State(state): State<AppState>,
    caller: Caller,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<StatusCode, Problem> {
    let name = caller.person(person.as_deref())?.unwrap_or_default();
    let owner = Owner { tenant: &caller.identity.tenant, name: &name };
    state.store.forget_history(owner, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn cursor(text: &str) -> Result<Cursor, Problem> {
    let read = text
        .split_once('.')
        .and_then(|(at, id)| Some(Cursor { asked_at: at.parse().ok()?, id: id.to_owned() }));
    read.ok_or_else(|| {
        let detail = "before is not what a page gave as next";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_cursor", detail)
    })
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_question", "no question has this id")
}
