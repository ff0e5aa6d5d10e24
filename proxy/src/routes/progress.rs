//! `GET query/{id}/events`: the states that a question passes, as they are passed. `GET query/{id}`: its answer, once
//! there is one. `POST query/cancel`: its end.
//!
//! The id is the one that the client made for its question; `query/cancel` takes one that a question waits under, too.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream;
use serde::{Deserialize, Serialize};

use super::once::again;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::request::{Json, Parameters};
use crate::runs::{End, News, Run, Told};
use crate::state::AppState;
use crate::store::{Asked, RequestKey};

/// Time between two signs of life of a stream on which nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Time between two looks at a question that another proxy works on.
const LOOK: Duration = Duration::from_millis(500);
/// Pauses in which a question that is not known yet may arrive: a client opens its stream while it asks.
const ARRIVING: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Most states of an answered question that are told again.
const TOLD_AGAIN: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whose {
    /// Whose question it is, as it was asked, where no user is known.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CancelRequest {
    /// Id that the client made for its question, or one that the question waits under.
    id: String,
    /// Whose question it is, as it was asked, where no user is known.
    #[serde(default)]
    person: Option<String>,
}

/// Last event of a stream.
#[derive(Serialize)]
struct Done<'a> {
    #[serde(flatten)]
    end: &'a End,
    /// Where the answer is to be had.
    answer: String,
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/query/cancel", post(cancel))
        .route("/query/{id}", get(answer))
        .route("/query/{id}/events", get(events))
}

async fn answer(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
) -> Result<Response, Problem> {
    let key = key(&caller, id, person.as_deref())?;
    match state.store.asked(&key).await? {
        Some(Asked::Answered(answer)) => Ok(again(answer)),
        Some(Asked::Running) => Err(super::once::in_progress()),
        Some(Asked::Lost) | None => Err(unknown()),
    }
}

async fn events(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    Parameters(Whose { person }): Parameters<Whose>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // A later round goes by the id of what was answered, under the caller alone.
    let later = RequestKey::of_session(&caller.identity, id.clone());
    let mut key = key(&caller, id, person.as_deref())?;
    let heard = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let heard: u64 = heard.unwrap_or_default();
    let mut arriving = ARRIVING.into_iter();
    while state.runs.get(&key).is_none() {
        if state.runs.get(&later).is_some() {
            key = later;
            break;
        }
        match state.store.asked(&key).await? {
            // The end was heard: a client that comes back by itself is told not to.
            Some(Asked::Answered(answer)) => {
                let steps = Told::read(answer.body.as_bytes()).steps().len() as u64;
                if steps > 0 && heard > steps {
                    return Ok(StatusCode::NO_CONTENT.into_response());
                }
                break;
            }
            Some(Asked::Running | Asked::Lost) => break,
            None => tokio::time::sleep(arriving.next().ok_or_else(unknown)?).await,
        }
    }
    let reader = Reader {
        state,
        key,
        run: None,
        heard,
        is_live: false,
        waiting: VecDeque::new(),
        is_over: false,
    };
    let events = stream::unfold(reader, |mut reader| async {
        let event = reader.next().await?;
        Some((Ok::<_, Infallible>(event), reader))
    });
    let alive = KeepAlive::new().interval(HEARTBEAT).text("heartbeat");
    let fresh = [(axum::http::header::CACHE_CONTROL, "no-store")];
    Ok((fresh, Sse::new(events).keep_alive(alive)).into_response())
}

