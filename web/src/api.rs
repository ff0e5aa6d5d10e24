//! HTTP requests to the proxy.

use gloo_net::http::{Request, RequestBuilder, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wherefore_engine::catalog::ColumnRef;
use wherefore_engine::memory::Memory;

use crate::texts;
use crate::view_model::export_form::{ExportForm, FileSummary};
use crate::view_model::history::{HistoryPage, PastQuestion};
use crate::view_model::problem::ApiFailure;
use crate::view_model::report::{Mark, RecordRequest};

/// Number of earlier questions that are fetched.
const HISTORY: &str = "100";

/// Body of `POST /api/v1/sql/execute`.
#[derive(Serialize)]
struct ExecuteRequest<'a> {
    sql: &'a str,
    row_limit: u32,
    /// Whether the user has accepted the estimate of the statement.
    accept_estimate: bool,
}

/// Body of `POST /api/v1/sql/execute` for a file, whose rows only the proxy limits.
#[derive(Serialize)]
struct ExportRequest<'a> {
    sql: &'a str,
    /// The user has seen rows of the statement.
    accept_estimate: bool,
}

/// Body of `POST /api/v1/llm/write_sql`.
#[derive(Serialize)]
struct WriteRequest<'a> {
    /// Id of the event stream that tells the steps.
    id: &'a str,
    brief: Option<&'a RawValue>,
}

/// Body of `POST /api/v1/query/mark`.
#[derive(Serialize)]
struct MarkRequest<'a> {
    id: &'a str,
    person: &'a str,
    /// Id of the clarification.
    about: &'a str,
    mark: Mark,
}

/// Response of `GET /api/v1/choices`.
#[derive(Deserialize)]
struct ChoicesResponse {
    chosen: Box<RawValue>,
}

/// Response of `GET /api/v1/values`.
#[derive(Deserialize)]
struct ValuesResponse {
    values: Vec<String>,
}

/// Fetches the JSON that the engine is built from: catalog, settings and lines of the thesaurus.
pub async fn catalog(person: &str) -> Result<String, ApiFailure> {
    let request = Request::get("/api/v1/catalog").query([("person", person)]);
    text(send(request, None).await?).await
}

/// Searches the stored values of a column for a text.
pub async fn values(
    column: &ColumnRef,
    search: &str,
    abort: &web_sys::AbortSignal,
) -> Result<Vec<String>, ApiFailure> {
    let request = Request::get("/api/v1/values").query([
        ("table", column.table.as_str()),
        ("column", column.column.as_str()),
        ("search", search),
    ]);
    let response = send(request, Some(abort)).await?;
    read::<ValuesResponse>(response, texts::what_values).await.map(|found| found.values)
}

