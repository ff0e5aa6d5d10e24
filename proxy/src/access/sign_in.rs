//! `GET sign-in`, `POST sign-in` and `POST sign-out`: sign-in of a browser with an API key.

use std::time::Duration;

use axum::extract::{Form, State};
use axum::http::{Extensions, HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;

use super::authenticate::{PAGE, STYLE_PATH, find_key};
use super::cookie::{cookie, set_cookie};
use super::{Gate, keys};
use crate::identity::Identity;
use crate::metrics::SignInRefusal;
use crate::problem::Problem;
use crate::store::ApiKey;

/// Maximum lifetime of a sign-in.
const LIFETIME: Duration = Duration::from_hours(7 * 24);
const PAGE_HTML: &str = include_str!("../../data/sign_in.html");
const STYLE: &str = include_str!("../../data/sign_in.css");
/// Placeholder of the notice on the page.
const NOTICE: &str = "<!-- notice -->";
const INVALID: &str = "<p role=\"alert\">This API key is not valid.</p>";
/// Notice for users who are signed in.
const SIGN_OUT: &str = include_str!("../../data/sign_out.html");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    key: String,
}

/// Sign-in pages, which exist only if API keys are used.
pub(crate) fn router() -> Router<Gate> {
    Router::new()
        .route(PAGE, get(page).post(sign_in))
        .route(STYLE_PATH, get(style))
        .route("/sign-out", post(sign_out))
}

async fn page(identity: Option<Extension<Identity>>) -> Response {
    html(StatusCode::OK, if identity.is_some() { SIGN_OUT } else { "" })
}

async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

async fn sign_in(
    State(gate): State<Gate>,
    extensions: Extensions,
    headers: HeaderMap,
    form: Result<Form<SignIn>, axum::extract::rejection::FormRejection>,
) -> Result<Response, Problem> {
    let key = form.map_or_else(|_| String::new(), |Form(form)| form.key);
    let Some(key) = find_key(&gate, key.trim()).await? else {
        gate.metrics.sign_in_refused(SignInRefusal::WrongKey);
        gate.access.attempts.failed(&extensions)?;
        return Ok(html(StatusCode::UNAUTHORIZED, INVALID));
    };
    // Every sign-in gets a new id, so that an id planted in the browser cannot be used (session fixation).
    if let Some(before) = cookie(&headers) {
        gate.store.delete_sign_in(&keys::digest(&before)).await?;
    }
    let id = keys::new_sign_in().map_err(Problem::internal)?;
    let lifetime = key.time_left().map_or(LIFETIME, |left| left.min(LIFETIME));
    let ApiKey { id: key, tenant, user, .. } = key;
    let hash = keys::digest(&id);
    gate.store.add_sign_in(&hash, Some(&key), &tenant, user.as_deref(), lifetime).await?;
    gate.store.touch_key(&key).await?;
    Ok((set_cookie(&headers, &id, lifetime), Redirect::to("/")).into_response())
}

async fn sign_out(State(gate): State<Gate>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(id) = cookie(&headers) {
        gate.store.delete_sign_in(&keys::digest(&id)).await?;
    }
    Ok((set_cookie(&headers, "", Duration::ZERO), Redirect::to(PAGE)).into_response())
}

/// The sign-in page with a notice, which is a constant of this file.
fn html(status: StatusCode, notice: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        // With `no-referrer`, browsers send the origin of a form as `null`.
        (header::REFERRER_POLICY, "same-origin"),
    ];
    (status, headers, PAGE_HTML.replace(NOTICE, notice)).into_response()
}
