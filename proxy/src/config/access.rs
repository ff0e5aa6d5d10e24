//! Options for authentication, allowed origins, limits and logging.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// How users are authenticated.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum AuthMode {
    /// By API keys, which `key add` creates in the store.
    Keys,
    /// By JSON Web Tokens, verified with the public keys in a file.
    Jwt,
    /// No authentication; only for loopback addresses.
    #[default]
    None,
}

/// Format of the log.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object per line.
    Json,
    /// One sentence per line.
    #[default]
    Text,
}

/// Options for authentication and cross-origin requests.
#[derive(Args, Clone, Debug)]
pub struct Access {
    /// How users are authenticated.
    #[arg(long, env = "WHEREFORE_AUTH", value_enum, default_value_t = AuthMode::None)]
    pub auth: AuthMode,

    /// File with the public keys (JSON Web Key Set) that verify tokens; reloaded when it changes.
    #[arg(long, env = "WHEREFORE_JWKS", value_name = "FILE")]
    pub jwks: Option<PathBuf>,

    /// Required issuer (`iss`) of tokens.
    #[arg(long, env = "WHEREFORE_JWT_ISSUER", value_name = "TEXT")]
    pub jwt_issuer: Option<String>,

    /// Required audience (`aud`) of tokens.
    #[arg(long, env = "WHEREFORE_JWT_AUDIENCE", value_name = "TEXT")]
    pub jwt_audience: Option<String>,

    /// Claim that contains the tenant; tokens without it belong to tenant `default`.
    #[arg(long, env = "WHEREFORE_JWT_TENANT_CLAIM", value_name = "NAME", default_value = "tenant")]
    pub jwt_tenant_claim: String,

    /// Origin whose pages may call the API (CORS), such as `https://chat.example`; may be repeated.
    #[arg(long, env = "WHEREFORE_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<Origin>,
}

/// Rate and concurrency limits; where 0 is allowed, it means no limit.
#[derive(Args, Clone, Debug)]
pub struct LimitOptions {
    /// Questions per minute and user [default: 60 for authenticated users].
    #[arg(long, env = "WHEREFORE_QUESTIONS_PER_MINUTE", value_name = "N")]
    pub questions_per_minute: Option<u32>,

    /// Concurrent queries per user [default: 4 for authenticated users].
    #[arg(long, env = "WHEREFORE_RUNNING_QUERIES", value_name = "N")]
    pub running_queries: Option<u32>,

    /// Tokens of the language model per user and day (UTC) [default: no limit].
    #[arg(long, env = "WHEREFORE_TOKENS_PER_DAY", value_name = "N")]
    pub tokens_per_day: Option<u64>,

    /// Concurrent requests of all users, of which one user can have at most three quarters [default: 1024].
    #[arg(long, env = "WHEREFORE_REQUESTS_AT_ONCE", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub requests_at_once: Option<u32>,

    /// Open connections of clients, at most what the limit of file descriptors allows.
    #[arg(long, env = "WHEREFORE_OPEN_CONNECTIONS", value_name = "N", default_value_t = OPEN_CONNECTIONS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub open_connections: u32,

    /// Seconds after which a response that its client does not read is aborted, with its statement.
    #[arg(long, env = "WHEREFORE_STALLED_SECONDS", value_name = "N", default_value_t = STALLED_SECONDS, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub stalled_seconds: u32,
}

/// Default limit of open connections.
const OPEN_CONNECTIONS: u32 = 8_192;
/// Default time after which an unread response is aborted.
const STALLED_SECONDS: u32 = 10;

impl Default for LimitOptions {
    fn default() -> Self {
        Self {
            questions_per_minute: None,
            running_queries: None,
            tokens_per_day: None,
            requests_at_once: None,
            open_connections: OPEN_CONNECTIONS,
            stalled_seconds: STALLED_SECONDS,
        }
    }
}

/// An origin: scheme, host and port of a page, exactly as browsers send it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Origin(String);

impl Origin {
    /// The text, such as `https://chat.example`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected =
            "an origin is a scheme, a host and an optional port, such as https://chat.example";
        let text = text.to_ascii_lowercase();
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let host = host.ok_or(expected)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_plain) {
            return Err(expected);
        }
        if host.contains('*') {
            return Err("wildcards are not supported; list each origin");
        }
        Ok(Self(text))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_origins_are_taken() {
        for origin in ["https://chat.example", "http://localhost:3000", "https://[::1]:8443"] {
            assert_eq!(origin.parse::<Origin>().unwrap().as_str(), origin);
        }
        for other in [
            "*",
            "null",
            "chat.example",
            "https://",
            "https://*.example",
            "https://a/b",
            "https://u@a",
        ] {
            assert!(other.parse::<Origin>().is_err(), "{other}");
        }
    }
}
