//! Address of a database, which may contain a password.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

#[cfg(unix)]
use super::adbc::DriverAddress;

/// Address of a database as configured. It may contain a password, which `Debug` and `Display` leave out.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct DatabaseAddress(String);

impl DatabaseAddress {
    /// Address from text. Anything that does not start like the URL of a server is a path.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether the address is the URL of a PostgreSQL server.
    pub fn is_postgres(&self) -> bool {
        self.0.starts_with("postgres://") || self.0.starts_with("postgresql://")
    }

    /// Whether the address is the URL of a MySQL or MariaDB server.
    pub fn is_mysql(&self) -> bool {
        self.0.starts_with("mysql://") || self.0.starts_with("mariadb://")
    }

    /// Whether the address is the URL of a Sail server.
    pub fn is_sail(&self) -> bool {
        self.0.starts_with("sail://") || self.0.starts_with("sail+tls://")
    }

    /// Whether the address is the URL of a Spark Connect server.
    pub fn is_spark(&self) -> bool {
        self.0.starts_with("sc://")
    }

    /// Whether the address names a profile of a driver.
    pub fn is_adbc(&self) -> bool {
        self.0.starts_with("adbc:")
    }

    /// The parts of an address that names a profile; `None` for other addresses.
    #[cfg(unix)]
    pub(crate) fn with_driver(&self) -> Option<Result<DriverAddress, String>> {
        let read = DriverAddress::parse(self.0.strip_prefix("adbc:")?);
        Some(read.map_err(|fault| fault.to_string()))
    }

    /// Checks the form of an address that names a profile.
    pub(crate) fn check(&self) -> Result<(), String> {
        #[cfg(unix)]
        return self.with_driver().transpose().map(drop);
        #[cfg(not(unix))]
        if self.is_adbc() {
            return Err("drivers run on Linux and macOS only (adbc_unsupported_system)".to_owned());
        }
        #[cfg(not(unix))]
        Ok(())
    }

    /// Whether the address is the URL of a server, and not a path.
    pub fn is_url(&self) -> bool {
        self.is_postgres() || self.is_mysql() || self.is_sail() || self.is_spark() || self.is_adbc()
    }

    /// The scheme of a URL that is none of these, such as a misspelt one.
    pub(crate) fn unknown_scheme(&self) -> Option<&str> {
        // A letter and a colon are the drive of a path on Windows.
        let (scheme, _) = self.0.split_once(':').filter(|(scheme, _)| scheme.len() > 1)?;
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        let is_scheme = scheme.starts_with(|it: char| it.is_ascii_alphabetic());
        (!self.is_url() && is_scheme && scheme.chars().all(plain)).then_some(scheme)
    }

    /// The URL of a MySQL or MariaDB server with the scheme of MySQL.
    pub(crate) fn mysql_url(&self) -> String {
        let rest = self.0.split_once("://").map_or(self.0.as_str(), |(_, rest)| rest);
        format!("mysql://{rest}")
    }

    /// The complete address, including a password.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Connection parameters of the PostgreSQL server. `PGPASSWORD` supplies a missing password.
    pub(crate) fn login(&self) -> Result<tokio_postgres::Config, tokio_postgres::Error> {
        let mut config: tokio_postgres::Config = self.0.parse()?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        Ok(config)
    }

    /// Whether both addresses log in to the same PostgreSQL server as the same user.
    pub(crate) fn same_login(&self, other: &Self) -> bool {
        if !(self.is_postgres() && other.is_postgres()) {
            return false;
        }
        let (Ok(one), Ok(other)) = (self.login(), other.login()) else { return false };
        let ends = |config: &tokio_postgres::Config| {
            let ports = config.get_ports().to_vec();
            let port = move |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
            let hosts = config.get_hosts().iter().enumerate();
            hosts.map(|(at, host)| (host_name(host), port(at))).collect::<Vec<_>>()
        };
        let theirs = ends(&other);
        one.get_user() == other.get_user() && ends(&one).iter().any(|end| theirs.contains(end))
    }
}

/// Normalised host name; all names of the local machine are equal.
fn host_name(host: &tokio_postgres::config::Host) -> String {
    match host {
        tokio_postgres::config::Host::Tcp(name) => match name.to_lowercase().as_str() {
            "localhost" | "::1" => "127.0.0.1".to_owned(),
            name if name.starts_with("127.") => "127.0.0.1".to_owned(),
            name => name.to_owned(),
        },
        #[cfg(unix)]
        tokio_postgres::config::Host::Unix(_) => "127.0.0.1".to_owned(),
    }
}

impl FromStr for DatabaseAddress {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::new(text))
    }
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(unix)]
        if let Some(Ok(parts)) = self.with_driver() {
            return formatter.write_str(&parts.shown());
        }
        // A misspelt URL may hold a password too.
        if !self.is_url() && self.unknown_scheme().is_none() {
            return formatter.write_str(&self.0);
        }
        let mark = if self.0.contains("://") && !self.is_adbc() { "://" } else { ":" };
        let (scheme, rest) = self.0.split_once(mark).unwrap_or(("postgres", &self.0));
        let parameters = if self.is_adbc() { &['?', '&'][..] } else { &['?'] };
        let rest = rest.split(parameters).next().unwrap_or(rest);
        // What follows are parameters, among them a token.
        let rest =
            if self.is_spark() { rest.split(['/', ';']).next().unwrap_or(rest) } else { rest };
        match rest.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split(':').next().unwrap_or_default();
                write!(formatter, "{scheme}{mark}{user}@{host}")
            }
            None => write!(formatter, "{scheme}{mark}{rest}"),
        }
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_never_shown() {
        for address in [
            "postgres://ann:s3cr3t@db.example:5432/shop",
            "postgresql://ann:s3cr3t@db.example/shop?sslmode=require&password=s3cr3t",
            "postgres://ann:s3cr3t@x@db.example/shop",
            "mysql://ann:s3cr3t@db.example:3306/shop?ssl-mode=required",
            "mariadb://ann:s3cr3t@db.example/shop",
            "sail+tls://ann:s3cr3t@db.example:443",
            "postgre://ann:s3cr3t@db.example/shop?password=s3cr3t",
            "jdbc:postgresql://ann:s3cr3t@db.example/shop",
            "adbc:ann@db.example?password=s3cr3t",
            "adbc:sail?driver=flightsql&uri=sail://ann:s3cr3t@db.example:1&password=s3cr3t",
        ] {
            let address = DatabaseAddress::new(address);
            let shown = format!("{address} {address:?}");
            assert!(!shown.contains("s3cr3t"), "{shown}");
            assert!(shown.contains("ann@"), "{shown}");
        }
        let token = DatabaseAddress::new("sc://db.example:15002/;token=s3cr3t;user_id=ann");
        assert_eq!(token.to_string(), "sc://db.example:15002");
    }

    #[test]
    fn one_login_is_known_under_every_name_of_this_machine() {
        let login = |address: &str| DatabaseAddress::new(address);
        let source = login("postgres://ann:a@localhost/shop");
        for same in ["postgres://ann:b@127.0.0.1:5432/other", "postgresql://ann@[::1]/shop"] {
            assert!(source.same_login(&login(same)), "{same}");
        }
        for other in ["postgres://bob@localhost/shop", "postgres://ann@localhost:5433/shop", "a.db"]
        {
            assert!(!source.same_login(&login(other)), "{other}");
        }
    }
}
