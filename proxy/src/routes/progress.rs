//! `GET query/{id}/events`: event stream of a question. `GET query/{id}`: its response, once there is one. `POST
//! query/cancel`: cancels it.
//!
//! The id is the idempotency key of the question; `query/cancel` also accepts a clarification id.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream;
use serde::Deserialize;

use crate::caller::Caller;
use crate::extract::{Json, Parameters};
use crate::problem::{Problem, ProblemCode};
use crate::questions::{self, EventReader, Questions, RunEvent};
use crate::state::AppState;

/// Interval of heartbeats on an idle stream.
const HEARTBEAT: Duration = Duration::from_secs(15);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    /// Person who asked, if the caller is not authenticated.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CancelRequest {
    /// Idempotency key of the question, or a clarification id.
    id: String,
    /// Person who asked, if the caller is not authenticated.
    #[serde(default)]
    person: Option<String>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/query/cancel", post(cancel))
        .route("/query/{id}", get(answer))
        .route("/query/{id}/events", get(events))
}

async fn answer(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<Response, Problem> {
    questions::answer_of(&questions, &caller, id, person.as_deref()).await
}

async fn events(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let last_id = match headers.get("last-event-id") {
        None => 0,
        Some(id) => id.to_str().ok().and_then(|id| id.parse().ok()).ok_or_else(|| {
            let detail = "Last-Event-ID must be the id of an event of this stream";
            Problem::new(ProblemCode::InvalidRequest, detail)
        })?,
    };
    let reader = EventReader::open(questions, &caller, id, person.as_deref(), last_id).await?;
    // A client that has the last event gets a 204, which ends reconnecting.
    let Some(reader) = reader else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    let events = stream::unfold(reader, |mut reader| async {
        let event = sse_event(&reader.next().await?)?;
        Some((Ok::<_, Infallible>(event), reader))
    });
    let alive = KeepAlive::new().interval(HEARTBEAT).text("heartbeat");
    let fresh = [(header::CACHE_CONTROL, "no-store")];
    Ok((fresh, Sse::new(events).keep_alive(alive)).into_response())
}

/// Server-sent event of an event; `None` ends the stream.
fn sse_event(event: &RunEvent) -> Option<Event> {
    let RunEvent { id, data } = event;
    Event::default()
        .event(data.name())
        .id(id.to_string())
        .json_data(data)
        .inspect_err(|error| tracing::error!(%error, "cannot serialize an event"))
        .ok()
}

async fn cancel(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Json(CancelRequest { id, person }): Json<CancelRequest>,
) -> Result<StatusCode, Problem> {
    questions::cancel(&questions, &caller, id, person.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}
