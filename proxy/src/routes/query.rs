//! `POST query`, `POST query/clarify` and `POST query/correct`: a question on its way to an answer, one request a round.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wherefore_engine::Session;
use wherefore_engine::clarification::{Clarification, ClarificationAnswer};
use wherefore_engine::memory::{Memory, Scope};
use wherefore_engine::session::{
    Context, Correction, Event, Outcome, ProgressStep, Start, StepError, View,
};

use super::memory::check_person;
use crate::caller::Caller;
use crate::driver;
use crate::problem::{Problem, status_of};
use crate::request::Json;
use crate::source::Knowledge;
use crate::state::AppState;
use crate::store::StoredSession;

/// Last steps shown with a clarification.
const SHOWN_STEPS: usize = 5;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryRequest {
    question: String,
    /// The asker's calendar date, `yyyy-mm-dd`; the server's where absent.
    #[serde(default)]
    today: Option<String>,
    #[serde(default)]
    skip_clarification: bool,
    /// What was asked before, as the answer to it said; the question may go on from it.
    #[serde(default)]
    context: Option<Context>,
    /// Whose memory is used, and added to.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClarifyRequest {
    clarification_id: String,
    answers: Vec<ClarificationAnswer>,
    /// Ids of clarifications whose answers are to be remembered at once.
    #[serde(default)]
    remember: Vec<String>,
    /// Whose memory is added to.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectRequest {
    clarification_id: String,
    correction: Correction,
    /// Whose memory is added to.
    #[serde(default)]
    person: Option<String>,
}

#[derive(Serialize)]
struct Ended<'a> {
    outcome: Option<Outcome>,
    view: &'a View,
    /// What a follow-up goes on from.
    context: Option<Context>,
}

#[derive(Serialize)]
struct NeedsClarification<'a> {
    outcome: Outcome,
    clarification_id: String,
    /// Seconds that an answer is waited for.
    expires_in: u64,
    questions: &'a [Clarification],
    steps: &'a [ProgressStep],
    view: &'a View,
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
    let QueryRequest { question, today, skip_clarification, context, person } = request;
    if question.chars().any(|character| character.is_control() && !character.is_whitespace()) {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "question_control_characters",
            "question holds control characters",
        )
        .with("pointer", "/question"));
    }
    let today = today.unwrap_or_else(|| jiff::Zoned::now().date().to_string());
    let knowledge = caller.source.knowledge();
    check_named(person.as_deref())?;
    let person = caller.person(person);
    let memory = match &person {
        Some(person) => state.store.memory(person).await?,
        None => Memory::default(),
    };
    let mut session = Session::started(Start { context, memory });
    let event = Event::Ask { text: question.clone(), today, skip_clarification };
    driver::drive(&caller.source, &knowledge, &mut session, event)
        .await
        .map_err(|error| step_problem(&error, &[]).with("question", shortened(&question)))?;
    respond(&state, &caller, &knowledge, &mut session, person).await
}

async fn clarify(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<ClarifyRequest>,
) -> Result<Response, Problem> {
    let ClarifyRequest { clarification_id, answers, remember, person } = request;
    let event = Event::Answer { answers: answers.clone() };
    resume(&state, &caller, Resumed { id: clarification_id, event, answers, remember, person })
        .await
}

async fn correct(
    State(state): State<AppState>,
    caller: Caller,
    Json(request): Json<CorrectRequest>,
) -> Result<Response, Problem> {
    let CorrectRequest { clarification_id: id, correction, person } = request;
    let event = Event::Correct { correction };
    let (answers, remember) = (Vec::new(), Vec::new());
    resume(&state, &caller, Resumed { id, event, answers, remember, person }).await
}

/// What an open session is told.
struct Resumed {
    id: String,
    event: Event,
    answers: Vec<ClarificationAnswer>,
    remember: Vec<String>,
    person: Option<String>,
}

