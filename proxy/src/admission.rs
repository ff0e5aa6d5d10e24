//! How many requests are under way, and how they end when the proxy stops.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::caller::Identity;
use crate::limits::RunningQuery;
use crate::problem::Problem;
use crate::state::AppState;

/// What is answered however much is under way.
const ALWAYS: &str = "/api/v1/health";
/// Where questions are asked.
const QUESTION: &str = "/api/v1/query";
/// Last event of a stream that the proxy ends because it stops.
const CLOSING: &[u8] = b"event: server_closing\ndata: {}\n\n";

/// What a request occupies; none where it is answered however much is under way.
pub(crate) type Place = Option<OwnedSemaphorePermit>;

/// A place among the requests that may be under way.
pub(crate) fn place(state: &AppState, request: &Request) -> Result<Place, Problem> {
    match Arc::clone(&state.limits.requests).try_acquire_owned() {
        Ok(permit) => Ok(Some(permit)),
        Err(_) if request.uri().path() == ALWAYS => Ok(None),
        Err(_) => {
            let detail = "as many requests are under way as this server takes at a time";
            Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_requests", detail)
                .with("retryable", true)
                .retry_after(1))
        }
    }
}

/// Keeps the place until the answer is sent, and ends event streams when the proxy stops.
pub(crate) fn hold(state: &AppState, place: Place, response: Response) -> Response {
    let stopping = is_event_stream(response.headers())
        .then(|| Box::pin(state.stopping.clone().cancelled_owned()));
    response.map(|inner| Body::new(Held { inner, stopping, kept: (place, None) }))
}

/// Counts the questions and running queries of a user.
pub(crate) async fn count(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let who = request.extensions().get::<Identity>().cloned().unwrap_or_default();
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_question = route == Some(QUESTION);
    let asked = if is_question { state.limits.ask(&who) } else { Ok(()) };
    let running = match asked.and_then(|()| state.limits.run(&who)) {
        Ok(running) => running,
        Err(problem) => return problem.into_response(),
    };
    let response = next.run(request).await;
    response.map(|inner| Body::new(Held { inner, stopping: None, kept: (None, Some(running)) }))
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// A body that keeps what its request occupies until its end, or until nobody reads it.
struct Held {
    inner: Body,
    /// For event streams: when they have to end.
    stopping: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    kept: (Option<OwnedSemaphorePermit>, Option<RunningQuery>),
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(stopping) = &mut self.stopping
            && stopping.as_mut().poll(context).is_ready()
        {
            self.stopping = None;
            self.inner = Body::empty();
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(CLOSING)))));
        }
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if frame.is_none() {
            self.kept = (None, None);
            self.stopping = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
