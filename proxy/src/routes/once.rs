//! Requests with an id that the client made: each runs once, and a repetition gets the same answer.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tracing::Instrument;

use crate::caller::is_made_id;
use crate::problem::{Problem, REQUEST_ID};
use crate::runs::{Run, Told};
use crate::state::AppState;
use crate::store::{Begun, KeptAnswer, RequestKey, Store, StoreError};

/// Largest answer that is kept, in bytes.
const ANSWER_BYTES: usize = 64 << 20;

/// Runs a request unless one with its id runs or was answered; `asked` is what is asked for.
///
/// The request runs to its end even where its client goes away, so that a repetition finds the answer. While it runs,
/// a repetition is told to come back. An answer that may be another one the next time is not kept.
pub(super) async fn once<F: Future<Output = Result<Response, Problem>> + Send + 'static>(
    state: AppState,
    key: RequestKey,
    asked: &[u8],
    work: impl FnOnce(Arc<Run>) -> F + Send + 'static,
) -> Result<Response, Problem> {
    if !is_made_id(&key.id) {
        let detail = "id has 16 to 64 letters, digits, hyphens and underscores";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_id", detail)
            .with("pointer", "/id"));
    }
    match state.store.begin(&key, &Sha256::digest(asked)).await? {
        Begun::Answered(answer) => return Ok(again(answer)),
        Begun::Other => {
            let detail = "another question was asked under this id";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "id_reused", detail)
                .with("pointer", "/id"));
        }
        Begun::Running => return Err(in_progress()),
        Begun::Mine => {}
    }
    let request_id = REQUEST_ID.try_with(Clone::clone).unwrap_or_default();
    let run = REQUEST_ID.scope(request_id, run(state, key, work));
    tokio::spawn(run.in_current_span()).await.map_err(Problem::internal)?
}

/// Does work, and holds it again from time to time until it is done.
pub(super) async fn held<T, H: Future<Output = Result<(), StoreError>>>(
    work: impl Future<Output = T>,
    hold: impl Fn() -> H,
) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(Store::HOLD_AGAIN) => {
                if let Err(error) = hold().await {
                    tracing::warn!(%error, "work under way is not held");
                }
            }
        }
    }
}

async fn run<F: Future<Output = Result<Response, Problem>>>(
    state: AppState,
    key: RequestKey,
    work: impl FnOnce(Arc<Run>) -> F,
) -> Result<Response, Problem> {
    let store = &state.store;
    let live = state.runs.begin(store, key.clone(), Arc::default());
    let answer = held(work(Arc::clone(&live.run)), || store.hold(&key)).await;
    let response = answer.into_response();
    let (parts, body) = response.into_parts();
    let bytes = to_bytes(body, ANSWER_BYTES).await.map_err(Problem::internal)?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kept = if parts.status.is_server_error() {
        store.forget_request(&key).await
    } else {
        let answer = KeptAnswer {
            status: parts.status.as_u16(),
            content_type: content_type.unwrap_or("application/json").to_owned(),
            body: String::from_utf8_lossy(&bytes).into_owned(),
        };
        store.answer(&key, answer).await
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "answer is not kept for a repetition");
    }
    live.run.end(Told::read(&bytes).end(parts.status.as_u16()));
    Ok(Response::from_parts(parts, bytes.into()))
}

/// The question runs: its answer is to be asked for later.
pub(super) fn in_progress() -> Problem {
    let detail = "the question with this id is being answered";
    Problem::new(StatusCode::CONFLICT, "in_progress", detail).with("retryable", true)
}

/// An answer as it was sent.
pub(super) fn again(answer: KeptAnswer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, answer.body).into_response();
    if let Ok(kind) = HeaderValue::from_str(&answer.content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}
