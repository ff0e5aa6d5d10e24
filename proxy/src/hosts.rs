//! Host names that requests may be sent to.

use axum::http::{HeaderMap, header};

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

    pub(crate) fn allows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else { return true };
        let Ok(host) = host.to_str() else { return false };
        let host = host.to_lowercase();
        self.0.iter().any(|allowed| allowed == without_port(&host))
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
    use axum::http::HeaderValue;

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
