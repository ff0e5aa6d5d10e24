//! Host names that requests may be sent to.

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Version, header};

use crate::problem::{Problem, ProblemCode};

/// Host names of the local machine.
const OWN: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Allowed values of the `Host` header, which protects against DNS rebinding.
#[derive(Clone, Debug)]
pub struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The names of the local machine, and more.
    pub fn new(more: &[String]) -> Self {
        let own = OWN.map(str::to_owned);
        Self(own.into_iter().chain(more.iter().map(|name| name.to_lowercase())).collect())
    }

    /// Rejects a request whose target is unclear (RFC 9112, section 3.2), or that is for another host name.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Problem> {
        let unclear = |detail: &str| Err(Problem::new(ProblemCode::InvalidHost, detail));
        let mut named = request.headers().get_all(header::HOST).iter();
        let (first, second) = (named.next(), named.next());
        let Some(host) = first else {
            // Before HTTP/1.1, requests had no `Host`.
            return match request.version() {
                Version::HTTP_09 | Version::HTTP_10 => Ok(()),
                _ => unclear("the request has no Host header"),
            };
        };
        if second.is_some() {
            return unclear("the request has more than one Host header");
        }
        let text = host.to_str().ok().filter(|text| text.parse::<Authority>().is_ok());
        let Some(host) = text.filter(|text| !text.contains('@')) else {
            return unclear("the Host header is not a host name with an optional port");
        };
        let target = request.uri().authority();
        if target.is_some_and(|target| !target.as_str().eq_ignore_ascii_case(host)) {
            return unclear("the request target names another host than the Host header");
        }
        let host = host.to_lowercase();
        if self.0.iter().any(|allowed| allowed == without_port(&host)) {
            return Ok(());
        }
        let detail = "this server does not answer for this host name";
        Err(Problem::new(ProblemCode::HostRefused, detail))
    }
}

/// Whether a request is for a name of the local machine.
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

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let hosts = AllowedHosts::new(&["Chat.Example".to_owned()]);
        for (host, expected) in [
            ("localhost:8080", None),
            ("127.0.0.1", None),
            ("[::1]:8080", None),
            ("[::1]", None),
            ("chat.example", None),
            ("evil.example:8080", Some("host_refused")),
            ("localhost.evil.example", Some("host_refused")),
            ("user@localhost", Some("invalid_host")),
            ("local host", Some("invalid_host")),
            ("", Some("invalid_host")),
        ] {
            let request = Request::get("/").header(header::HOST, host).body(Body::empty()).unwrap();
            let refused = hosts.check(&request).err();
            assert_eq!(refused.as_ref().map(Problem::code), expected, "{host}");
        }
    }
}
