//! `POST sql/check` and `POST sql/execute`: statements written elsewhere, through the guard.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::session::ResultSet;
use wherefore_engine::sql::Dialect;

use crate::checked::{CheckedSql, check_text};
use crate::database::RunLimits;
use crate::problem::Problem;
use crate::request::Json;
use crate::state::{AppState, Knowledge};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequest {
    sql: String,
    /// Dialect that the statement is written for; the data source's own where absent.
    #[serde(default)]
    dialect: Option<Dialect>,
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
    State(state): State<AppState>,
    Json(request): Json<CheckRequest>,
) -> Result<JsonBody<Checked>, Problem> {
    let knowledge = state.knowledge();
    let dialect = request.dialect.unwrap_or(knowledge.engine.catalog().dialect);
    let statement = checked(&knowledge, &request.sql, dialect)?;
    Ok(JsonBody(Checked { sql: statement.sql().to_owned(), dialect: statement.dialect() }))
}

async fn execute(
    State(state): State<AppState>,
    Json(request): Json<ExecuteRequest>,
) -> Result<JsonBody<ResultSet>, Problem> {
    let Some(database) = &state.database else {
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
    let knowledge = state.knowledge();
    let statement = checked(&knowledge, &request.sql, knowledge.engine.catalog().dialect)?;
    let rows = request.row_limit.unwrap_or(state.limits.rows).min(state.limits.rows);
    let limits = RunLimits { rows, ..state.limits };
    let result = database
        .run(&statement, limits)
        .await
        .map_err(|error| Problem::from(error).with("sql", statement.sql()))?;
    Ok(JsonBody(result))
}

fn checked(knowledge: &Knowledge, sql: &str, dialect: Dialect) -> Result<CheckedSql, Problem> {
    check_text(sql, knowledge.engine.catalog(), dialect).map_err(|diagnostics| {
        let detail = diagnostics.first().map_or_else(
            || "statement was refused".to_owned(),
            |diagnostic| diagnostic.message.clone(),
        );
        let diagnostics = serde_json::to_value(&diagnostics).unwrap_or_default();
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "statement_refused", detail)
            .with("diagnostics", diagnostics)
    })
}
