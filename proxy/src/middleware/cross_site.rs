//! Requests from pages of other origins: CORS, and protection against cross-site request forgery.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowCredentials, AllowOrigin, CorsLayer};

use crate::config::Origin;

/// CORS layer that allows the listed origins, with credentials.
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
            HeaderName::from_static("x-wherefore-cut-cells"),
            HeaderName::from_static("x-wherefore-rows"),
            HeaderName::from_static("x-wherefore-truncated"),
        ])
        .max_age(std::time::Duration::from_mins(10))
}

/// Whether a request was sent by a page of another origin that is not listed.
pub(super) fn is_cross_site(headers: &HeaderMap, origins: &[Origin]) -> bool {
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
        // If the browser hides the origin, `Sec-Fetch-Site` still says whether it is the same.
        _ => site == Some("same-origin"),
    };
    !is_own || matches!(site, Some("cross-site" | "same-site"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
