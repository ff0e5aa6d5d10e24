//! `GET values`: stored values of a column that contain a text.

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::catalog::{ColumnRef, Coverage};

use crate::caller::Caller;
use crate::problem::Problem;
use crate::request::Parameters;
use crate::state::AppState;
use crate::values::{SEARCH_LENGTH, search_listed};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    table: String,
    column: String,
    #[serde(default)]
    search: String,
}

#[derive(Serialize)]
struct Found {
    values: Vec<String>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/values", get(values))
}

async fn values(
    caller: Caller,
    Parameters(search): Parameters<Search>,
) -> Result<Json<Found>, Problem> {
    if search.search.chars().count() > SEARCH_LENGTH {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "search_too_long",
            format!("search is longer than {SEARCH_LENGTH} characters"),
        ));
    }
    let source = caller.source;
    let knowledge = source.knowledge();
    let catalog = knowledge.engine.catalog();
    let reference = ColumnRef::new(search.table, search.column);
    if catalog.table(&reference.table).is_none() {
        let detail = format!("table is unknown: {}", reference.table);
        return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_table", detail));
    }
    let Some(column) = catalog.column(&reference) else {
        let detail = format!("column is unknown: {}.{}", reference.table, reference.column);
        return Err(Problem::new(StatusCode::NOT_FOUND, "unknown_column", detail));
    };
    if column.sensitive {
        let detail = format!("values of {}.{} are never listed", reference.table, reference.column);
        return Err(Problem::new(StatusCode::FORBIDDEN, "sensitive_column", detail));
    }
    if let Some(list) = &column.values
        && (list.coverage == Coverage::Complete || source.database.is_none())
    {
        return Ok(Json(Found { values: search_listed(&list.values, &search.search) }));
    }
    let Some(database) = &source.database else { return Ok(Json(Found { values: Vec::new() })) };
    let found =
        source.values.search(database.as_ref(), catalog, &reference, &search.search).await?;
    Ok(Json(Found { values: found.to_vec() }))
}
