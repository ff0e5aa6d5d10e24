//! Concurrency limit of requests, and the end of event streams at shutdown.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::identity::Identity;
use crate::limits::{Limits, RunningQuery};
use crate::problem::{Problem, ProblemCode};

/// Path that is exempt from the limit.
const ALWAYS: &str = "/api/v1/health";
/// Route that counts as a question.
const QUESTION: &str = "/api/v1/query";
/// Last event of a stream that ends at shutdown.
const CLOSING: &[u8] = b"event: server_closing\ndata: {}\n\n";

/// Permit of a request; `None` if it is exempt from the limit.
pub(super) type Place = Option<OwnedSemaphorePermit>;

/// Acquires a permit for a request.
pub(super) fn place(limits: &Limits, request: &Request) -> Result<Place, Problem> {
    match Arc::clone(&limits.requests).try_acquire_owned() {
        Ok(permit) => Ok(Some(permit)),
        Err(_) if request.uri().path() == ALWAYS => Ok(None),
        Err(_) => {
            let detail = "the server is at its limit of concurrent requests";
            Err(Problem::new(ProblemCode::TooManyRequests, detail)
                .with("retryable", true)
                .retry_after(1))
        }
    }
}

/// Holds the permit until the response is sent, and ends event streams at shutdown.
pub(super) fn hold(stopping: &CancellationToken, place: Place, response: Response) -> Response {
    let stopping =
        is_event_stream(response.headers()).then(|| Box::pin(stopping.clone().cancelled_owned()));
    response.map(|inner| Body::new(Held { inner, stopping, kept: (place, None) }))
}

/// Middleware that counts questions and running queries of a user.
pub(crate) async fn count(
    State(limits): State<Arc<Limits>>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let who = request.extensions().get::<Identity>().cloned().unwrap_or_default();
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let is_question = route == Some(QUESTION);
    let asked = if is_question { limits.ask(&who) } else { Ok(()) };
    let running = match asked.and_then(|()| limits.run(&who)) {
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

/// Response body that holds permits until it was sent or dropped.
struct Held {
    inner: Body,
    /// Completes at shutdown, for event streams.
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
