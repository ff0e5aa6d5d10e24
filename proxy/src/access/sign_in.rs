//! `GET sign-in`, `POST sign-in` and `POST sign-out`: a browser's sign-in with an API key.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::extract::{ConnectInfo, Form, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use cookie::{Cookie, SameSite};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::Deserialize;

use super::{keys, layer};
use crate::caller::Identity;
use crate::headers::is_own_machine;
use crate::problem::Problem;
use crate::state::AppState;
use crate::store::ApiKey;

/// Where one signs in.
pub(super) const PAGE: &str = "/sign-in";
/// What belongs to signing in.
pub(super) const PATHS: [&str; 2] = [PAGE, "/sign-in.css"];
/// Time without a request after which a sign-in ends.
pub(super) const IDLE: Duration = Duration::from_hours(8);
/// Time after which a sign-in ends in any case.
const LIFETIME: Duration = Duration::from_hours(7 * 24);
/// Sign-ins a minute that one address may try and fail.
const FAILURES: NonZeroU32 = NonZeroU32::new(10).unwrap();

const PAGE_HTML: &str = include_str!("../../data/sign_in.html");
const STYLE: &str = include_str!("../../data/sign_in.css");
/// Where the page says what has happened.
const NOTICE: &str = "<!-- notice -->";
const INVALID: &str = "<p role=\"alert\">This key is not valid.</p>";
/// For those who are signed in.
const SIGN_OUT: &str = include_str!("../../data/sign_out.html");

/// Sign-ins that failed, by address.
#[derive(Debug)]
pub(crate) struct Attempts(DefaultKeyedRateLimiter<IpAddr>);

impl Default for Attempts {
    fn default() -> Self {
        Self(RateLimiter::keyed(Quota::per_minute(FAILURES)))
    }
}

impl Attempts {
    /// Counts a failure; the seconds to wait, where there were too many.
    fn failed(&self, address: IpAddr) -> Result<(), u64> {
        self.0
            .check_key(&address)
            .map_err(|early| early.wait_time_from(DefaultClock::default().now()).as_secs() + 1)
    }

    /// Forgets addresses that may try again.
    pub(crate) fn sweep(&self) {
        self.0.retain_recent();
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    key: String,
}

/// The pages of signing in; they are there only where API keys are used.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route(PAGE, get(page).post(sign_in))
        .route(PATHS[1], get(style))
        .route("/sign-out", post(sign_out))
}

async fn page(identity: Option<Extension<Identity>>) -> Response {
    html(StatusCode::OK, if identity.is_some() { SIGN_OUT } else { "" })
}

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

async fn sign_in(
    State(state): State<AppState>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    form: Result<Form<SignIn>, axum::extract::rejection::FormRejection>,
) -> Result<Response, Problem> {
    let address = address
        .map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |Extension(ConnectInfo(address))| address.ip());
    let key = form.map(|Form(form)| form.key).unwrap_or_default();
    let Some(key) = layer::find_key(&state, key.trim()).await? else {
        state.metrics.sign_in_refused("wrong_key");
        if let Err(seconds) = state.access.attempts.failed(address) {
            let detail = "too many sign-ins failed: a pause is needed";
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_sign_ins", detail);
            return Err(problem.retry_after(seconds));
        }
        return Ok(html(StatusCode::UNAUTHORIZED, INVALID));
    };
    // A sign-in always gets an id of its own: one that was planted before it signs nobody in.
    if let Some(before) = cookie(&headers) {
        state.store.delete_sign_in(&keys::digest(&before)).await?;
    }
    let id = keys::new_sign_in().map_err(Problem::internal)?;
    let lifetime = key.time_left().map_or(LIFETIME, |left| left.min(LIFETIME));
    let ApiKey { id: key, tenant, user, .. } = key;
    let hash = keys::digest(&id);
    state.store.add_sign_in(&hash, Some(&key), &tenant, user.as_deref(), lifetime).await?;
    state.store.touch_key(&key).await?;
    Ok((set_cookie(&headers, &id, lifetime), Redirect::to("/")).into_response())
}

async fn sign_out(State(state): State<AppState>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(id) = cookie(&headers) {
        state.store.delete_sign_in(&keys::digest(&id)).await?;
    }
    Ok((set_cookie(&headers, "", Duration::ZERO), Redirect::to(PAGE)).into_response())
}

/// The page with a notice of this file.
fn html(status: StatusCode, notice: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        // Under `no-referrer`, browsers send a form's origin as `null`.
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (status, headers, PAGE_HTML.replace(NOTICE, notice)).into_response()
}

/// The id of a sign-in that the request bears.
pub(super) fn cookie(headers: &HeaderMap) -> Option<String> {
    let name = name(headers);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
        .filter(|id| keys::is_sign_in(id))
}

fn set_cookie(
    headers: &HeaderMap,
    id: &str,
    lifetime: Duration,
) -> [(header::HeaderName, HeaderValue); 1] {
    let name = name(headers);
    let seconds = i64::try_from(lifetime.as_secs()).unwrap_or_default();
    let cookie = Cookie::build((name, id.to_owned()))
        .http_only(true)
        .secure(name.starts_with("__Host-"))
        .same_site(SameSite::Lax)
        .path("/")
        .max_age(cookie::time::Duration::seconds(seconds))
        .build();
    let value = HeaderValue::from_str(&cookie.to_string());
    [(header::SET_COOKIE, value.unwrap_or(HeaderValue::from_static("")))]
}

/// Browsers take a `__Host-` cookie over https only; names of this machine are used without it.
fn name(headers: &HeaderMap) -> &'static str {
    if is_own_machine(headers) { "wherefore" } else { "__Host-wherefore" }
}
