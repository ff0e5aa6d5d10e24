//! What is checked and added around every request.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use crate::problem::{Problem, REQUEST_ID};

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

/// Adds the security headers.
pub(crate) async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Gives the request an id, which the answer, its problem document and the log share.
pub(crate) async fn identify(request: Request, next: Next) -> Response {
    let mut bytes = [0; 8];
    // Without a random source ids are not unique, which only makes the log harder to read.
    let _ = getrandom::fill(&mut bytes);
    let id = format!("req_{:016x}", u64::from_be_bytes(bytes));
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let start = std::time::Instant::now();
    let answer = async {
        let response = REQUEST_ID.scope(id.clone(), next.run(request)).await;
        let elapsed_ms = start.elapsed().as_millis();
        tracing::info!(status = response.status().as_u16(), elapsed_ms, "answered");
        response
    };
    let mut response = answer.instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HeaderName::from_static("x-request-id"), value);
    }
    response
}

/// Host names that are answered; a page of another name that resolves to this machine is not.
#[derive(Clone, Debug)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The names of this machine, and these.
    pub fn new(more: &[String]) -> Self {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        Self(own.into_iter().chain(more.iter().map(|name| name.to_lowercase())).collect())
    }

    fn allows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else { return true };
        let Ok(host) = host.to_str() else { return false };
        let host = host.to_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &host,
        };
        self.0.iter().any(|allowed| allowed == name)
    }
}

/// Refuses requests by other host names, and writing requests by pages of other sites.
pub(crate) async fn same_site(
    State(hosts): State<AllowedHosts>,
    request: Request<Body>,
    next: Next,
) -> Response {
    if !hosts.allows(request.headers()) {
        return Problem::new(
            StatusCode::FORBIDDEN,
            "host_refused",
            "host name is not answered here",
        )
        .into_response();
    }
    let site = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
    if !request.method().is_safe() && matches!(site, Some("cross-site" | "same-site")) {
        return Problem::new(
            StatusCode::FORBIDDEN,
            "cross_site_refused",
            "request comes from another site",
        )
        .into_response();
    }
    next.run(request).await
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
}
