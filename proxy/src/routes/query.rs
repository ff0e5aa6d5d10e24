//! `POST query`, `POST query/clarify` and `POST query/correct`: a question on its way to an answer, one request a round.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wherefore_engine::Session;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::memory::{Choice, Memory, Scope};
use wherefore_engine::session::{
    Context, Correction, Effect, Event, Outcome, Start, StepError, View,
};

use super::once::{held, once};
use crate::caller::Caller;
use crate::driver;
use crate::flags::AskedFlags;
use crate::problem::{Problem, status_of};
use crate::request::Json;
use crate::round::{Round, Settled, response};
use crate::runs::Run;
use crate::source::Knowledge;
use crate::state::AppState;
use crate::store::{OpenSession, Owner, RequestKey, StoreError, StoredSession, new_id};
use crate::trace::Trace;
use crate::turn::Turn;

/// A question.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryRequest {
    pub(crate) question: String,
    /// Id that the client made; a repetition gets the same answer, and nothing runs twice.
    #[serde(default, skip_serializing)]
    pub(crate) id: Option<String>,
    /// Thread that the question belongs to, as an answer before it said; a new one where absent.
    #[serde(default)]
    pub(crate) thread_id: Option<String>,
    /// The asker's calendar date, `yyyy-mm-dd`; the server's where absent.
    #[serde(default)]
    pub(crate) today: Option<String>,
    #[serde(default)]
    pub(crate) skip_clarification: bool,
    /// What was asked before, as the answer to it said; the question may go on from it.
    #[serde(default)]
    pub(crate) context: Option<Context>,
    /// Whose memory is used, and added to.
    #[serde(default)]
    pub(crate) person: Option<String>,
    /// Flags that differ from those of the server.
    #[serde(default)]
    pub(crate) flags: AskedFlags,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClarifyRequest {
    clarification_id: String,
    answers: Vec<ClarificationAnswer>,
    /// Ids of clarifications whose answers are to be remembered at once.
    #[serde(default)]
    remember: Vec<String>,
    /// What is to be remembered holds for everyone of the tenant.
    #[serde(default)]
    everyone: bool,
    /// Whose memory is added to.
    #[serde(default)]
    person: Option<String>,
    /// Flags that differ from those of the server.
    #[serde(default)]
    flags: AskedFlags,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectRequest {
    clarification_id: String,
    correction: Correction,
    /// Whose memory is added to.
    #[serde(default)]
    person: Option<String>,
    /// Flags that differ from those of the server.
    #[serde(default)]
    flags: AskedFlags,
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/query", post(query))
        .route("/query/clarify", post(clarify))
        .route("/query/correct", post(correct))
}

async fn query(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<QueryRequest>,
) -> Result<Response, Problem> {
    let person = caller.person(request.person.as_deref())?;
    let Some(id) = &request.id else {
        return Ok(ask(&state, &caller, request, person, Arc::default()).await?.into_response());
    };
    let owner = person.clone().unwrap_or_default();
    let key = RequestKey { tenant: caller.identity.tenant.clone(), owner, id: id.clone() };
    let asked = serde_json::to_vec(&request).map_err(Problem::internal)?;
    let work = {
        let state = state.clone();
        async move |run| Ok(ask(&state, &caller, request, person, run).await?.into_response())
    };
    once(state, key, &asked, work).await
}

/// Reads a question and does what can be done about it without the asker.
pub(crate) async fn ask(
    state: &AppState,
    caller: &Caller,
    request: QueryRequest,
    person: Option<String>,
    run: Arc<Run>,
) -> Result<Round, Problem> {
    let QueryRequest { question, thread_id, today, skip_clarification, context, flags, .. } =
        request;
    if question.chars().any(|character| character.is_control() && !character.is_whitespace()) {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "question_control_characters",
            "question holds control characters",
        )
        .with("pointer", "/question"));
    }
    if let Some(thread_id) = &thread_id {
        let name = person.as_deref().unwrap_or_default();
        let owner = Owner { tenant: &caller.identity.tenant, name };
        if !state.store.has_thread(owner, thread_id).await? {
            let detail = "thread id is unknown";
            return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_thread", detail)
                .with("pointer", "/thread_id"));
        }
    }
    let today = today.unwrap_or_else(|| jiff::Zoned::now().date().to_string());
    let mut turn = Turn::first(state, caller, thread_id, person)?.with_flags(&flags, state)?;
    turn.run = run;
    let state = &turn.flags.state(state);
    let knowledge = turn.knowledge(caller);
    let memory = if turn.flags.learning {
        remembered(state, caller, turn.person.as_deref()).await
    } else {
        Memory::default()
    };
    let mut session = Session::started(Start { context, memory });
    let event = Event::Ask { text: question.clone(), today, skip_clarification };
    driver::drive(state, caller, &knowledge, &mut session, event, &turn.run)
        .await
        .map_err(|error| step_problem(&error, &[]).with("question", shortened(&question)))?;
    let settled = settle(state, caller, &knowledge, &mut session, &turn, false).await?;
    Ok(Round { session, turn, settled })
}