/// A reader of a question's states. It holds at most the states that are kept of a question: what it does not read is
/// not made.
struct Reader {
    state: AppState,
    key: RequestKey,
    /// The question, while it is under way here.
    run: Option<Arc<Run>>,
    /// Id of the last event that was told.
    heard: u64,
    /// Whether it has heard of the question as it goes on.
    is_live: bool,
    waiting: VecDeque<Event>,
    is_over: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            // Once found it is kept: what it passed last is told though it is over.
            self.run = self.run.take().or_else(|| self.state.runs.get(&self.key));
            match self.run.clone() {
                Some(run) => {
                    let mut changed = run.subscribe();
                    let news = run.after(self.heard);
                    if news.steps.is_empty() && news.end.is_none() {
                        // The sender lives as long as the run that is held here.
                        let _ = changed.changed().await;
                    } else {
                        self.take(news);
                    }
                    self.is_live = true;
                }
                None => self.look().await,
            }
        }
    }

    fn take(&mut self, news: News) {
        // Too slow: what was missed is gone, and the client that comes back is told what there is.
        let missed = news.steps.first().is_some_and(|(id, _)| *id > self.heard + 1);
        if self.is_live && missed {
            self.is_over = true;
            return;
        }
        for (id, step) in news.steps {
            self.tell("progress", id, &step);
        }
        if let Some((id, end)) = news.end {
            self.done(id, &end);
        }
    }

    /// What the store knows of a question that is not under way here.
    async fn look(&mut self) {
        match self.state.store.asked(&self.key).await {
            Ok(Some(Asked::Running)) => tokio::time::sleep(LOOK).await,
            Ok(Some(Asked::Answered(answer))) => {
                let told = Told::read(answer.body.as_bytes());
                let steps = told.steps();
                let numbered = (1_u64..).zip(steps);
                for (id, step) in numbered.skip(steps.len().saturating_sub(TOLD_AGAIN)) {
                    if id > self.heard {
                        self.tell("progress", id, step);
                    }
                }
                self.done(self.heard + 1, &told.end(answer.status));
            }
            Ok(Some(Asked::Lost) | None) => self.done(self.heard + 1, &End::default()),
            Err(error) => {
                tracing::warn!(%error, "a stream of events ends");
                self.is_over = true;
            }
        }
    }

    fn done(&mut self, id: u64, end: &End) {
        let answer = format!("/api/v1/query/{}", self.key.id);
        self.tell("done", id, &Done { end, answer });
        self.is_over = true;
    }

    fn tell(&mut self, name: &str, id: u64, data: &impl Serialize) {
        match Event::default().event(name).id(id.to_string()).json_data(data) {
            Ok(event) => {
                self.heard = id;
                self.waiting.push_back(event);
            }
            Err(error) => tracing::error!(%error, "an event cannot be written"),
        }
    }
}

async fn cancel(
    State(state): State<AppState>,
    caller: Caller,
    Json(CancelRequest { id, person }): Json<CancelRequest>,
) -> Result<StatusCode, Problem> {
    let key = key(&caller, id, person.as_deref())?;
    if state.runs.cancel(&key) {
        return Ok(StatusCode::NO_CONTENT);
    }
    let waits_under = match state.store.asked(&key).await? {
        Some(Asked::Running) => {
            state.store.mark_cancelled(&key).await?;
            return Ok(StatusCode::NO_CONTENT);
        }
        Some(Asked::Answered(answer)) => {
            let told = Told::read(answer.body.as_bytes());
            if told.code.as_deref() == Some("cancelled") {
                return Ok(StatusCode::NO_CONTENT);
            }
            told.clarification_id.ok_or_else(ended)?
        }
        Some(Asked::Lost) | None => key.id,
    };
    let closed = state.store.close(&caller.identity, &waits_under).await?.ok_or_else(unknown)?;
    if closed.abandoned == 0 && closed.running.is_empty() {
        return Err(ended());
    }
    for id in closed.running {
        let key = RequestKey::of_session(&caller.identity, id);
        if !state.runs.cancel(&key) {
            state.store.mark_cancelled(&key).await?;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

fn key(caller: &Caller, id: String, person: Option<&str>) -> Result<RequestKey, Problem> {
    let owner = caller.person(person)?.unwrap_or_default();
    Ok(RequestKey { tenant: caller.identity.tenant.clone(), owner, id })
}

fn unknown() -> Problem {
    let detail = "no question of the caller has this id";
    Problem::new(StatusCode::NOT_FOUND, "unknown_question", detail)
}

fn ended() -> Problem {
    let detail = "the question has ended before";
    Problem::new(StatusCode::CONFLICT, "already_ended", detail)
}
