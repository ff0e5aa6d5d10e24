//! `POST sql/check` and `POST sql/execute`: statements written elsewhere, through the guard.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::sql::{CheckedSql, Dialect, GuardLimits, ReadDialect, check_text};

use crate::caller::Caller;
use crate::database::RunLimits;
use crate::explained::explained;
use crate::export::{self, Format};
use crate::problem::Problem;
use crate::request::Json;
use crate::source::Knowledge;
use crate::state::AppState;

/// A statement to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    sql: String,
    /// Dialect that the statement is written in; the data source's own where absent.
    #[serde(default)]
    dialect: Option<WrittenDialect>,
}

/// Dialects that statements may be written in; they run in the data source's own.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenDialect {
    Bigquery,
    Duckdb,
    Mssql,
    Mysql,
    Postgres,
    Sqlite,
}

impl From<WrittenDialect> for ReadDialect {
    fn from(dialect: WrittenDialect) -> Self {
        match dialect {
            WrittenDialect::Bigquery => Self::Bigquery,
            WrittenDialect::Duckdb => Self::Duckdb,
            WrittenDialect::Mssql => Self::Mssql,
            WrittenDialect::Mysql => Self::Mysql,
            WrittenDialect::Postgres => Self::Postgres,
            WrittenDialect::Sqlite => Self::Sqlite,
        }
    }
}

/// A statement as it would run.
#[derive(Serialize)]
pub(crate) struct Checked {
    pub(crate) sql: String,
    dialect: Dialect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExecuteRequest {
    sql: String,
    /// Dialect that the statement is written in; the data source's own where absent.
    #[serde(default)]
    dialect: Option<WrittenDialect>,
    #[serde(default)]
    row_limit: Option<u32>,
    /// Whether texts in CSV that a spreadsheet would take for formulas get an apostrophe.
    #[serde(default = "yes")]
    formula_guard: bool,
    /// Name of the file that a browser makes of the result, without its ending.
    #[serde(default)]
    file_name: String,
}

fn yes() -> bool {
    true
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/sql/check", post(check)).route("/sql/execute", post(execute))
}

async fn check(
    caller: Caller,
    Json(request): Json<CheckRequest>,
) -> Result<JsonBody<Checked>, Problem> {
    check_statement(&caller.source.knowledge(), &request).map(JsonBody)
}

/// Puts a statement through the guard; nothing runs.
pub(crate) fn check_statement(
    knowledge: &Knowledge,
    request: &CheckRequest,
) -> Result<Checked, Problem> {
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(knowledge, &request.sql, dialect)?;
    Ok(Checked { sql: statement.sql().to_owned(), dialect: statement.dialect() })
}

async fn execute(
    caller: Caller,
    headers: HeaderMap,
    Json(request): Json<ExecuteRequest>,
) -> Result<Response, Problem> {
    let source = caller.source;
    let Some(format) = export::accepted(&headers) else {
        return Err(Problem::new(
            StatusCode::NOT_ACCEPTABLE,
            "not_acceptable",
            "results are given as application/json, text/csv, application/x-ndjson or \
             application/vnd.apache.arrow.stream",
        ));
    };
    let Some(database) = &source.database else {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "no_database",
            "the catalog has no database behind it",
        ));
    };
    if request.row_limit == Some(0) {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid_row_limit",
            "row limit must be at least 1",
        )
        .with("pointer", "/row_limit"));
    }
    let knowledge = source.knowledge();
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(&knowledge, &request.sql, dialect)?;
    let caps = if format == Format::Json { source.limits } else { source.exports };
    let rows = request.row_limit.unwrap_or(caps.rows).min(caps.rows);
    let limits = RunLimits { rows, ..caps };
    let name = &request.file_name;
    let response = match format {
        Format::Json => database.run(&statement, limits).await.map(|mut result| {
            // Places in a statement of another database would not be those of what ran.
            if dialect == own {
                result.explained = explained(&request.sql, knowledge.engine.catalog());
            }
            ([(header::CACHE_CONTROL, "private, no-store")], JsonBody(result)).into_response()
        }),
        Format::Csv => database
            .cells(&statement, limits)
            .await
            .map(|rows| export::csv(rows, request.formula_guard, name)),
        Format::Ndjson => {
            database.cells(&statement, limits).await.map(|rows| export::ndjson(rows, name))
        }
        Format::Arrow => database
            .record_batches(&statement, limits)
            .await
            .and_then(|rows| export::arrow(rows, name)),
    };
    response.map_err(|error| Problem::from(error).with("sql", statement.sql()))
}

fn checked(knowledge: &Knowledge, sql: &str, written: ReadDialect) -> Result<CheckedSql, Problem> {
    let catalog = knowledge.engine.catalog();
    check_text(sql, written, catalog, catalog.dialect, &GuardLimits::default()).map_err(
        |diagnostics| {
            let detail = diagnostics.first().map_or_else(
                || "statement was refused".to_owned(),
                |diagnostic| diagnostic.message.clone(),
            );
            let diagnostics = serde_json::to_value(&diagnostics).unwrap_or_default();
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "statement_refused", detail)
                .with("diagnostics", diagnostics)
        },
    )
}
