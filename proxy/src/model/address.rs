//! Address of the language model: configured by the operator, and checked to prevent access to internal services
//! (SSRF).

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Url, redirect};

/// Connect timeout.
const CONNECT: Duration = Duration::from_secs(2);

/// Checked URL of the endpoint, without a trailing slash.
pub(super) fn checked(text: &str, private: bool) -> Result<Url, String> {
    let mut url: Url =
        text.parse().map_err(|error| format!("invalid model address {text}: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "the model address must not contain a user or password: use --llm-key-file".to_owned()
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("the model address must not have a query or fragment".to_owned());
    }
    let host = url.host().map(|host| host.to_string()).unwrap_or_default();
    let literal: Option<IpAddr> =
        host.trim_start_matches('[').trim_end_matches(']').parse().ok().map(unmapped);
    let loopback = literal.is_some_and(|ip| ip.is_loopback()) || host == "localhost";
    match url.scheme() {
        "https" => {}
        "http" if loopback || private => {}
        "http" => {
            return Err(format!(
                "model address {host} is not on this machine: use https, or set --llm-private"
            ));
        }
        other => {
            return Err(format!("model address: unsupported scheme {other}; use http or https"));
        }
    }
    if let Some(ip) = literal
        && !loopback
        && !is_reachable(ip, private)
    {
        return Err(format!(
            "model address {host} is in a private or reserved network: set --llm-private to allow it"
        ));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

/// Client of a model's server, which follows no redirects and reaches no internal service.
pub(super) fn client(private: bool) -> Result<Client, String> {
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        tracing::debug!("a TLS crypto provider is already installed");
    }
    Client::builder()
        .connect_timeout(CONNECT)
        .redirect(redirect::Policy::none())
        .dns_resolver(Resolver { private })
        .user_agent(concat!("wherefore/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| format!("cannot create the HTTP client for the model: {error}"))
}

/// DNS resolver that removes addresses that must not be reached.
pub(super) struct Resolver {
    pub(super) private: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let private = self.private;
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let local = host == "localhost";
            let found = tokio::net::lookup_host((host.as_str(), 0)).await?;
            let reachable: Vec<SocketAddr> = found
                .filter(|address| {
                    local && address.ip().is_loopback() || is_reachable(address.ip(), private)
                })
                .collect();
            if reachable.is_empty() {
                return Err(format!("{host} has no address that is allowed").into());
            }
            Ok(Box::new(reachable.into_iter()) as Addrs)
        })
    }
}

/// Whether an address may be reached: never link-local ones, which cloud metadata services use; private ones if
/// allowed.
fn is_reachable(ip: IpAddr, private: bool) -> bool {
    let ip = unmapped(ip);
    let link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    if link_local || ip.is_unspecified() || ip.is_multicast() {
        return false;
    }
    let inner = match ip {
        IpAddr::V4(ip) => ip.is_private() || ip.is_loopback() || ip.is_broadcast() || is_shared(ip),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    };
    private || !inner
}

/// Shared address space of carriers (RFC 6598), and 0.0.0.0/8.
fn is_shared(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    first == 0 || first == 100 && (64..128).contains(&second)
}

/// Converts an IPv4-mapped IPv6 address to IPv4.
fn unmapped(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V6(ip) => ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4),
        IpAddr::V4(_) => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_or_local_addresses_are_taken() {
        for (address, private, taken) in [
            ("https://api.example.com/v1", false, true),
            ("http://127.0.0.1:11434/v1", false, true),
            ("http://localhost:11434/v1/", false, true),
            ("http://[::1]:8000", false, true),
            ("http://api.example.com/v1", false, false),
            ("http://gpu.internal/v1", true, true),
            ("https://10.1.2.3/v1", false, false),
            ("https://10.1.2.3/v1", true, true),
            ("https://169.254.169.254/latest", true, false),
            ("https://[::ffff:169.254.169.254]/", true, false),
            ("https://[::ffff:10.0.0.1]/", false, false),
            ("https://2852039166/", true, false),
            ("https://0xa9.0xfe.0xa9.0xfe/", true, false),
            ("https://0.0.0.0/", true, false),
            ("https://key:secret@api.example.com/v1", false, false),
            ("https://api.example.com/v1?key=secret", false, false),
            ("ftp://api.example.com", false, false),
            ("api.example.com", false, false),
        ] {
            let checked = checked(address, private);
            assert_eq!(checked.is_ok(), taken, "{address}: {checked:?}");
            assert!(!format!("{checked:?}").contains("secret"), "{address}");
        }
    }
}
