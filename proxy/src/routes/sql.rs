//! `POST sql/check` and `POST sql/execute`: statements written elsewhere, through the guard.

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::session::ResultSet;
use wherefore_engine::sql::{CheckedSql, Dialect, GuardLimits, ReadDialect, check_text};

use crate::caller::Caller;
use crate::database::RunLimits;
use crate::problem::Problem;
use crate::request::Json;
use crate::source::Knowledge;
use crate::state::AppState;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequest {
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

#[derive(Serialize)]
struct Checked {
    sql: String,
    dialect: Dialect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExecuteRequest {
    sql: String,
    #[serde(default)]
    row_limit: Option<u32>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/sql/check", post(check)).route("/sql/execute", post(execute))
}

async fn check(
    caller: Caller,
    Json(request): Json<CheckRequest>,
) -> Result<JsonBody<Checked>, Problem> {
    let knowledge = caller.source.knowledge();
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(&knowledge, &request.sql, dialect)?;
    Ok(JsonBody(Checked { sql: statement.sql().to_owned(), dialect: statement.dialect() }))
}

async fn execute(
    caller: Caller,
    Json(request): Json<ExecuteRequest>,
) -> Result<JsonBody<ResultSet>, Problem> {
    let source = caller.source;
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
    let statement = checked(&knowledge, &request.sql, knowledge.engine.catalog().dialect.into())?;
    let rows = request.row_limit.unwrap_or(source.limits.rows).min(source.limits.rows);
    let limits = RunLimits { rows, ..source.limits };
    let result = database
        .run(&statement, limits)
        .await
        .map_err(|error| Problem::from(error).with("sql", statement.sql()))?;
    Ok(JsonBody(result))
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
