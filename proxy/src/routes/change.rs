//! `POST query/change` and `POST query/mark`: changes of, and feedback on, a question that was answered.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::Event;

use crate::caller::Caller;
use crate::extract::{Json, null_as_default};
use crate::problem::{Problem, ProblemCode};
use crate::questions::{self, AskedFlags, Change, Feedback, Questions, RoundOutcome};
use crate::state::AppState;
use crate::store::Mark;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRequest {
    /// Id of the question.
    #[serde(default)]
    id: Option<String>,
    /// A clarification id of the question, instead of its id.
    #[serde(default)]
    clarification_id: Option<String>,
    /// The new answer, naming the assumption or clarification by its id.
    answer: ClarificationAnswer,
    /// Person whose memory is updated.
    #[serde(default)]
    person: Option<String>,
    /// Feature flags that override those of the server.
    #[serde(default, deserialize_with = "null_as_default")]
    flags: AskedFlags,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    #[serde(default, deserialize_with = "null_as_default")]
    accept_estimate: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkRequest {
    /// Id of the question.
    #[serde(default)]
    id: Option<String>,
    /// A clarification id of the question, instead of its id.
    #[serde(default)]
    clarification_id: Option<String>,
    /// Id of the clarification.
    about: String,
    /// Feedback.
    mark: WrittenMark,
    /// Person whose memory is updated.
    #[serde(default)]
    person: Option<String>,
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
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(request): Json<ChangeRequest>,
) -> Result<RoundOutcome, Problem> {
    let ChangeRequest { id, clarification_id, answer, person, flags, accept_estimate } = request;
    let person = caller.person(person.as_deref())?;
    let id = one_of(id, clarification_id)?;
    let event = Event::Change { answer };
    let change = Change { id, event, person, flags, accept_estimate };
    questions::change(&questions, &caller, change).await
}

async fn mark(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(request): Json<MarkRequest>,
) -> Result<StatusCode, Problem> {
    let MarkRequest { id, clarification_id, about, mark, person } = request;
    let id = one_of(id, clarification_id)?;
    let mark = match mark {
        WrittenMark::Helpful => Mark::Helpful,
        WrittenMark::Needless => Mark::Needless,
    };
    questions::mark(&questions, &caller, Feedback { id, about, mark, person }).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn one_of(id: Option<String>, clarification_id: Option<String>) -> Result<String, Problem> {
    match (id, clarification_id) {
        (Some(id), None) | (None, Some(id)) => Ok(id),
        _ => Err(set_one_id()),
    }
}

pub(super) fn set_one_id() -> Problem {
    let detail = "set exactly one of id and clarification_id";
    Problem::new(ProblemCode::InvalidRequest, detail)
}
