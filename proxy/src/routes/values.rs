//! `GET values`: stored values of a column that contain a text.

use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use wherefore_engine::catalog::{ColumnRef, Coverage, ValueList};

use crate::caller::Caller;
use crate::extract::Parameters;
use crate::knowledge::Knowledge;
use crate::problem::{Problem, ProblemCode};
use crate::state::AppState;
use crate::values::{FoundInColumn, ListCoverage, Page, SEARCH_LENGTH, page_of_list};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    table: String,
    column: String,
    #[serde(default)]
    search: String,
    /// Number of values before the page: `next` of the previous one.
    #[serde(default)]
    after: usize,
    /// Page size.
    #[serde(default)]
    limit: Option<usize>,
}

/// Maximum page size.
const LARGEST_PAGE: usize = 500;

#[derive(Serialize)]
struct ValuesReply {
    values: Vec<String>,
    /// Number of values before the next page; absent on the last one.
    next: Option<usize>,
    /// Number of matching values; absent if more match than are counted.
    total: Option<usize>,
    /// Coverage of the list that was searched.
    coverage: ListCoverage,
    /// Number of listed values. If the list is partial, others are searched for in the database.
    listed: Option<usize>,
    /// Age of the list in seconds.
    age_seconds: u64,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/values", get(values))
}

async fn values(
    caller: Caller,
    Parameters(search): Parameters<Search>,
) -> Result<Json<ValuesReply>, Problem> {
    if search.search.chars().count() > SEARCH_LENGTH {
        return Err(Problem::new(
            ProblemCode::SearchTooLong,
            format!("search must have at most {SEARCH_LENGTH} characters"),
        ));
    }
    let limit = search.limit.unwrap_or(Page::default().limit);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let detail = format!("limit must be between 1 and {LARGEST_PAGE}");
        return Err(Problem::new(ProblemCode::InvalidLimit, detail));
    }
    let page = Page { after: search.after, limit };
    let source = caller.source;
    let knowledge = source.knowledge();
    let catalog = knowledge.engine.catalog();
    let reference = ColumnRef::new(search.table, search.column);
    if catalog.table(&reference.table).is_none() {
        let detail = format!("unknown table {}", reference.table);
        return Err(Problem::new(ProblemCode::UnknownTable, detail));
    }
    let Some(column) = catalog.column(&reference) else {
        let detail = format!("unknown column {}.{}", reference.table, reference.column);
        return Err(Problem::new(ProblemCode::UnknownColumn, detail));
    };
    if column.sensitive {
        let detail = format!(
            "{}.{} is a sensitive column; its values are never listed",
            reference.table, reference.column
        );
        return Err(Problem::new(ProblemCode::SensitiveColumn, detail));
    }
    let found = match source.value_reader(&caller.holder) {
        Some(reader) => {
            source.values.find(&reader, &knowledge, &reference, &search.search, page).await?
        }
        None => of_catalog(column.values.as_ref(), &search.search, &knowledge, page),
    };
    let FoundInColumn { values, next, total, coverage, listed, age } = found;
    Ok(Json(ValuesReply { values, next, total, coverage, listed, age_seconds: age.as_secs() }))
}

/// Values listed in a catalog without a database.
fn of_catalog(
    list: Option<&ValueList>,
    text: &str,
    knowledge: &Knowledge,
    page: Page,
) -> FoundInColumn {
    let coverage = match list.map(|list| list.coverage) {
        Some(Coverage::Complete) => ListCoverage::Complete,
        _ => ListCoverage::Partial,
    };
    let values = list.map_or(&[][..], |list| &list.values);
    FoundInColumn {
        coverage,
        listed: list.map(|list| list.values.len()),
        age: knowledge.read_at.elapsed(),
        ..page_of_list(values, text, page)
    }
}
