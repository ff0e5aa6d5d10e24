//! `POST llm/{task}`: typed tasks of the language model. Clients cannot supply prompts, addresses or keys.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::Deserialize;
use wherefore_engine::writing::{Brief, SingleTask, WritingFlags};

use crate::caller::Caller;
use crate::extract::Json;
use crate::problem::{Problem, ProblemCode};
use crate::questions::{Questions, Task, TaskAnswer, perform_task};
use crate::state::AppState;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskRequest {
    /// The question as interpreted by the engine.
    brief: Brief,
    /// Argument of `judge_table`.
    #[serde(default)]
    table: Option<String>,
    /// Argument of `needs`.
    #[serde(default)]
    tables: Vec<String>,
    /// Argument of `extract_parameters`.
    #[serde(default)]
    template: Option<String>,
    /// Feature flags that override those of the server.
    #[serde(default)]
    flags: Option<WritingFlags>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/llm/{task}", post(task))
}

async fn task(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Path(name): Path<String>,
    Json(request): Json<TaskRequest>,
) -> Result<JsonBody<TaskAnswer>, Problem> {
    let TaskRequest { brief, table, tables, template, flags } = request;
    let task = match name.as_str() {
        "write_sql" => Task::WriteSql,
        "extract_parameters" => {
            Task::Single(SingleTask::ExtractParameters { template: given("template", template)? })
        }
        "find_ambiguities" => Task::Single(SingleTask::FindAmbiguities),
        "judge_table" => Task::Single(SingleTask::JudgeTable { table: given("table", table)? }),
        "needs" => Task::Single(SingleTask::Needs { tables }),
        _ => return Err(Problem::new(ProblemCode::UnknownTask, "unknown task")),
    };
    perform_task(&questions, &caller, task, brief, flags).await.map(JsonBody)
}

fn given(name: &str, value: Option<String>) -> Result<String, Problem> {
    value.ok_or_else(|| {
        let detail = format!("{name} is missing");
        Problem::new(ProblemCode::MissingField, detail).with("pointer", format!("/{name}"))
    })
}
