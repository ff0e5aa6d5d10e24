//! The cookie of a sign-in.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};

use super::keys;
use crate::hosts::is_own_machine;

/// Id of a sign-in in the cookies of a request.
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

/// Header that sets the cookie. An empty id with a lifetime of zero removes it.
pub(super) fn set_cookie(
    headers: &HeaderMap,
    id: &str,
    lifetime: Duration,
) -> [(header::HeaderName, HeaderValue); 1] {
    let name = name(headers);
    let seconds = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
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

/// Name of the cookie. Browsers accept the `__Host-` prefix over HTTPS only, so it is left out for local host names.
fn name(headers: &HeaderMap) -> &'static str {
    if is_own_machine(headers) { "wherefore" } else { "__Host-wherefore" }
}