async fn resume(state: &AppState, caller: &Caller, resumed: Resumed) -> Result<Response, Problem> {
    let Resumed { id, event, answers, remember, person } = resumed;
    check_named(person.as_deref())?;
    let person = caller.person(person);
    let (snapshot, question) = match state.store.find(&caller.identity, &id).await? {
        None => {
            return Err(Problem::new(
                StatusCode::NOT_FOUND,
                "unknown_clarification",
                "clarification id is unknown",
            ));
        }
        Some(StoredSession::Expired { question }) => {
            return Err(Problem::new(
                StatusCode::GONE,
                "clarification_expired",
                "the answer came too late: the question can be asked again",
            )
            .with("question", question));
        }
        Some(StoredSession::Answered { question }) => return Err(answered_before(question)),
        Some(StoredSession::Open { snapshot, question }) => (snapshot, question),
    };
    if matches!(event, Event::Answer { .. }) && answers.is_empty() {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "no_answers",
            "no answer was given",
        )
        .with("pointer", "/answers"));
    }
    let knowledge = caller.source.knowledge();
    let mut session = Session::restore(&snapshot).map_err(Problem::internal)?;
    let effects = session
        .step(&knowledge.engine, event)
        .map_err(|error| step_problem(&error, &answers).with("question", question.clone()))?;
    for clarification_id in remember {
        session
            .step(&knowledge.engine, Event::Remember { clarification_id })
            .map_err(|error| step_problem(&error, &answers).with("question", question.clone()))?;
    }
    if !state.store.claim(&id).await? {
        return Err(answered_before(question));
    }
    let answer = finish_answer(state, caller, &knowledge, &mut session, effects, person).await;
    let retryable = session.view().problem.as_ref().is_some_and(|problem| problem.retryable);
    if answer.is_err() && retryable {
        state.store.release(&id).await?;
    }
    answer
}

async fn finish_answer(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    effects: Vec<wherefore_engine::session::Effect>,
    person: Option<String>,
) -> Result<Response, Problem> {
    driver::perform(&caller.source, knowledge, session, effects)
        .await
        .map_err(|error| step_problem(&error, &[]))?;
    respond(state, caller, knowledge, session, person).await
}

fn check_named(person: Option<&str>) -> Result<(), Problem> {
    person.map_or(Ok(()), check_person)
}

/// What a session's outcome is over HTTP.
async fn respond(
    state: &AppState,
    caller: &Caller,
    knowledge: &Knowledge,
    session: &mut Session,
    person: Option<String>,
) -> Result<Response, Problem> {
    if let (Some(Outcome::Answered), Some(person)) = (session.view().outcome, &person) {
        let choices = session.take_choices();
        if !choices.is_empty() {
            let settings = knowledge.engine.settings().clone();
            let today = jiff::Zoned::now().date().to_string();
            let record = move |memory: &mut Memory| {
                memory.record(&choices, Scope::Person, &settings, &today);
            };
            state.store.change_memory(person, record).await?;
        }
    }
    let view = session.view();
    match view.outcome {
        Some(Outcome::NeedsClarification) => {
            let lifetime = state.session_lifetime;
            let (question, snapshot) = (view.question.clone(), session.snapshot());
            let id = state.store.insert(&caller.identity, question, snapshot, lifetime).await?;
            let body = NeedsClarification {
                outcome: Outcome::NeedsClarification,
                clarification_id: id,
                expires_in: lifetime.as_secs(),
                questions: &view.clarifications,
                steps: &view.steps[view.steps.len().saturating_sub(SHOWN_STEPS)..],
                view,
            };
            Ok((StatusCode::ACCEPTED, JsonBody(body)).into_response())
        }
        Some(Outcome::ExecutionFailed) => Err(execution_problem(view)),
        outcome => {
            let context = session.context();
            Ok(JsonBody(Ended { outcome, view, context }).into_response())
        }
    }
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

fn answered_before(question: String) -> Problem {
    Problem::new(StatusCode::CONFLICT, "already_answered", "clarification was answered before")
        .with("question", question)
}

/// A refused step, with the place in the request where it can be told.
fn step_problem(error: &StepError, answers: &[ClarificationAnswer]) -> Problem {
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
