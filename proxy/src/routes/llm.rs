//! `POST llm/{task}`: typed tasks for the model. No prompt, no address and no key is taken from a client.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;
use wherefore_engine::catalog::Catalog;
use wherefore_engine::session::ExecutionFailure;
use wherefore_engine::writing::{
    Brief, PromptSource, SingleAnswer, SingleTask, WritingFlags, WritingSettings, Written,
};

use crate::caller::Caller;
use crate::model::ModelError;
use crate::problem::Problem;
use crate::request::Json;
use crate::state::AppState;
use crate::writer;

/// Most earlier questions, ties and decisions, and held drafts of a brief.
const EARLIER: usize = 20;
const TIES: usize = 100;
const HELD: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRequest {
    /// What is asked, as the engine understands it.
    brief: Brief,
    /// Table that `judge_table` is about.
    #[serde(default)]
    table: Option<String>,
    /// Tables that `needs` is about.
    #[serde(default)]
    tables: Vec<String>,
    /// Template that `extract_parameters` is about.
    #[serde(default)]
    template: Option<String>,
    /// Flags that differ from those of the server.
    #[serde(default)]
    flags: Option<WritingFlags>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum TaskAnswer {
    Written(Box<Written>),
    Single(SingleAnswer),
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/llm/{task}", post(task))
}

async fn task(
    State(state): State<AppState>,
    caller: Caller,
    Path(name): Path<String>,
    Json(request): Json<TaskRequest>,
) -> Result<JsonBody<TaskAnswer>, Problem> {
    let TaskRequest { brief, table, tables, template, flags } = request;
    let knowledge = caller.source.knowledge();
    let single = match name.as_str() {
        "write_sql" => None,
        "extract_parameters" => {
            Some(SingleTask::ExtractParameters { template: given("template", template)? })
        }
        "find_ambiguities" => Some(SingleTask::FindAmbiguities),
        "judge_table" => Some(SingleTask::JudgeTable { table: given("table", table)? }),
        "needs" => Some(SingleTask::Needs { tables }),
        _ => {
            let detail = "no task has this name";
            return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_task", detail));
        }
    };
    let Some(model) = state.model.as_deref() else {
        let detail = "no model is named here";
        return Err(Problem::new(StatusCode::CONFLICT, "no_model", detail));
    };
    state.limits.check_tokens(&caller.identity)?;
    let most = knowledge.engine.settings().question_bytes as usize;
    check(knowledge.engine.catalog(), &brief, most)?;
    let mut settings = state.writing.clone();
    settings.flags = flags.unwrap_or(settings.flags);
    let Some(single) = single else {
        let work = writer::write(&state, model, &caller, &knowledge, settings, brief);
        let written = Box::pin(work).await.map_err(failed)?;
        return Ok(JsonBody(TaskAnswer::Written(Box::new(written))));
    };
    let (answer, tokens) =
        ask(model, knowledge.engine.catalog(), &brief, &settings, &single).await?;
    // An answer that cannot be used has cost its tokens too.
    let _ = state.limits.charge_tokens(&caller.identity, u64::from(tokens));
    Ok(JsonBody(TaskAnswer::Single(answer?)))
}

async fn ask(
    model: &dyn crate::model::Model,
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    task: &SingleTask,
) -> Result<(Result<SingleAnswer, Problem>, u32), Problem> {
    let nonce = writer::nonce().map_err(failed)?;
    let source = PromptSource { catalog, brief, settings, nonce: &nonce };
    let Some(prompt) = source.prompt(task) else {
        let detail = "the catalog has no table or template of this name";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "unknown_name", detail));
    };
    let completion = model.complete(&prompt).await.map_err(model_problem)?;
    let answer = source.answer(task, &completion.text).ok_or_else(|| {
        let detail = "the model's answer is in no form that can be used";
        Problem::new(StatusCode::BAD_GATEWAY, "unreadable_answer", detail).with("retryable", true)
    });
    Ok((answer, completion.tokens))
}

fn given(name: &str, value: Option<String>) -> Result<String, Problem> {
    value.ok_or_else(|| {
        let detail = format!("{name} is missing");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "missing_field", detail)
            .with("pointer", format!("/{name}"))
    })
}

/// Refuses what is too much, or names what the catalog does not have.
fn check(catalog: &Catalog, brief: &Brief, most: usize) -> Result<(), Problem> {
    let refused = |code: &'static str, detail: String, pointer: &str| {
        Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
            .with("pointer", json!(pointer)))
    };
    if brief.question.trim().is_empty() {
        return refused("question_empty", "question is empty".to_owned(), "/brief/question");
    }
    let texts = brief.earlier.iter().chain([&brief.question]);
    if texts.map(String::len).any(|bytes| bytes > most) {
        let detail = format!("question is longer than {most} bytes");
        return refused("question_too_long", detail, "/brief/question");
    }
    let many = brief.ties.len() > TIES || brief.decided.len() > TIES;
    if many || brief.earlier.len() > EARLIER || brief.held.len() > HELD {
        return refused("brief_too_large", "brief holds too much".to_owned(), "/brief");
    }
    if brief.today.parse::<jiff::civil::Date>().is_err() {
        let detail = "today is not a date of the form yyyy-mm-dd".to_owned();
        return refused("invalid_today", detail, "/brief/today");
    }
    match brief.unknown_name(catalog) {
        Some(name) => {
            let detail = format!("the catalog has no {name}");
            refused("unknown_name", detail, "/brief")
        }
        None => Ok(()),
    }
}

fn failed(failure: ExecutionFailure) -> Problem {
    Problem::new(status(&failure.code), failure.code, failure.message)
        .with("retryable", failure.retryable)
}

fn model_problem(error: ModelError) -> Problem {
    let problem = Problem::new(status(error.code()), error.code(), error.to_string());
    match error {
        ModelError::Refused { .. } => problem.with("retryable", false),
        _ => problem.with("retryable", true),
    }
}

fn status(code: &str) -> StatusCode {
    match code {
        "model_busy" | "model_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        "model_timeout" => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    }
}