/// What is remembered for a person and for everyone; nothing where the store does not say, so that the question is
/// still read.
async fn remembered(state: &AppState, caller: &Caller, person: Option<&str>) -> Memory {
    let everyone = state.shared_memory.then(|| caller.everyone());
    let mut memory = Memory::default();
    for name in person.into_iter().chain(everyone.as_deref()) {
        match state.store.memory(name).await {
            Ok(known) => memory.patterns.extend(known.patterns),
            Err(error) => tracing::warn!(%error, "question is read without memory"),
        }
    }
    memory
}

async fn clarify(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<ClarifyRequest>,
) -> Result<Response, Problem> {
    let ClarifyRequest { clarification_id: id, answers, remember, everyone, person, flags } =
        request;
    if everyone && !state.shared_memory {
        return Err(super::memory::not_shared().with("pointer", "/everyone"));
    }
    let event = Event::Answer { answers: answers.clone() };
    let told = Resumed { id, event, answers, remember, everyone, person, flags };
    resume(&state, &caller, told).await.map(IntoResponse::into_response)
}

async fn correct(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<CorrectRequest>,
) -> Result<Response, Problem> {
    let CorrectRequest { clarification_id: id, correction, person, flags } = request;
    let told = Resumed { person, flags, ..Resumed::new(id, Event::Correct { correction }) };
    resume(&state, &caller, told).await.map(IntoResponse::into_response)
}

/// What an open session is told.
pub(crate) struct Resumed {
    id: String,
    event: Event,
    answers: Vec<ClarificationAnswer>,
    remember: Vec<String>,
    everyone: bool,
    person: Option<String>,
    flags: AskedFlags,
}

impl Resumed {
    /// The session that waits under this id is told an event; nothing is to be remembered at once.
    pub(crate) fn new(id: String, event: Event) -> Self {
        let answers = match &event {
            Event::Answer { answers } => answers.clone(),
            _ => Vec::new(),
        };
        let flags = AskedFlags::default();
        Self { id, event, answers, remember: Vec::new(), everyone: false, person: None, flags }
    }
}

/// Tells an open session what its asker says, and does what can be done then.
pub(crate) async fn resume(
    state: &AppState,
    caller: &Caller,
    resumed: Resumed,
) -> Result<Round, Problem> {
    let Resumed { id, event, answers, remember, everyone, person, flags } = resumed;
    let person = caller.person(person.as_deref())?;
    let open = still_open(state.store.find(&caller.identity, &id).await?)?;
    let turn = Turn::later(state, caller, &open, person)?.with_flags(&flags, state)?;
    let state = &turn.flags.state(state);
    let OpenSession { snapshot, question, .. } = *open;
    if matches!(event, Event::Answer { .. }) && answers.is_empty() {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "no_answers",
            "no answer was given",
        )
        .with("pointer", "/answers"));
    }
    let knowledge = turn.knowledge(caller);
    let mut session = Session::restore(&snapshot).map_err(Problem::internal)?;
    let effects = driver::step(&knowledge, &mut session, event, &turn.run)
        .map_err(|error| step_problem(&error, &answers).with("question", question.clone()))?;
    for clarification_id in remember {
        session
            .step(&knowledge.engine, Event::Remember { clarification_id })
            .map_err(|error| step_problem(&error, &answers).with("question", question.clone()))?;
    }
    if !state.store.claim(&id).await? {
        return Err(answered_before(question));
    }
    let key = RequestKey::of_session(&caller.identity, id.clone());
    let _live = state.runs.begin(&state.store, key, Arc::clone(&turn.run));
    let work = perform(state, caller, &knowledge, &mut session, effects, &turn, everyone);
    let settled = held(work, || state.store.hold_claim(&id)).await;
    let retryable = session.view().problem.as_ref().is_some_and(|problem| problem.retryable);
    if settled.is_err() && retryable {
        state.store.release(&id).await?;
    }
    Ok(Round { settled: settled?, session, turn })
}

/// The session of a lookup that can go on, or why it cannot.
pub(crate) fn still_open(found: Option<StoredSession>) -> Result<Box<OpenSession>, Problem> {
    match found {
        None => Err(Problem::new(
            StatusCode::NOT_FOUND,
            "unknown_clarification",
            "clarification id is unknown",
        )),
        Some(StoredSession::Expired { question }) => Err(Problem::new(
            StatusCode::GONE,
            "clarification_expired",
            "the answer came too late: the question can be asked again",
        )
        .with("question", question)),
        Some(StoredSession::Answered { question }) => Err(answered_before(question)),
        Some(StoredSession::Open(open)) => Ok(open),
    }
}

/// Performs what a session asks for, and answers with its outcome.
pub(super) async fn finish(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    effects: Vec<Effect>,
    turn: &Turn,
    everyone: bool,
) -> Result<Response, Problem> {
    let settled = perform(state, caller, knowledge, session, effects, turn, everyone).await?;
    Ok(response(&settled, session, turn))
}