/// Executes a statement and returns at most `row_limit` rows, as the JSON of a result set.
pub async fn execute(
    sql: &str,
    row_limit: u32,
    accept_estimate: bool,
    abort: &web_sys::AbortSignal,
) -> Result<String, ApiFailure> {
    let request = Request::post("/api/v1/sql/execute")
        .abort_signal(Some(abort))
        .json(&ExecuteRequest { sql, row_limit, accept_estimate })
        .map_err(|error| ApiFailure::unreadable(texts::what_statement, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    text(checked(response).await?).await
}

/// Executes a statement and returns its rows as a file of the proxy, with what it says of the file.
pub async fn export(
    sql: &str,
    form: ExportForm,
    abort: Option<&web_sys::AbortSignal>,
) -> Result<(web_sys::Blob, FileSummary), ApiFailure> {
    let request = Request::post("/api/v1/sql/execute")
        .header("Accept", form.media_type())
        .abort_signal(abort)
        .json(&ExportRequest { sql, accept_estimate: true })
        .map_err(|error| ApiFailure::unreadable(texts::what_statement, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    let response = checked(response).await?;
    let header = |name: &str| response.headers().get(name);
    let number = |name: &str| header(name).and_then(|number| number.parse().ok());
    let summary = FileSummary {
        rows: number("x-wherefore-rows"),
        truncated: header("x-wherefore-truncated").is_some_and(|truncated| truncated == "true"),
        cut_cells: number("x-wherefore-cut-cells").unwrap_or_default(),
    };
    let body = web_sys::Response::from(response).blob();
    let body = body.map_err(|_| ApiFailure::broken_off())?;
    let blob = JsFuture::from(body).await.map_err(|_| ApiFailure::broken_off())?;
    Ok((blob.unchecked_into(), summary))
}

/// Path of the events that tell the steps of a statement while it is written.
pub fn writing_events(id: &str) -> String {
    format!("/api/v1/query/{id}/events")
}

/// Asks the proxy's language model to write a statement, and returns what it wrote as JSON.
pub async fn write(
    id: &str,
    brief: Option<&RawValue>,
    abort: &web_sys::AbortSignal,
) -> Result<String, ApiFailure> {
    let request = Request::post("/api/v1/llm/write_sql")
        .abort_signal(Some(abort))
        .json(&WriteRequest { id, brief })
        .map_err(|error| ApiFailure::unreadable(texts::what_question, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    text(checked(response).await?).await
}

/// Fetches the remembered choices of a person.
pub async fn memory(person: &str) -> Result<Memory, ApiFailure> {
    let response = send(Request::get(&format!("/api/v1/memory/{person}")), None).await?;
    read(response, texts::what_memory).await
}

/// Stores the remembered choices of a person.
pub async fn keep_memory(person: &str, memory: &Memory) -> Result<(), ApiFailure> {
    let request = Request::put(&format!("/api/v1/memory/{person}"))
        .json(memory)
        .map_err(|error| ApiFailure::unreadable(texts::what_memory, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    checked(response).await.map(drop)
}

/// Fetches what the users of the tenant chose, as the JSON that the engine reads.
pub async fn choices() -> Result<Box<RawValue>, ApiFailure> {
    let response = send(Request::get("/api/v1/choices"), None).await?;
    read::<ChoicesResponse>(response, texts::what_choices).await.map(|choices| choices.chosen)
}

/// Marks a clarification of a question as helpful or needless, for the memory of a person.
pub async fn mark(id: &str, person: &str, about: &str, mark: Mark) -> Result<(), ApiFailure> {
    let request = Request::post("/api/v1/query/mark")
        .json(&MarkRequest { id, person, about, mark })
        .map_err(|error| ApiFailure::unreadable(texts::what_mark, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    checked(response).await.map(drop)
}

/// Fetches the last questions of a person, newest first.
pub async fn history(person: &str) -> Result<Vec<PastQuestion>, ApiFailure> {
    let request = Request::get("/api/v1/history").query([("person", person), ("limit", HISTORY)]);
    let response = send(request, None).await?;
    read::<HistoryPage>(response, texts::what_history).await.map(|page| page.questions)
}

/// Deletes a question from the history of a person.
pub async fn forget_question(person: &str, id: &str) -> Result<(), ApiFailure> {
    let request = Request::delete(&format!("/api/v1/history/{id}")).query([("person", person)]);
    send(request, None).await.map(drop)
}

/// Reports a question of the page.
pub async fn record(report: &RecordRequest<'_>) -> Result<(), ApiFailure> {
    let request = Request::post("/api/v1/query/record")
        .json(report)
        .map_err(|error| ApiFailure::unreadable(texts::what_question, &error.to_string()))?;
    let response = request.send().await.map_err(|_| ApiFailure::unreachable())?;
    checked(response).await.map(drop)
}

async fn send(
    request: RequestBuilder,
    abort: Option<&web_sys::AbortSignal>,
) -> Result<Response, ApiFailure> {
    let response =
        request.abort_signal(abort).send().await.map_err(|_| ApiFailure::unreachable())?;
    checked(response).await
}

async fn checked(response: Response) -> Result<Response, ApiFailure> {
    if response.ok() {
        return Ok(response);
    }
    let body = response.text().await.unwrap_or_default();
    Err(ApiFailure::from_response(response.status(), &body))
}

async fn text(response: Response) -> Result<String, ApiFailure> {
    response.text().await.map_err(|_| ApiFailure::unreachable())
}

async fn read<T: serde::de::DeserializeOwned>(
    response: Response,
    what: fn() -> &'static str,
) -> Result<T, ApiFailure> {
    let body = text(response).await?;
    wherefore_engine::read_json(&body)
        .map_err(|error| ApiFailure::unreadable(what, &error.to_string()))
}
