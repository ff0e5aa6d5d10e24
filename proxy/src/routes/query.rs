//! `POST query`, `POST query/clarify` and `POST query/correct`: a question, and the rounds that clarify or correct it;
//! `POST query/record`: a question that the client itself has read.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{Correction, Event};

use super::change::set_one_id;
use crate::caller::Caller;
use crate::extract::{Json, null_as_default};
use crate::problem::Problem;
use crate::questions::{
    AskedFlags, Change, QueryRequest, Questions, Recorded, Reported, Resumed, RoundOutcome, ask,
    change as change_answer, keep_latest, not_shared, once, record_reported, refer_latest,
    round_once,
};
use crate::state::AppState;
use crate::store::RequestKey;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ClarifyRequest {
    clarification_id: String,
    answers: Vec<ClarificationAnswer>,
    /// Ids of clarifications whose answers are remembered immediately.
    #[serde(default)]
    remember: Vec<String>,
    /// Whether choices are remembered for everyone of the tenant.
    #[serde(default, deserialize_with = "null_as_default")]
    everyone: bool,
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

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CorrectRequest {
    /// Clarification id of a waiting question.
    #[serde(default)]
    clarification_id: Option<String>,
    /// Id of an answered question, instead of a clarification id.
    #[serde(default)]
    id: Option<String>,
    correction: Correction,
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

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/query", post(query))
        .route("/query/clarify", post(clarify))
        .route("/query/correct", post(correct))
        .route("/query/record", post(record))
}

async fn query(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(request): Json<QueryRequest>,
) -> Result<Response, Problem> {
    let person = caller.person(request.person.as_deref())?;
    let Some(id) = request.id.clone() else {
        let outcome = ask(&questions, &caller, request, person, Arc::default()).await?;
        keep_latest(&questions, &caller, &outcome).await;
        return Ok(outcome.into_response());
    };
    let owner = person.clone().unwrap_or_default();
    let key = RequestKey { tenant: caller.identity.tenant.clone(), owner, id };
    let asked = serde_json::to_vec(&request).map_err(Problem::internal)?;
    let work = {
        let (questions, key) = (Arc::clone(&questions), key.clone());
        async move |run| {
            let outcome = ask(&questions, &caller, request, person, run).await?;
            refer_latest(&questions, &caller, &outcome, &key).await;
            Ok(outcome.into_response())
        }
    };
    once(questions, key, &asked, work).await
}

async fn clarify(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(request): Json<ClarifyRequest>,
) -> Result<Response, Problem> {
    let asked = serde_json::to_vec(&request).map_err(Problem::internal)?;
    let ClarifyRequest {
        clarification_id: id,
        answers,
        remember,
        everyone,
        person,
        flags,
        accept_estimate,
    } = request;
    if everyone && !questions.shared_memory {
        return Err(not_shared().with("pointer", "/everyone"));
    }
    let event = Event::Answer { answers };
    let resumed = Resumed { id, event, remember, everyone, person, flags, accept_estimate };
    round_once(questions, caller, resumed, &asked).await
}

async fn correct(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(request): Json<CorrectRequest>,
) -> Result<Response, Problem> {
    let asked = serde_json::to_vec(&request).map_err(Problem::internal)?;
    let CorrectRequest { clarification_id, id, correction, person, flags, accept_estimate } =
        request;
    let event = Event::Correct { correction };
    let id = match (clarification_id, id) {
        (Some(id), None) => id,
        (None, Some(id)) => {
            let person = caller.person(person.as_deref())?;
            let change = Change { id, event, person, flags, accept_estimate };
            return Ok(change_answer(&questions, &caller, change).await?.into_response());
        }
        _ => return Err(set_one_id()),
    };
    let resumed = Resumed { person, flags, accept_estimate, ..Resumed::new(id, event) };
    round_once(questions, caller, resumed, &asked).await
}

async fn record(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(reported): Json<Reported>,
) -> Result<JsonBody<Recorded>, Problem> {
    record_reported(&questions, &caller, reported).await.map(JsonBody)
}

impl IntoResponse for RoundOutcome {
    fn into_response(self) -> Response {
        (&self).into_response()
    }
}

impl IntoResponse for &RoundOutcome {
    fn into_response(self) -> Response {
        let status = match self.waits_under() {
            None => StatusCode::OK,
            Some(_) => StatusCode::ACCEPTED,
        };
        (status, JsonBody(self.body())).into_response()
    }
}
