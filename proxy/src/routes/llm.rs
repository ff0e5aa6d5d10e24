//! `POST llm/{task}`: typed tasks of the language model. Clients cannot supply prompts, addresses or keys.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::writing::{Brief, SingleTask, WritingFlags};

use crate::caller::Caller;
use crate::extract::Json;
use crate::problem::{Problem, ProblemCode};
use crate::questions::{Questions, Task, perform_task, write_under};
use crate::state::AppState;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TaskRequest {
    /// Id for the event stream of `write_sql`: `GET query/{id}/events`.
    #[serde(default)]
    id: Option<String>,
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
) -> Result<Response, Problem> {
    let asked = serde_json::to_vec(&request).map_err(Problem::internal)?;
    let TaskRequest { id, brief, table, tables, template, flags } = request;
    let task = match name.as_str() {
        "write_sql" => match id {
            Some(id) => {
                return write_under(id, &asked, questions, caller, brief, flags).await;
            }
            None => Task::WriteSql,
        },
        "extract_parameters" => {
            Task::Single(SingleTask::ExtractParameters { template: given("template", template)? })
        }
        "find_ambiguities" => Task::Single(SingleTask::FindAmbiguities),
        "judge_table" => Task::Single(SingleTask::JudgeTable { table: given("table", table)? }),
        "needs" => Task::Single(SingleTask::Needs { tables }),
        _ => return Err(Problem::new(ProblemCode::UnknownTask, "unknown task")),
    };
    let answer = perform_task(&questions, &caller, task, brief, flags, None).await?;
    Ok(JsonBody(answer).into_response())
}

fn given(name: &str, value: Option<String>) -> Result<String, Problem> {
    value.ok_or_else(|| {
        let detail = format!("{name} is missing");
        Problem::new(ProblemCode::MissingField, detail).with("pointer", format!("/{name}"))
    })
}
