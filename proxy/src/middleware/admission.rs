//! Admission of authenticated requests: their bodies are read first, then they take a slot of their caller.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio_util::sync::CancellationToken;

use super::body;
use super::held::{held, held_until};
use crate::connections::{Busy, Connection, Peer};
use crate::identity::Identity;
use crate::limits::{Holder, Limits, Slot};
use crate::problem::{Problem, ProblemCode};

/// Path that is exempt from the limit.
const ALWAYS: &str = "/api/v1/health";
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
    slot: Option<Slot>,
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
    // Boxed, so that its state is freed before the handler runs and long requests do not hold it.
    let (request, place) = match Box::pin(enter(&admission, request)).await {
        Ok(entered) => entered,
        Err(problem) => return refusal(problem),
    };
    let response = next.run(request).await;
    hold(&admission, place, is_get, response)
}

async fn enter(admission: &Admission, request: Request) -> Result<(Request, Place), Problem> {
    let identity = request.extensions().get::<Identity>();
    let holder =
        identity.map_or_else(|| Holder::Peer(peer(&request)), |who| Holder::User(who.clone()));
    let is_known = admission.is_open || identity.is_some();
    let limits = &admission.limits;
    let (parts, body) = request.into_parts();
    let (mut bytes, mut memory) = (Vec::new(), None);
    if !body.is_end_stream() {
        let read = body::read(body, body::most(is_known), &holder, &limits.bodies).await?;
        (bytes, memory) = (read.bytes, Some(read.memory));
    }
    let request = Request::from_parts(parts, Body::from(bytes));
    let path = request.uri().path();
    let slots = if is_known {
        &limits.requests
    } else if path.starts_with(SIGN_IN) {
        &limits.sign_ins
    } else {
        &limits.public
    };
    let slot = slots.take(&holder, 1);
    if slot.is_none() && path != ALWAYS {
        return Err(too_many("the server is at its limit of concurrent requests"));
    }
    let busy = request.extensions().get::<Arc<Connection>>().map(Connection::admit);
    Ok((request, Place { holder, slot, memory, busy }))
}

fn too_many(detail: &str) -> Problem {
    Problem::new(ProblemCode::TooManyRequests, detail).with("retryable", true).retry_after(1)
}

/// Response to a request that is not admitted. The rest of its body is not read.
fn refusal(problem: Problem) -> Response {
    let mut response = problem.into_response();
    if matches!(response.status(), StatusCode::REQUEST_TIMEOUT | StatusCode::PAYLOAD_TOO_LARGE) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Holds the slot until the response is sent. An event stream exchanges it for one of its own.
fn hold(admission: &Admission, place: Place, is_get: bool, response: Response) -> Response {
    let Place { holder, slot, memory, busy } = place;
    drop(memory);
    if !is_event_stream(response.headers()) {
        return response.map(|inner| held(inner, (slot, busy)));
    }
    let slot = if is_get {
        drop(slot);
        match admission.limits.streams.take(&holder, 1) {
            Some(slot) => Some(slot),
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

/// Address of the client; unspecified for requests without a connection.
fn peer(request: &Request) -> Peer {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    address.map_or_else(Peer::default, |ConnectInfo(address)| Peer::new(address.ip()))
}

fn is_event_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}
