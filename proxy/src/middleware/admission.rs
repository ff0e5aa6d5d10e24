//! Admission of authenticated requests: their bodies are read first, then they take a slot of their caller.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio_util::sync::CancellationToken;

use super::body;
use super::held::{PART_BYTES, held, held_until};
use crate::access::closing;
use crate::connections::{Busy, Connection, Peer};
use crate::holder::Holder;
use crate::identity::Identity;
use crate::limits::{Limits, Occupied, Slot};
use crate::problem::{Problem, ProblemCode};

/// Paths that are exempt from the limit.
const ALWAYS: [&str; 2] = ["/api/v1/health", "/api/v1/ready"];
/// Start of the paths that serve a sign-in.
const SIGN_IN: &str = "/sign-in";

/// State of the admission of requests.
#[derive(Clone)]
pub(crate) struct Admission {
    /// Slots of callers.
    pub(crate) limits: Arc<Limits>,
    /// Whether authentication is turned off.
    pub(crate) is_open: bool,
    /// Cancelled at shutdown.
    pub(crate) stopping: CancellationToken,
}

/// What an admitted request holds.
struct Place {
    holder: Holder,
    /// `None` if the request is exempt from the limit.
    slot: Option<Arc<Slot>>,
    /// Memory of the body, until the handler has responded.
    memory: Option<Slot>,
    busy: Option<Busy>,
}

/// Middleware that reads the body of a request, and holds a slot until its response is sent.
///
/// Requests wait for their bodies without a slot. Callers that are not signed in have slots of their own, and so do
/// event streams, which hold the slot of a request only until they begin.
pub(crate) async fn admit(
    State(admission): State<Admission>,
    request: Request,
    next: Next,
) -> Response {
    let is_get = request.method() == Method::GET;
    let is_known = admission.is_open || request.extensions().get::<Identity>().is_some();
    // Boxed, so that its state is freed before the handler runs and long requests do not hold it.
    let (request, place) = match Box::pin(enter(&admission, request, is_known)).await {
        Ok(entered) => entered,
        Err(problem) => return refusal(problem, is_known),
    };
    let response = next.run(request).await;
    hold(&admission, place, is_get, response)
}

async fn enter(
    admission: &Admission,
    request: Request,
    is_known: bool,
) -> Result<(Request, Place), Problem> {
    let identity = request.extensions().get::<Identity>();
    let holder = Holder::of(identity, Peer::of(request.extensions()));
    let limits = &admission.limits;
    let (parts, body) = request.into_parts();
    let (mut bytes, mut memory) = (Vec::new(), None);
    if !body.is_end_stream() {
        let read = body::read(body, body::most(is_known), &holder, &limits.bodies).await?;
        (bytes, memory) = (read.bytes, Some(read.memory));
    }
    let mut request = Request::from_parts(parts, Body::from(bytes));
    let path = request.uri().path();
    let slots = if is_known {
        &limits.requests
    } else if path.starts_with(SIGN_IN) {
        &limits.sign_ins
    } else {
        &limits.public
    };
    let slot = if ALWAYS.contains(&path) {
        None
    } else {
        let detail = "the server is at its limit of concurrent requests";
        Some(Arc::new(slots.take(&holder, 1).ok_or_else(|| too_many(detail))?))
    };
    let occupied = request.extensions_mut().get_or_insert_default::<Occupied>();
    occupied.slot.clone_from(&slot);
    let busy = request.extensions().get::<Arc<Connection>>().map(Connection::admit);
    Ok((request, Place { holder, slot, memory, busy }))
}

fn too_many(detail: &str) -> Problem {
    Problem::new(ProblemCode::TooManyRequests, detail).with("retryable", true).retry_after(1)
}

/// Response to a request that is not admitted. Its connection is closed if its body was not read, or if the caller is
/// not known.
fn refusal(problem: Problem, is_known: bool) -> Response {
    let response = problem.into_response();
    let is_unread =
        matches!(response.status(), StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE);
    if is_unread || !is_known { closing(response) } else { response }
}

/// Holds the slot until the response is sent, and the memory of a large document. An event stream exchanges the slot
/// for one of its own.
fn hold(admission: &Admission, place: Place, is_get: bool, response: Response) -> Response {
    let Place { holder, slot, memory, busy } = place;
    drop(memory);
    if !is_event_stream(response.headers()) {
        let (size, mut memory) =
            (size_in_memory(&response), admission.limits.responses.none(&holder));
        if size > 0 && !memory.grow(size) {
            let detail = "the unread responses to this caller take too much memory";
            return too_many(detail).into_response();
        }
        return response.map(|inner| held(inner, (slot, memory, busy)));
    }
    let slot = if is_get {
        drop(slot);
        match admission.limits.streams.take(&holder, 1) {
            Some(slot) => Some(Arc::new(slot)),
            None => {
                return too_many("the server is at its limit of open event streams")
                    .into_response();
            }
        }
    } else {
        slot
    };
    response.map(|inner| held_until(inner, (slot, busy), &admission.stopping))
}

/// Size of a document that is in memory as a whole; 0 if it is small. Exports and files are read while they are sent.
fn size_in_memory(response: &Response) -> usize {
    let size = response.body().size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let is_document = has_type(response.headers(), "application/json");
    size.filter(|size| is_document && *size > PART_BYTES).unwrap_or_default()
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    has_type(headers, "text/event-stream")
}

fn has_type(headers: &HeaderMap, name: &str) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with(name))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::limits::Slots;

    fn routes(limits: Limits) -> Router {
        let admission = Admission {
            limits: Arc::new(limits),
            is_open: false,
            stopping: CancellationToken::new(),
        };
        let document =
            async || ([(header::CONTENT_TYPE, "application/json")], vec![b' '; 1_000_000]);
        Router::new()
            .route("/document", get(document))
            .route("/api/v1/health", get(async || "ok"))
            .route("/api/v1/ready", get(async || "ok"))
            .layer(from_fn_with_state(admission, admit))
    }

    async fn get_path(routes: &Router, path: &str) -> Response {
        let request = Request::get(path).body(Body::empty()).unwrap();
        routes.clone().oneshot(request).await.unwrap()
    }

    #[tokio::test]
    async fn unread_documents_of_one_caller_are_bounded_in_memory() {
        let mut limits = Limits::default();
        limits.responses = Slots::new(4_000_000, 1);
        let routes = routes(limits);
        let unread = [get_path(&routes, "/document").await, get_path(&routes, "/document").await];
        assert!(unread.iter().all(|response| response.status() == StatusCode::OK));
        let refused = get_path(&routes, "/document").await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(get_path(&routes, "/api/v1/health").await.status(), StatusCode::OK);
        drop(unread);
        assert_eq!(get_path(&routes, "/document").await.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn probes_are_answered_while_no_slot_is_free() {
        let mut limits = Limits::default();
        limits.public = Slots::new(0, 1);
        let routes = routes(limits);
        let refused = get_path(&routes, "/document").await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(refused.headers()[header::CONNECTION], "close");
        for path in ["/api/v1/health", "/api/v1/ready"] {
            assert_eq!(get_path(&routes, path).await.status(), StatusCode::OK, "{path}");
        }
    }
}
