//! Outermost middleware of every request.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use super::cross_site::is_cross_site;
use super::{encoding, plain};
use crate::access::closing;
use crate::config::Origin;
use crate::hosts::AllowedHosts;
use crate::metrics::{self, Metrics};
use crate::problem::{Problem, ProblemCode, REQUEST_ID};

/// Content security policy of the web app: its own files only, Wasm allowed.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// State of the outermost middleware.
#[derive(Clone)]
pub(crate) struct Surroundings {
    /// Allowed host names.
    pub(crate) hosts: AllowedHosts,
    /// Counters and response times.
    pub(crate) metrics: Arc<Metrics>,
    /// Other origins whose pages may call the API (CORS).
    pub(crate) origins: Arc<[Origin]>,
}

/// All checks and headers in one layer, since each layer would hold the request in memory.
///
/// Assigns a request id, which response, problem document and log share; counts and logs the request with the path
/// template of the router, since a path can contain the id of a person. Rejects requests for other host names, and unsafe
/// ones from pages of other origins.
pub(crate) async fn surround(
    State(around): State<Surroundings>,
    request: Request,
    next: Next,
) -> Response {
    let id = request_id();
    let method = request.method().clone();
    let template = request.extensions().get::<MatchedPath>().cloned();
    let route = template.as_ref().map(MatchedPath::as_str);
    let span = tracing::info_span!(
        "request",
        %id,
        method = metrics::name(&method),
        route = route.unwrap_or("other")
    );
    let start = std::time::Instant::now();
    let checked = check_site(&around, &request);
    let answer = async {
        let response = match checked {
            Ok(()) => {
                let response = REQUEST_ID.scope(id.clone(), next.run(request)).await;
                REQUEST_ID.sync_scope(id.clone(), || plain::as_problem(response))
            }
            Err(problem) => REQUEST_ID.sync_scope(id.clone(), || closing(problem.into_response())),
        };
        let elapsed = start.elapsed();
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(status = response.status().as_u16(), elapsed_ms, "answered");
        around.metrics.answered(&method, route, response.status(), elapsed);
        response
    };
    let mut response = answer.instrument(span).await;
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A random request id.
fn request_id() -> String {
    let mut bytes = [0; 8];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // Request ids that are not unique only make the log harder to read.
        tracing::warn!(%error, "request ids are not random");
    }
    format!("req_{:016x}", u64::from_be_bytes(bytes))
}

/// Rejects a request for another host name, and an unsafe one from a page of another origin.
fn check_site(around: &Surroundings, request: &Request) -> Result<(), Problem> {
    around.hosts.check(request)?;
    let headers = request.headers();
    encoding::check(headers)?;
    if !request.method().is_safe() && is_cross_site(headers, &around.origins) {
        let detail = "cross-site requests are not allowed from this origin";
        return Err(Problem::new(ProblemCode::CrossSiteRefused, detail));
    }
    Ok(())
}
