//! Connection parameters from the URL of a MySQL or MariaDB server.

use std::path::PathBuf;

use mysql_async::{Opts, OptsBuilder, SslOpts};
use reqwest::Url;

use crate::database::{DatabaseAddress, DatabaseError};

/// Maximum size of one row that the server sends, in bytes.
const ROW_BYTES: usize = 64 << 20;
/// Time after which a connection is probed.
const IDLE: std::time::Duration = std::time::Duration::from_secs(30);

/// How to connect to a server.
#[derive(Clone, Debug)]
pub(super) struct Login {
    /// Name of the database.
    pub(super) database: String,
    plain: Opts,
    encrypted: Option<Opts>,
    requires_tls: bool,
}

/// Values of `ssl-mode`, as MySQL names them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum SslMode {
    Disabled,
    Preferred,
    Required,
    VerifyCa,
    VerifyIdentity,
}

impl SslMode {
    fn of(text: &str) -> Option<Self> {
        Some(match text.to_ascii_lowercase().replace('-', "_").as_str() {
            "disabled" => Self::Disabled,
            "preferred" => Self::Preferred,
            "required" => Self::Required,
            "verify_ca" => Self::VerifyCa,
            "verify_identity" => Self::VerifyIdentity,
            _ => return None,
        })
    }
}

impl Login {
    /// Parameters of an address. `MYSQL_PWD` supplies a missing password.
    pub(super) fn of(address: &DatabaseAddress) -> Result<Self, DatabaseError> {
        let invalid = |reason: String| {
            DatabaseError::Unavailable(format!("{address}: invalid address: {reason}"))
        };
        let url = address.mysql_url();
        let parsed = Url::parse(&url).map_err(|error| invalid(error.to_string()))?;
        let (mut mode, mut socket, mut authorities) = (SslMode::Preferred, None, None);
        for (name, value) in parsed.query_pairs() {
            match name.as_ref() {
                "socket" => socket = Some(value.into_owned()),
                "ssl-ca" => authorities = Some(PathBuf::from(value.as_ref())),
                "ssl-mode" => {
                    mode = SslMode::of(&value).ok_or_else(|| {
                        invalid(
                            "ssl-mode must be disabled, preferred, required, verify_ca or \
                             verify_identity"
                                .to_owned(),
                        )
                    })?;
                }
                _ => {
                    let reason =
                        format!("unknown parameter {name}; known are socket, ssl-ca, ssl-mode");
                    return Err(invalid(reason));
                }
            }
        }
        let base = url.split('?').next().unwrap_or(&url);
        let read = Opts::from_url(base).map_err(|error| invalid(error.to_string()))?;
        let Some(database) = read.db_name().filter(|name| !name.is_empty()).map(str::to_owned)
        else {
            return Err(invalid("the name of a database is missing".to_owned()));
        };
        if read.user().is_none_or(str::is_empty) {
            return Err(invalid("the name of a user is missing".to_owned()));
        }
        let password = read.pass().filter(|password| !password.is_empty()).map(str::to_owned);
        let password = password.or_else(|| std::env::var("MYSQL_PWD").ok());
        let has_socket = socket.is_some();
        let builder = OptsBuilder::from_opts(read)
            .pass(password)
            .socket(socket)
            .prefer_socket(false)
            .tcp_keepalive(Some(IDLE))
            .max_allowed_packet(Some(ROW_BYTES))
            // Given, so that connecting does not ask the server for it; the pool of this crate does not use it.
            .wait_timeout(Some(28_800));
        let encrypted = (mode != SslMode::Disabled && !has_socket)
            .then(|| Opts::from(builder.clone().ssl_opts(tls(mode, authorities))));
        let requires_tls = !has_socket && !matches!(mode, SslMode::Disabled | SslMode::Preferred);
        Ok(Self { database, plain: Opts::from(builder), encrypted, requires_tls })
    }

    /// Parameters for an encrypted connection, if one is to be tried.
    pub(super) fn encrypted(&self) -> Option<Opts> {
        self.encrypted.clone()
    }

    /// Parameters for a connection without TLS, if it is allowed.
    pub(super) fn plain(&self) -> Option<Opts> {
        (!self.requires_tls).then(|| self.plain.clone())
    }
}

fn tls(mode: SslMode, authorities: Option<PathBuf>) -> SslOpts {
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        tracing::debug!("a TLS crypto provider is already installed");
    }
    let roots = if let Some(path) = authorities {
        vec![path.into()]
    } else {
        let found = rustls_native_certs::load_native_certs();
        found.certs.into_iter().map(|certificate| certificate.to_vec().into()).collect()
    };
    // As with MySQL's own client, only the verifying modes check the certificate, which is self-signed by default.
    SslOpts::default()
        .with_root_certs(roots)
        .with_disable_built_in_roots(true)
        .with_danger_accept_invalid_certs(matches!(mode, SslMode::Preferred | SslMode::Required))
        .with_danger_skip_domain_validation(mode != SslMode::VerifyIdentity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(address: &str) -> Result<Login, DatabaseError> {
        Login::of(&DatabaseAddress::new(address))
    }

    #[test]
    fn addresses_have_a_user_a_database_and_known_parameters() {
        let read = login("mariadb://ann:s%40t@db.example:3307/shop?ssl-mode=REQUIRED").unwrap();
        assert_eq!(read.database, "shop");
        assert_eq!(read.encrypted().unwrap().user(), Some("ann"));
        assert_eq!(read.encrypted().unwrap().pass(), Some("s@t"));
        assert_eq!(read.encrypted().unwrap().tcp_port(), 3307);
        assert!(read.plain().is_none(), "TLS is required");
        let read =
            login("mysql://ann@localhost/shop?socket=%2Frun%2Fmysqld%2Fmysqld.sock").unwrap();
        assert_eq!(read.plain().unwrap().socket(), Some("/run/mysqld/mysqld.sock"));
        assert!(read.encrypted().is_none(), "a socket needs no TLS");
        for (address, reason) in [
            ("mysql://ann@localhost", "name of a database"),
            ("mysql://localhost/shop", "name of a user"),
            ("mysql://ann@localhost/shop?ssl-mode=maybe", "ssl-mode must be"),
            ("mysql://ann:s3cr3t@localhost/shop?tls=on", "unknown parameter tls"),
            ("mysql://ann@local host/shop", "invalid address"),
        ] {
            let error = login(address).unwrap_err().to_string();
            assert!(error.contains(reason) && !error.contains("s3cr3t"), "{error}");
        }
    }
}
