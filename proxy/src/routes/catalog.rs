//! `GET catalog`: catalog and settings, from which a client builds the engine.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::caller::Caller;
use crate::state::AppState;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/catalog", get(catalog))
}

async fn catalog(caller: Caller, headers: HeaderMap) -> Response {
    let knowledge = caller.source.knowledge();
    let known = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| tag.trim().trim_start_matches("W/") == knowledge.etag);
    let tags =
        [(header::ETAG, knowledge.etag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return (StatusCode::NOT_MODIFIED, tags).into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (tags, json, knowledge.json.clone()).into_response()
}
