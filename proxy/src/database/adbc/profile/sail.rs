//! Sail: a distributed engine of Spark SQL, reached by Arrow Flight SQL.

use std::time::Duration;

use wherefore_sql::ReadDialect;

use super::{Options, Place, Profile, Structure, spark_sql};
use crate::database::DatabaseAddress;

/// Largest message that the driver takes, in bytes.
const MESSAGE: &str = "67108864";

/// The profile of Sail.
pub(in crate::database::adbc) static SAIL: Profile = Profile {
    name: "sail",
    form: "sail://HOST:PORT, sail+tls://HOST:PORT, or the same with grpc",
    located,
    allowed: &[
        "username",
        "password",
        "adbc.flight.sql.authorization_header",
        "adbc.flight.sql.client_option.tls_override_hostname",
        "adbc.flight.sql.client_option.tls_root_certs",
    ],
    secret: &["password", "adbc.flight.sql.authorization_header"],
    driver: "flightsql",
    entry: "",
    install: "the Python package adbc-driver-flightsql contains the library libadbc_driver_flightsql",
    dialect: ReadDialect::Postgres,
    passes: |_| true,
    options,
    setup: &[],
    session: &[],
    structure: Structure::Described,
    default_schema: "default",
    family: spark_sql::family,
    syntax: spark_sql::SYNTAX,
    translate: |statement, catalog| statement.for_spark(catalog).map_err(Box::new),
    explained: None,
    failure: |step, message| spark_sql::failure(step, message, "Flight SQL"),
    small: Duration::from_secs(5),
    column_budget: Duration::from_secs(2),
    // After some cancelled statements the server goes on computing.
    cool_down: Duration::from_secs(10),
};

/// The server of a URI of Sail or of Flight SQL.
fn located(uri: &str) -> Option<Place> {
    let rest = uri.strip_prefix("sail").or_else(|| uri.strip_prefix("grpc"))?;
    let is_known = rest.starts_with("://") || rest.starts_with("+tls://");
    is_known.then(|| Place::Server(DatabaseAddress::new(format!("sail{rest}"))))
}

/// Options for an address such as `sail://HOST:PORT` or, with TLS, `sail+tls://USER:PASSWORD@HOST:PORT`.
fn options(place: &Place) -> Result<Options, String> {
    let text = match place {
        Place::Server(address) => address.secret(),
        Place::File(_) | Place::View(_) => "",
    };
    let wrong = || "invalid address: it has the form sail://HOST:PORT".to_owned();
    let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
    let scheme = if scheme == "sail+tls" { "grpc+tls" } else { "grpc" };
    let (login, server) = match rest.rsplit_once('@') {
        Some((login, server)) => (Some(login), server),
        None => (None, rest),
    };
    let port = server.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    if port.is_none_or(|port| port.parse::<u16>().is_err()) {
        return Err(wrong());
    }
    let mut options = vec![
        ("uri".to_owned(), format!("{scheme}://{server}")),
        ("adbc.flight.sql.client_option.with_max_msg_size".to_owned(), MESSAGE.to_owned()),
    ];
    if let Some((user, password)) = login.and_then(|login| login.split_once(':')) {
        options.push(("username".to_owned(), user.to_owned()));
        options.push(("password".to_owned(), password.to_owned()));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Result<Options, String> {
        options(&Place::Server(DatabaseAddress::new(address)))
    }

    #[test]
    fn addresses_become_options() {
        let uri = |address: &str| of(address).unwrap().remove(0).1;
        assert_eq!(uri("sail://127.0.0.1:32010"), "grpc://127.0.0.1:32010");
        assert_eq!(uri("sail+tls://ann:s3cr3t@db.example:443"), "grpc+tls://db.example:443");
        let login = of("sail://ann:s3@cr:3t@db.example:1").unwrap();
        assert_eq!(login[2].1, "ann");
        assert_eq!(login[3].1, "s3@cr:3t");
        for wrong in ["sail://", "sail://host", "sail://:1", "sail://host:x", "sail://host:1/path"]
        {
            assert!(of(wrong).unwrap_err().contains("sail://HOST:PORT"), "{wrong}");
        }
    }
}
