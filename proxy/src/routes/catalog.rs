//! `GET catalog`: catalog and settings, from which a client builds the engine; with those of the variant of an experiment.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;

use crate::caller::Caller;
use crate::extract::Parameters;
use crate::problem::Problem;
use crate::questions::Questions;
use crate::state::AppState;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asker {
    /// Person who will ask, if the caller is not authenticated; an experiment may give them other settings.
    #[serde(default)]
    person: Option<String>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/catalog", get(catalog))
}

async fn catalog(
    State(questions): State<Arc<Questions>>,
    caller: Caller,
    Parameters(Asker { person }): Parameters<Asker>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let person = caller.person(person.as_deref())?;
    let variant = questions.variant_of(&caller.identity, person.as_deref());
    let knowledge = caller.source.knowledge().of_variant(variant);
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| tag.trim().trim_start_matches("W/") == knowledge.etag);
    let tags =
        [(header::ETAG, knowledge.etag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, tags).into_response());
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    Ok((tags, json, knowledge.json.clone()).into_response())
}
