//! `POST query/change` and `POST query/mark`: what can be said of a question once it was answered.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use serde::Deserialize;
use wherefore_engine::Session;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::Event;

use super::query::{finish, step_problem, still_open};
use crate::caller::Caller;
use crate::driver;
use crate::flags::AskedFlags;
use crate::problem::Problem;
use crate::request::Json;
use crate::state::AppState;
use crate::store::{Mark, OpenSession};
use crate::turn::Turn;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRequest {
    /// Id of the question.
    #[serde(default)]
    id: Option<String>,
    /// Id that the question waited under, instead.
    #[serde(default)]
    clarification_id: Option<String>,
    /// The new answer, naming the assumption or clarification by its id.
    answer: ClarificationAnswer,
    /// Whose memory is added to.
    #[serde(default)]
    person: Option<String>,
    /// Flags that differ from those of the server.
    #[serde(default)]
    flags: AskedFlags,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkRequest {
    /// Id of the question.
    #[serde(default)]
    id: Option<String>,
    /// Id that the question waited under, instead.
    #[serde(default)]
    clarification_id: Option<String>,
    /// Id of the clarification that was asked.
    about: String,
    /// What the asker thought of it.
    mark: WrittenMark,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenMark {
    Helpful,
    Needless,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/query/change", post(change)).route("/query/mark", post(mark))
}

async fn change(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<ChangeRequest>,
) -> Result<Response, Problem> {
    let ChangeRequest { id, clarification_id, answer, person, flags } = request;
    let person = caller.person(person.as_deref())?;
    let id = one_of(id, clarification_id)?;
    let found = state.store.find_completed(&caller.identity, &id).await?;
    let open = still_open(Some(found.ok_or_else(unknown_question)?))?;
    let turn = Turn::later(&state, &caller, &open, person)?.with_flags(&flags, &state)?;
    let state = turn.flags.state(&state);
    let OpenSession { snapshot, question, .. } = *open;
    let knowledge = turn.knowledge(&caller);
    let mut session = Session::restore(&snapshot).map_err(Problem::internal)?;
    let effects = driver::step(&knowledge, &mut session, Event::Change { answer }, &turn.run)
        .map_err(|error| step_problem(&error, &[]).with("question", question))?;
    finish(&state, &caller, &knowledge, &mut session, effects, &turn, false).await
}

async fn mark(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<MarkRequest>,
) -> Result<StatusCode, Problem> {
    let MarkRequest { id, clarification_id, about, mark } = request;
    let id = one_of(id, clarification_id)?;
    let mark = match mark {
        WrittenMark::Helpful => Mark::Helpful,
        WrittenMark::Needless => Mark::Needless,
    };
    if state.store.mark(&caller.identity, &id, &about, mark).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let detail = "this question asked no clarification with this id";
    Err(Problem::new(StatusCode::NOT_FOUND, "unknown_clarification", detail))
}

fn one_of(id: Option<String>, clarification_id: Option<String>) -> Result<String, Problem> {
    match (id, clarification_id) {
        (Some(id), None) | (None, Some(id)) => Ok(id),
        _ => {
            let detail = "a question is named by one of id and clarification_id";
            Err(Problem::new(StatusCode::BAD_REQUEST, "invalid_request", detail))
        }
    }
}

fn unknown_question() -> Problem {
    let detail = "no answered question has this id";
    Problem::new(StatusCode::NOT_FOUND, "unknown_question", detail)
}
