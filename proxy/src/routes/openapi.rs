//! `GET openapi.json`: the description of the HTTP interface, for everyone.

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::access::Access;
use crate::openapi;
use crate::state::AppState;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/openapi.json", get(document))
}

async fn document(State(access): State<Access>) -> impl IntoResponse {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, openapi::document(access.is_open()))
}
