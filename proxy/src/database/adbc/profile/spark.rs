//! Apache Spark 4, reached by Spark Connect.

use std::time::Duration;

use wherefore_sql::ReadDialect;

use super::{Options, Place, Profile, Structure, spark_sql};
use crate::database::DatabaseAddress;

/// The profile of Apache Spark.
pub(in crate::database::adbc) static SPARK: Profile = Profile {
    name: "spark",
    form: "sc://HOST:PORT, with parameters after /;",
    located: |uri| {
        let is_known = uri.starts_with("sc://");
        is_known.then(|| Place::Server(DatabaseAddress::new(uri)))
    },
    allowed: &["adbc.spark.user_agent", "adbc.spark.user_id"],
    // Its parameters may hold a token.
    secret: &["uri"],
    driver: "spark",
    entry: "",
    install: "the Python package adbc-driver-spark contains the library libadbc_driver_spark",
    dialect: ReadDialect::Postgres,
    passes: |_| true,
    options,
    setup: &[],
    // Each connection is a session of its own. The settings are those that the meaning of texts, times and numbers
    // depends on.
    session: &[
        "SET spark.sql.variable.substitute=false",
        "SET spark.sql.parser.escapedStringLiterals=false",
        "SET spark.sql.session.timeZone=UTC",
        "SET spark.sql.ansi.enabled=true",
    ],
    structure: Structure::Described,
    default_schema: "default",
    family: spark_sql::family,
    syntax: spark_sql::SYNTAX,
    translate: |statement, catalog| statement.for_spark(catalog).map_err(Box::new),
    explained: None,
    failure: |step, message| spark_sql::failure(step, message, "Spark Connect"),
    // The first statements of a server and of a session take longer than others.
    small: Duration::from_secs(20),
    column_budget: Duration::from_secs(5),
    cool_down: Duration::ZERO,
};

/// Options for an address of Spark Connect, such as `sc://HOST:PORT/;token=…`.
fn options(place: &Place) -> Result<Options, String> {
    let text = match place {
        Place::Server(address) => address.secret(),
        Place::File(_) | Place::View(_) => "",
    };
    let rest = text.strip_prefix("sc://").unwrap_or_default();
    let server = rest.split(['/', ';']).next().unwrap_or_default();
    let port = server.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
    if port.is_none_or(|port| port.parse::<u16>().is_err()) {
        return Err("invalid address: it has the form sc://HOST:PORT".to_owned());
    }
    Ok(vec![("uri".to_owned(), text.to_owned())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_host_or_port_is_wrong() {
        let of = |address: &str| options(&Place::Server(DatabaseAddress::new(address)));
        assert_eq!(of("sc://h:15002/;token=t").unwrap()[0].1, "sc://h:15002/;token=t");
        for wrong in ["sc://", "sc://host", "sc://:1", "sc://host:x/;token=t"] {
            assert!(of(wrong).unwrap_err().contains("sc://HOST:PORT"), "{wrong}");
        }
    }
}
