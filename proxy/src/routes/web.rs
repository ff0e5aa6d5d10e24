//! The built web app: its files, and its page for every other path (single-page application).

use std::path::Path;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

use super::fallback::unknown_route;

pub(crate) fn router(folder: &Path) -> Router {
    let page = ServeFile::new(folder.join("index.html"));
    let fallback = tower::service_fn(move |request: Request| {
        let page = page.clone();
        async move {
            let path = request.uri().path();
            let names_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
            if names_file || path.starts_with("/api/") {
                return Ok(unknown_route(request.uri().clone()).await.into_response());
            }
            page.oneshot(request).await.map(IntoResponse::into_response)
        }
    });
    let files = ServeDir::new(folder).precompressed_br().precompressed_gzip().fallback(fallback);
    Router::new().fallback_service(files).layer(middleware::from_fn(cache))
}

/// Caches files with a content hash in their name forever; everything else is revalidated.
async fn cache(request: Request, next: Next) -> Response {
    let hashed = has_hash(request.uri().path());
    let mut response = next.run(request).await;
    if response.status().is_success() {
        let value = if hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
    }
    response
}

/// Whether a file name has a hash of 16 hexadecimal digits before its extension, such as
/// `app-0123456789abcdef_bg.wasm`.
fn has_hash(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.strip_suffix("_bg").unwrap_or(stem);
    stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::has_hash;

    #[test]
    fn only_hashed_names_are_kept() {
        assert!(has_hash("/wherefore-web-0123456789abcdef_bg.wasm"));
        assert!(has_hash("/core-0123456789abcdef.js"));
        assert!(has_hash("/words-0123456789abcdef.txt"));
        assert!(has_hash("/styles-0123456789abcdef.css"));
        assert!(!has_hash("/index.html"));
        assert!(!has_hash("/"));
        assert!(!has_hash("/boot-loader.js"));
    }
}
