//! What is checked and added around every request.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowCredentials, AllowOrigin, CorsLayer};
use tracing::Instrument;

use crate::admission::{self, Place};
use crate::config::Origin;
use crate::metrics;
use crate::problem::{Problem, REQUEST_ID};
use crate::state::AppState;

/// Policy of the web app: its own files only, Wasm allowed.
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

/// Everything that stands around a request, in one layer: each would hold the request on its own.
///
/// It gets an id, which the answer, its problem document and the log share, and is counted; the log holds the router's
/// template of the path, as a path may hold the id of a person. Requests beyond those that may be under way are
/// refused, as are those by other host names and writing ones by pages of other sites.
pub(crate) async fn surround(
    State((hosts, state)): State<(AllowedHosts, AppState)>,
    request: Request,
    next: Next,
) -> Response {
    let mut bytes = [0; 8];
    // Without a random source ids are not unique, which only makes the log harder to read.
    let _ = getrandom::fill(&mut bytes);
    let id = format!("req_{:016x}", u64::from_be_bytes(bytes));
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
    let admitted = admit(&hosts, &state, &request);
    let answer = async {
        let response = match admitted {
            Ok(place) => {
                let response = REQUEST_ID.scope(id.clone(), next.run(request)).await;
                admission::hold(&state, place, response)
            }
            Err(problem) => REQUEST_ID.sync_scope(id.clone(), || problem.into_response()),
        };
        let elapsed = start.elapsed();
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        tracing::info!(status = response.status().as_u16(), elapsed_ms, "answered");
        state.metrics.answered(&method, route, response.status(), elapsed);
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

fn admit(hosts: &AllowedHosts, state: &AppState, request: &Request) -> Result<Place, Problem> {
    let place = admission::place(state, request)?;
    refused_site(hosts, state, request).map_or(Ok(place), Err)
}

/// Names of this machine.
const OWN: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Host names that are answered; a page of another name that resolves to this machine is not.
#[derive(Clone, Debug)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The names of this machine, and these.
    pub fn new(more: &[String]) -> Self {
        let own = OWN.map(str::to_owned);
        Self(own.into_iter().chain(more.iter().map(|name| name.to_lowercase())).collect())
    }

    fn allows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else { return true };
        let Ok(host) = host.to_str() else { return false };
        let host = host.to_lowercase();
        self.0.iter().any(|allowed| allowed == without_port(&host))
    }
}

/// Whether a request is for a name of this machine.
pub(crate) fn is_own_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.is_none_or(|host| OWN.contains(&without_port(&host.to_lowercase())))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Answers for pages of the listed origins, with credentials, and for those of no other.
pub(crate) fn cross_origin(origins: &[Origin]) -> CorsLayer {
    let listed: Vec<HeaderValue> =
        origins.iter().filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok()).collect();
    let with_credentials = listed.clone();
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(listed))
        .allow_credentials(AllowCredentials::predicate(move |origin, _| {
            with_credentials.contains(origin)
        }))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
            HeaderName::from_static("mcp-protocol-version"),
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            HeaderName::from_static("x-request-id"),
        ])
        .max_age(std::time::Duration::from_mins(10))
}

/// Whether a page of another site sends the request, which is not listed.
fn is_cross_site(headers: &HeaderMap, origins: &[Origin]) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("null"));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let Some(origin) = text(header::ORIGIN) else {
        return matches!(site, Some("cross-site" | "same-site"));
    };
    if origins.iter().any(|listed| listed.as_str() == origin) {
        return false;
    }
    let is_own = match origin.split_once("://") {
        Some(("http" | "https", authority)) => text(header::HOST) == Some(authority),
        // A browser that keeps the origin to itself still says whether it is the same.
        _ => site == Some("same-origin"),
    };
    !is_own || matches!(site, Some("cross-site" | "same-site"))
}

/// Why a request is refused that is for another host name, or that writes and comes from a page of another site.
fn refused_site(hosts: &AllowedHosts, state: &AppState, request: &Request) -> Option<Problem> {
    if !hosts.allows(request.headers()) {
        return Some(Problem::new(
            StatusCode::FORBIDDEN,
            "host_refused",
            "host name is not answered here",
        ));
    }
    if !request.method().is_safe() && is_cross_site(request.headers(), &state.access.origins) {
        return Some(Problem::new(
            StatusCode::FORBIDDEN,
            "cross_site_refused",
            "request comes from another site",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let hosts = AllowedHosts::new(&["Chat.Example".to_owned()]);
        for (host, expected) in [
            ("localhost:8080", true),
            ("127.0.0.1", true),
            ("[::1]:8080", true),
            ("[::1]", true),
            ("chat.example", true),
            ("evil.example:8080", false),
            ("localhost.evil.example", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
            assert_eq!(hosts.allows(&headers), expected, "{host}");
        }
    }

    #[test]
    fn writing_requests_come_from_own_and_listed_pages_only() {
        let listed: Vec<Origin> = vec!["https://chat.example".parse().unwrap()];
        for (origin, site, expected) in [
            (None, None, false),
            (None, Some("none"), false),
            (None, Some("same-origin"), false),
            (None, Some("same-site"), true),
            (None, Some("cross-site"), true),
            (Some("http://localhost:8080"), None, false),
            (Some("http://localhost:8080"), Some("same-origin"), false),
            (Some("http://localhost:8080"), Some("cross-site"), true),
            (Some("http://localhost:9090"), None, true),
            (Some("http://localhost:9090"), Some("same-site"), true),
            (Some("https://chat.example"), Some("cross-site"), false),
            (Some("https://chat.example.evil"), Some("cross-site"), true),
            (Some("http://chat.example"), None, true),
            (Some("null"), None, true),
            (Some("null"), Some("same-origin"), false),
            (Some("null"), Some("cross-site"), true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost:8080"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
            }
            if let Some(site) = site {
                headers.insert("sec-fetch-site", HeaderValue::from_str(site).unwrap());
            }
            assert_eq!(is_cross_site(&headers, &listed), expected, "{origin:?} {site:?}");
        }
    }
}
