//! `POST sql/check` and `POST sql/execute`: checks and runs statements of clients.

use std::num::NonZeroU32;

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json as JsonBody, Router};
use serde::Deserialize;
use wherefore_sql::ReadDialect;

use crate::caller::Caller;
use crate::database::RunLimits;
use crate::export::{self, Format};
use crate::extract::{Json, null_as_default};
use crate::problem::{Problem, ProblemCode};
use crate::state::AppState;
use crate::statements::{
    CheckRequest, Checked, WrittenDialect, check_statement, checked, explained, tell_hidden,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExecuteRequest {
    sql: String,
    /// Dialect of the statement; that of the data source if absent.
    #[serde(default)]
    dialect: Option<WrittenDialect>,
    #[serde(default)]
    row_limit: Option<u32>,
    /// Size at which cells are cut, in bytes.
    #[serde(default)]
    cell_bytes: Option<NonZeroU32>,
    /// Whether texts in CSV that a spreadsheet would interpret as formulas are prefixed with an apostrophe.
    #[serde(default)]
    formula_guard: Option<bool>,
    /// Name of the downloaded file, without extension.
    #[serde(default, deserialize_with = "null_as_default")]
    file_name: String,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    #[serde(default, deserialize_with = "null_as_default")]
    accept_estimate: bool,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/sql/check", post(check)).route("/sql/execute", post(execute))
}

async fn check(
    caller: Caller,
    Json(request): Json<CheckRequest>,
) -> Result<JsonBody<Checked>, Problem> {
    let Caller { source, .. } = caller;
    check_statement(&source.knowledge(), source.database.as_deref(), &request).await.map(JsonBody)
}

async fn execute(
    caller: Caller,
    headers: HeaderMap,
    Json(request): Json<ExecuteRequest>,
) -> Result<Response, Problem> {
    let Caller { holder, source, connection, .. } = caller;
    let Some(format) = export::accepted(&headers) else {
        return Err(Problem::new(
            ProblemCode::NotAcceptable,
            "accept application/json, text/csv, application/x-ndjson, \
             application/vnd.apache.arrow.stream, application/vnd.apache.parquet or \
             application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ));
    };
    let Some(database) = &source.database else {
        return Err(Problem::new(
            ProblemCode::NoDatabase,
            "there is no database to run statements on",
        ));
    };
    if request.row_limit == Some(0) {
        return Err(Problem::new(ProblemCode::InvalidRowLimit, "row_limit must be at least 1")
            .with("pointer", "/row_limit"));
    }
    let knowledge = source.knowledge();
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(&knowledge, Some(database.as_ref()), &request.sql, dialect)?;
    let caps = if format == Format::Json { source.limits } else { source.exports };
    let rows = request.row_limit.unwrap_or(caps.rows).min(caps.rows);
    let wanted = request.cell_bytes.map_or(caps.cell_bytes, |bytes| bytes.get() as usize);
    let cell_bytes = wanted.min(caps.max_cell_bytes);
    let limits = RunLimits { rows, cell_bytes, ..caps };
    let mut limits = limits.accepting_estimate(request.accept_estimate);
    if format == Format::Xlsx {
        limits = export::within_sheet(limits);
    }
    let name = &request.file_name;
    let turn = match format {
        Format::Json => source.turns.query(&holder).await?,
        _ => source.turns.export(&holder, connection).await?,
    };
    let turn = Some(&turn);
    let with_sql = |problem: Problem| problem.with("sql", statement.sql());
    let response = match format {
        Format::Json => database.run(&statement, limits, turn).await.map(|mut result| {
            // Spans of a statement in another dialect would not match the statement that ran.
            if dialect == own {
                result.explained = explained(&request.sql, knowledge.engine.catalog());
            }
            if source.hides_rows() {
                tell_hidden(&mut result);
            }
            ([(header::CACHE_CONTROL, "private, no-store")], JsonBody(result)).into_response()
        }),
        Format::Csv => database
            .cells(&statement, limits, turn)
            .await
            .map(|rows| export::csv(rows, request.formula_guard.unwrap_or(true), name)),
        Format::Ndjson => {
            database.cells(&statement, limits, turn).await.map(|rows| export::ndjson(rows, name))
        }
        Format::Arrow => database
            .record_batches(&statement, limits, turn)
            .await
            .and_then(|rows| export::arrow(rows, name)),
        Format::Parquet => match database.record_batches(&statement, limits, turn).await {
            Ok(rows) => return export::parquet(rows, name).await.map_err(with_sql),
            Err(error) => Err(error),
        },
        Format::Xlsx => match database.cells(&statement, limits, turn).await {
            Ok(rows) => return export::xlsx(rows, name).await.map_err(with_sql),
            Err(error) => Err(error),
        },
    };
    response.map_err(|error| with_sql(error.into()))
}
