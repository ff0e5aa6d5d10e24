//! Asks every request who it comes from. What is not on the short list of public pages needs an answer.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::{Authentication, keys, sign_in};
use crate::caller::Identity;
use crate::problem::Problem;
use crate::state::AppState;
use crate::store::ApiKey;

/// What is answered without a sign-in.
const PUBLIC: [&str; 3] = ["/api/v1/health", "/api/v1/openapi.json", "/api/v1/ready"];

/// Puts the identity of the caller into the request's extensions, or refuses the request.
pub(crate) async fn authenticate(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    if !state.access.is_open()
        // In a box: what it needs is gone before the request goes on, and is not held by those that wait.
        && let Some(refused) = Box::pin(refuse(&state, &mut request)).await
    {
        return refused;
    }
    drop(state);
    next.run(request).await
}

/// Answer to a request that may not go on; none where it may, with its identity where it has one.
async fn refuse(state: &AppState, request: &mut Request) -> Option<Response> {
    match identity(state, request.headers()).await {
        Ok(Some(identity)) => {
            request.extensions_mut().insert(identity);
            return None;
        }
        Ok(None) => {}
        Err(problem) => return Some(problem.into_response()),
    }
    let has_page = matches!(state.access.authentication, Authentication::Keys);
    let path = request.uri().path();
    if PUBLIC.contains(&path) || (has_page && sign_in::PATHS.contains(&path)) {
        return None;
    }
    if has_page && opens_a_page(request) {
        return Some(Redirect::to(sign_in::PAGE).into_response());
    }
    state.metrics.sign_in_refused(if request.headers().contains_key(header::AUTHORIZATION) {
        "wrong_credentials"
    } else {
        "no_credentials"
    });
    Some(not_signed_in().into_response())
}

/// The problem document of a request whose caller is unknown.
pub(crate) fn not_signed_in() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "not_signed_in",
        "a valid key or token is needed, as `Authorization: Bearer`, or a sign-in",
    )
}

async fn identity(state: &AppState, headers: &HeaderMap) -> Result<Option<Identity>, Problem> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let Some(secret) = bearer(value) else { return Ok(None) };
        return match &state.access.authentication {
            Authentication::Keys => {
                let Some(key) = find_key(state, secret).await? else { return Ok(None) };
                if !key.is_noted() {
                    state.store.touch_key(&key.id).await?;
                }
                Ok(Some(Identity { tenant: key.tenant, user: key.user }))
            }
            Authentication::Tokens(tokens) => Ok(tokens.identity(secret)),
            Authentication::None => Ok(None),
        };
    }
    match (&state.access.authentication, sign_in::cookie(headers)) {
        (Authentication::Keys, Some(id)) => {
            let signed_in = state.store.use_sign_in(&keys::digest(&id), sign_in::IDLE).await?;
            Ok(signed_in.map(|found| Identity { tenant: found.tenant, user: found.user }))
        }
        _ => Ok(None),
    }
}

/// What is kept of an API key that is in force.
pub(super) async fn find_key(state: &AppState, key: &str) -> Result<Option<ApiKey>, Problem> {
    if !keys::is_key(key) {
        return Ok(None);
    }
    Ok(state.store.find_key(&keys::digest(key)).await?)
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, secret) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// Whether a person opens a page, who then can be shown where to sign in.
fn opens_a_page(request: &Request) -> bool {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let navigates = text("sec-fetch-mode").map_or_else(
        || text("accept").is_some_and(|types| types.contains("text/html")),
        |mode| mode == "navigate",
    );
    request.method() == Method::GET && !request.uri().path().starts_with("/api/") && navigates
}
