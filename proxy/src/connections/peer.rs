//! Network address of a client, as far as one client cannot choose it.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

/// IPv4 address, or IPv6 network of 64 bits, in which a client can choose any address.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Peer(IpAddr);

impl Peer {
    /// Peer with this address.
    pub fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                Self(IpAddr::V6(Ipv6Addr::from(network)))
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }

    /// Peer of a request with these extensions; unspecified for requests without a connection.
    pub fn of(extensions: &Extensions) -> Self {
        let address = extensions.get::<ConnectInfo<SocketAddr>>();
        address.map_or_else(Self::default, |ConnectInfo(address)| Self::new(address.ip()))
    }
}

impl Default for Peer {
    /// The peer of a request without a connection.
    fn default() -> Self {
        Self(IpAddr::V6(Ipv6Addr::UNSPECIFIED))
    }
}

#[cfg(test)]
mod tests {
    use super::Peer;

    fn peer(address: &str) -> Peer {
        Peer::new(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_network_are_one_peer() {
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
    }
}