/// Performs what a session asks for, and keeps its outcome.
async fn perform(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    effects: Vec<Effect>,
    turn: &Turn,
    everyone: bool,
) -> Result<Settled, Problem> {
    driver::perform(state, caller, knowledge, session, effects, &turn.run)
        .await
        .map_err(|error| step_problem(&error, &[]))?;
    settle(state, caller, knowledge, session, turn, everyone).await
}

/// Keeps what a session came to.
async fn settle(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    turn: &Turn,
    everyone: bool,
) -> Result<Settled, Problem> {
    if session.view().outcome == Some(Outcome::Answered)
        && turn.flags.learning
        && let Err(error) = remember(state, caller, knowledge, session, turn, everyone).await
    {
        tracing::warn!(%error, "choices are not remembered");
    }
    if session.view().outcome == Some(Outcome::NeedsClarification) {
        let clarification_id = new_id("clf")?;
        turn.keep(state, caller, session, Some(&clarification_id)).await?;
        let expires_in = state.session_lifetime.as_secs();
        return Ok(Settled::Waits { clarification_id, expires_in });
    }
    // An answer does not need the store: without it, only history and changes are lost.
    let kept = turn.keep(state, caller, session, None).await;
    if let Err(error) = &kept {
        tracing::warn!(%error, "question is not in the history");
    }
    let view = session.view();
    if turn.was_stopped(view) {
        return Err(cancelled(view));
    }
    if view.outcome == Some(Outcome::ExecutionFailed) {
        let trace = serde_json::to_value(Trace::of(turn, session)).unwrap_or_default();
        return Err(execution_problem(view).with("trace", trace));
    }
    Ok(Settled::Ended { kept: kept.is_ok() })
}

/// Remembers the choices of a person, and those that are to hold for everyone.
async fn remember(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    turn: &Turn,
    everyone: bool,
) -> Result<(), StoreError> {
    let (shared, own): (Vec<Choice>, Vec<Choice>) =
        session.take_choices().into_iter().partition(|choice| everyone && choice.remember);
    let settings = knowledge.engine.settings();
    let today = jiff::Zoned::now().date().to_string();
    let everyone = caller.everyone();
    let kept = [
        (turn.person.as_deref(), own, Scope::Person),
        (Some(everyone.as_str()), shared, Scope::DataSource),
    ];
    for (name, choices, scope) in kept {
        let Some(name) = name.filter(|_| !choices.is_empty()) else { continue };
        let record = |memory: &mut Memory| memory.record(&choices, scope, settings, &today);
        state.store.change_memory(name, record).await?;
    }
    Ok(())
}

fn execution_problem(view: &View) -> Problem {
    let (code, message, retryable) = view
        .problem
        .as_ref()
        .map_or(("execution_failed", "the data source failed", false), |problem| {
            (problem.code.as_str(), problem.message.as_str(), problem.retryable)
        });
    let mut problem = Problem::new(status_of(code), code.to_owned(), message)
        .with("outcome", "execution_failed")
        .with("retryable", retryable)
        .with("question", view.question.clone());
    if let Some(sql) = &view.sql {
        problem = problem.with("sql", sql.clone());
    }
    problem
}

fn cancelled(view: &View) -> Problem {
    Problem::new(StatusCode::CONFLICT, "cancelled", "the question was stopped by its asker")
        .with("outcome", serde_json::Value::Null)
        .with("state", view.state.name())
        .with("question", view.question.clone())
}

fn answered_before(question: String) -> Problem {
    Problem::new(StatusCode::CONFLICT, "already_answered", "clarification was answered before")
        .with("question", question)
}

/// A refused step, with the place in the request where it can be told.
pub(super) fn step_problem(error: &StepError, answers: &[ClarificationAnswer]) -> Problem {
    let place = |id: &str, field: &str| {
        let index = answers.iter().position(|answer| answer.clarification_id == id);
        json!(
            index
                .map_or_else(|| "/answers".to_owned(), |index| format!("/answers/{index}/{field}"))
        )
    };
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), error.to_string());
    match error {
        StepError::InvalidAnswer { clarification_id, .. } => {
            problem.with("pointer", place(clarification_id, "answer"))
        }
        StepError::InvalidWords { clarification_id, span, hint, .. } => problem
            .with(
                "pointer",
                clarification_id
                    .as_ref()
                    .map_or_else(|| json!("/correction"), |id| place(id, "answer")),
            )
            .with("span", json!(span))
            .with("hint", hint.to_string()),
        StepError::TooManyCorrections { .. } => problem.with("pointer", "/correction"),
        StepError::InvalidToday(_) => problem.with("pointer", "/today"),
        StepError::QuestionEmpty | StepError::QuestionTooLong { .. } => {
            problem.with("pointer", "/question")
        }
        StepError::UnknownClarification(id) => {
            problem.with("pointer", place(id, "clarification_id"))
        }
        _ => Problem::internal(error),
    }
}

/// The first characters of a question, to keep a refusal small.
fn shortened(question: &str) -> String {
    question.chars().take(200).collect()
}
