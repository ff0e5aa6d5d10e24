//! Middleware that authenticates every request, except for a short list of public pages.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::cookie::cookie;
use super::keys;
use super::rules::{Authentication, Gate};
use crate::connections::{Connection, Peer};
use crate::identity::Identity;
use crate::metrics::SignInRefusal;
use crate::problem::{Problem, ProblemCode};
use crate::rights::Rights;
use crate::store::ApiKey;

/// Path of the sign-in page.
pub(super) const PAGE: &str = "/sign-in";
/// Path of the style sheet of the sign-in page.
pub(super) const STYLE_PATH: &str = "/sign-in.css";
/// Paths that are served without a sign-in, if API keys are used.
const PATHS: [&str; 2] = [PAGE, STYLE_PATH];
/// Idle time after which a sign-in expires.
const IDLE: Duration = Duration::from_hours(8);
/// Paths whose response does not depend on credentials, which are not looked up.
const ALIKE: [&str; 2] = ["/api/v1/health", "/api/v1/openapi.json"];

/// Path that lists details if the caller is known, and is served in any case.
const READY: &str = "/api/v1/ready";

/// Puts the identity of the caller into the extensions of the request, or rejects the request.
pub(crate) async fn authenticate(
    State(gate): State<Gate>,
    mut request: Request,
    next: Next,
) -> Response {
    if !gate.access.is_open()
        && !ALIKE.contains(&request.uri().path())
        // Boxed, so that its state is freed before the handler runs and long requests do not hold it.
        && let Some(refused) = Box::pin(refuse(&gate, &mut request)).await
    {
        return closing(refused);
    }
    drop(gate);
    next.run(request).await
}

/// The response, after which the connection is closed. Requests that were sent in advance are not served.
pub(crate) fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Response to a request that is rejected; `None` if it may continue, with its identity in its extensions.
async fn refuse(gate: &Gate, request: &mut Request) -> Option<Response> {
    let peer = Peer::of(request.extensions());
    let is_ready = request.uri().path() == READY;
    match identity(gate, request.headers(), peer).await {
        Ok(Some((identity, rights))) => {
            if let Some(connection) = request.extensions().get::<Arc<Connection>>() {
                connection.signed_in();
            }
            request.extensions_mut().insert(identity);
            if let Some(rights) = rights {
                request.extensions_mut().insert(rights);
            }
            return None;
        }
        Ok(None) => {}
        // Readiness is told even if the store fails, or if an attack keeps the lookups busy.
        Err(_) if is_ready => return None,
        Err(problem) => return Some(problem.into_response()),
    }
    if let Err(paused) = note_wrong_key(gate, request) {
        gate.metrics.sign_in_refused(SignInRefusal::WrongCredentials);
        return Some(paused.into_response());
    }
    let has_page = matches!(gate.access.authentication, Authentication::Keys);
    let path = request.uri().path();
    if is_ready || (has_page && PATHS.contains(&path)) {
        return None;
    }
    if has_page && opens_a_page(request) {
        return Some(Redirect::to(PAGE).into_response());
    }
    gate.metrics.sign_in_refused(if request.headers().contains_key(header::AUTHORIZATION) {
        SignInRefusal::WrongCredentials
    } else {
        SignInRefusal::NoCredentials
    });
    Some(not_signed_in().into_response())
}

/// Counts a bearer key that is not valid. Over the limit of failed sign-ins, the problem says how long to wait.
///
/// Tokens of an issuer are not counted, since an expired one is no guess.
fn note_wrong_key(gate: &Gate, request: &Request) -> Result<(), Problem> {
    let has_key =
        request.headers().get(header::AUTHORIZATION).is_some_and(|it| bearer(it).is_some());
    let is_guess = has_key && matches!(gate.access.authentication, Authentication::Keys);
    if is_guess {
        return gate.access.attempts.failed(request.extensions());
    }
    Ok(())
}

/// Problem document of a request without valid credentials.
pub(crate) fn not_signed_in() -> Problem {
    Problem::new(
        ProblemCode::NotSignedIn,
        "not signed in; send an API key or token as `Authorization: Bearer`, or open /sign-in",
    )
}

async fn identity(
    gate: &Gate,
    headers: &HeaderMap,
    peer: Peer,
) -> Result<Option<(Identity, Option<Rights>)>, Problem> {
    let without = |identity: Option<Identity>| identity.map(|identity| (identity, None));
    let lookups = &gate.access.lookups;
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let Some(secret) = bearer(value) else { return Ok(None) };
        return match &gate.access.authentication {
            Authentication::Keys => {
                if !keys::is_key(secret) {
                    return Ok(None);
                }
                let digest = keys::digest(secret);
                let lookup = async {
                    let Some(key) = gate.store.find_key(&digest).await? else { return Ok(None) };
                    if !key.is_noted() {
                        gate.store.touch_key(&key.id).await?;
                    }
                    Ok(Some(Identity { tenant: key.tenant, user: key.user }))
                };
                lookups.find(digest, peer, lookup).await.map(without)
            }
            Authentication::Tokens(tokens) => tokens.signed_in(secret),
            Authentication::None => Ok(None),
        };
    }
    match (&gate.access.authentication, cookie(headers)) {
        (Authentication::Keys, Some(id)) => {
            let digest = keys::digest(&id);
            let lookup = async {
                let signed_in = gate.store.use_sign_in(&digest, IDLE).await?;
                Ok(signed_in.map(|found| Identity { tenant: found.tenant, user: found.user }))
            };
            lookups.find(digest, peer, lookup).await.map(without)
        }
        _ => Ok(None),
    }
}

/// The stored record of an active API key.
pub(super) async fn find_key(gate: &Gate, key: &str) -> Result<Option<ApiKey>, Problem> {
    if !keys::is_key(key) {
        return Ok(None);
    }
    Ok(gate.store.find_key(&keys::digest(key)).await?)
}

fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, secret) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// Whether a browser navigates to a page, so that it can be redirected to the sign-in page.
fn opens_a_page(request: &Request) -> bool {
    let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let navigates = text("sec-fetch-mode").map_or_else(
        || text("accept").is_some_and(|types| types.contains("text/html")),
        |mode| mode == "navigate",
    );
    request.method() == Method::GET && !request.uri().path().starts_with("/api/") && navigates
}
