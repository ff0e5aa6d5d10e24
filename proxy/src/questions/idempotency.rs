//! Requests with an idempotency key: each runs once, and a repeated request gets the same response.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tracing::Instrument;

use super::answer_summary::{AnswerSummary, Ending};
use super::problems::awaits_consent;
use super::run::Run;
use super::service::Questions;
use crate::caller::Caller;
use crate::identity::is_made_id;
use crate::problem::{Problem, ProblemCode, REQUEST_ID, request_id};
use crate::store::{Begun, KeptAnswer, RequestKey, Store, StoreError};

/// Maximum size of a response that is stored, in bytes.
const ANSWER_BYTES: usize = 64 << 20;

/// Runs a request, unless one with the same idempotency key is running or was answered. `asked` is the request body,
/// which must be the same.
///
/// The request runs to its end even if the client disconnects, so that a repeated request finds the response. While it
/// runs, a repeated request gets a 409. Responses with a 5xx status, and those after which the request can be sent again,
/// are not stored.
pub(crate) async fn once<F: Future<Output = Result<Response, Problem>> + Send + 'static>(
    questions: Arc<Questions>,
    key: RequestKey,
    asked: &[u8],
    work: impl FnOnce(Arc<Run>) -> F + Send + 'static,
) -> Result<Response, Problem> {
    if let Some(known) = claim(&questions, &key, asked).await? {
        return Ok(known);
    }
    let run = REQUEST_ID.scope(request_id(), run(questions, key, work));
    tokio::spawn(run.in_current_span()).await.map_err(Problem::internal)?
}

/// Like [`once`], but the request ends if the client disconnects.
pub(super) async fn once_attended<F: Future<Output = Result<Response, Problem>>>(
    questions: Arc<Questions>,
    key: RequestKey,
    asked: &[u8],
    work: impl FnOnce(Arc<Run>) -> F,
) -> Result<Response, Problem> {
    match claim(&questions, &key, asked).await? {
        Some(known) => Ok(known),
        None => run(questions, key, work).await,
    }
}

/// Claims an idempotency key, or returns the response that was stored for it.
async fn claim(
    questions: &Questions,
    key: &RequestKey,
    asked: &[u8],
) -> Result<Option<Response>, Problem> {
    if !is_made_id(&key.id) {
        return Err(invalid_id());
    }
    match questions.store.begin(key, &Sha256::digest(asked)).await? {
        Begun::Answered(answer) => Ok(Some(again(answer))),
        Begun::Other => {
            let detail = "this idempotency key was used for another question";
            Err(Problem::new(ProblemCode::IdReused, detail).with("pointer", "/id"))
        }
        Begun::Running => Err(in_progress()),
        Begun::Mine => Ok(None),
    }
}

/// Runs a future, and renews its lease in the store until it completes.
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
                    tracing::warn!(%error, "cannot extend the hold on a running request");
                }
            }
        }
    }
}

async fn run<F: Future<Output = Result<Response, Problem>>>(
    questions: Arc<Questions>,
    key: RequestKey,
    work: impl FnOnce(Arc<Run>) -> F,
) -> Result<Response, Problem> {
    let store = &questions.store;
    let live = questions.runs.begin(store, key.clone(), Arc::default());
    let answer = held(work(Arc::clone(&live.run)), || store.hold(&key)).await;
    let (response, ending) = keep(&questions, &key, answer).await?;
    live.run.end(ending);
    Ok(response)
}

/// Stores a response for repeated requests, unless its status is 5xx, or the request can be sent again: as it was, or with
/// consent to its estimate.
pub(super) async fn keep(
    questions: &Questions,
    key: &RequestKey,
    answer: Result<impl IntoResponse, Problem>,
) -> Result<(Response, Ending), Problem> {
    let store = &questions.store;
    let comes_again = answer
        .as_ref()
        .is_err_and(|problem| problem.is_retryable() || awaits_consent(problem.code()));
    let (response, answer) = stored(answer).await?;
    let is_kept = !comes_again && !response.status().is_server_error();
    let ending = AnswerSummary::read(answer.body.as_bytes()).ending(answer.status);
    let kept = if is_kept {
        store.answer(key, answer, questions.session_lifetime).await
    } else {
        store.forget_request(key).await
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "cannot store the reply for repeated requests");
    }
    Ok((response, Ending { is_kept, ..ending }))
}

/// A response, and what is stored of it.
pub(super) async fn stored(answer: impl IntoResponse) -> Result<(Response, KeptAnswer), Problem> {
    let (parts, body) = answer.into_response().into_parts();
    let bytes = to_bytes(body, ANSWER_BYTES).await.map_err(Problem::internal)?;
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let answer = KeptAnswer {
        status: parts.status.as_u16(),
        content_type: content_type.unwrap_or("application/json").to_owned(),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    Ok((Response::from_parts(parts, bytes.into()), answer))
}

/// Key of a request of a caller, by its idempotency key.
pub(crate) fn request_key(
    caller: &Caller,
    id: String,
    person: Option<&str>,
) -> Result<RequestKey, Problem> {
    if RequestKey::is_internal(&id) {
        return Err(unknown_question());
    }
    let owner = caller.person(person)?.unwrap_or_default();
    Ok(RequestKey { tenant: caller.identity.tenant.clone(), owner, id })
}

/// Problem of an id that a client made in another form.
pub(super) fn invalid_id() -> Problem {
    let detail = "id must have 16 to 64 letters, digits, hyphens and underscores";
    Problem::new(ProblemCode::InvalidId, detail).with("pointer", "/id")
}

/// No question of the caller has this id.
pub(super) fn unknown_question() -> Problem {
    Problem::new(ProblemCode::UnknownQuestion, "unknown question")
}

/// Problem of a request that is still running.
pub(super) fn in_progress() -> Problem {
    let detail = "a request with this idempotency key is still running";
    Problem::new(ProblemCode::InProgress, detail).with("retryable", true)
}

/// A stored response.
pub(super) fn again(answer: KeptAnswer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, answer.body).into_response();
    if let Ok(kind) = HeaderValue::from_str(&answer.content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}
