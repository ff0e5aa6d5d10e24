//! `GET choices`: what the users of the tenant chose, for recommendations by an engine that runs in the client.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json as JsonBody, Router};
use serde::Serialize;
use wherefore_engine::memory::Chosen;

use crate::caller::Caller;
use crate::questions::Questions;
use crate::state::AppState;

#[derive(Serialize)]
struct Choices {
    chosen: Vec<Chosen>,
}

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/choices", get(choices))
}

async fn choices(State(questions): State<Arc<Questions>>, caller: Caller) -> JsonBody<Choices> {
    let chosen = questions.chosen_by_others(&caller).await;
    JsonBody(Choices { chosen: chosen.to_vec() })
}
