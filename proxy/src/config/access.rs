//! Who may ask, from where, and how much.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// How those who ask are known.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum AuthMode {
    /// By API keys of the store, made by `key add`.
    Keys,
    /// By JSON Web Tokens of an issuer whose keys a file holds.
    Jwt,
    /// Not at all; only for loopback addresses.
    #[default]
    None,
}

/// Form of the log.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line.
    Json,
    /// One sentence a line.
    #[default]
    Text,
}

/// Who may ask, and from which pages.
#[derive(Args, Clone, Debug)]
pub struct Access {
    /// How those who ask are known.
    #[arg(long, env = "WHEREFORE_AUTH", value_enum, default_value_t = AuthMode::None)]
    pub auth: AuthMode,

    /// Public keys (JSON Web Key Set) that tokens are checked with; read again when it changes.
    #[arg(long, env = "WHEREFORE_JWKS", value_name = "FILE")]
    pub jwks: Option<PathBuf>,

    /// Issuer that tokens must name.
    #[arg(long, env = "WHEREFORE_JWT_ISSUER", value_name = "TEXT")]
    pub jwt_issuer: Option<String>,

    /// Audience that tokens must name.
    #[arg(long, env = "WHEREFORE_JWT_AUDIENCE", value_name = "TEXT")]
    pub jwt_audience: Option<String>,

    /// Claim that holds the tenant; where a token lacks it, the tenant is `default`.
    #[arg(long, env = "WHEREFORE_JWT_TENANT_CLAIM", value_name = "NAME", default_value = "tenant")]
    pub jwt_tenant_claim: String,

    /// Origin of pages of other sites that may call the interface, such as `https://chat.example`; may be repeated.
    #[arg(long, env = "WHEREFORE_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',')]
    pub allow_origin: Vec<Origin>,
}

/// How much each user may ask, and all together; 0 is no limit.
#[derive(Args, Clone, Debug, Default)]
pub struct LimitOptions {
    /// Questions a minute of each user [default: 60 for users who are known].
    #[arg(long, env = "WHEREFORE_QUESTIONS_PER_MINUTE", value_name = "N")]
    pub questions_per_minute: Option<u32>,

    /// Queries of each user that run at a time [default: 4 for users who are known].
    #[arg(long, env = "WHEREFORE_RUNNING_QUERIES", value_name = "N")]
    pub running_queries: Option<u32>,

    /// Tokens of the language model a day (UTC) of each user [default: no limit].
    #[arg(long, env = "WHEREFORE_TOKENS_PER_DAY", value_name = "N")]
    pub tokens_per_day: Option<u64>,

    /// Requests under way at a time, of all users [default: 1024].
    #[arg(long, env = "WHEREFORE_REQUESTS_AT_ONCE", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub requests_at_once: Option<u32>,
}

/// Scheme, host and port of a page, exactly as browsers send it.
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
            "an origin is a scheme, a host and perhaps a port, such as https://chat.example";
        let text = text.to_ascii_lowercase();
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let host = host.ok_or(expected)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
        if host.is_empty() || !host.bytes().all(is_plain) {
            return Err(expected);
        }
        if host.contains('*') {
            return Err("origins are listed one by one, without *");
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
