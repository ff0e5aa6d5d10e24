//! Options of the command line and the environment.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, Parser};
use wherefore_engine::sql::Dialect;

use crate::database::RunLimits;
use crate::values::ValueSettings;

/// Answers questions put to a database in plain words, over HTTP.
#[derive(Clone, Debug, Parser)]
#[command(name = "wherefore-proxy", version)]
pub struct Config {
    /// Where tables and columns come from.
    #[command(flatten)]
    pub source: Source,

    /// Pack (TOML) with descriptions, synonyms, areas, metrics and templates.
    #[arg(long, env = "WHEREFORE_PACK", value_name = "FILE")]
    pub pack: Option<PathBuf>,

    /// Lessons (TOML): words that tables and columns go by here.
    #[arg(long, env = "WHEREFORE_LESSONS", value_name = "FILE")]
    pub lessons: Option<PathBuf>,

    /// Dialect written for a catalog file in SQL or in a spreadsheet.
    #[arg(long, env = "WHEREFORE_DIALECT", value_enum, default_value_t = CatalogDialect::Postgres)]
    pub dialect: CatalogDialect,

    /// Loopback address and port; port 0 takes a free one.
    #[arg(long, env = "WHEREFORE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Host name, besides localhost, that a reverse proxy on this machine passes on; may be repeated.
    #[arg(long, env = "WHEREFORE_ALLOW_HOST", value_name = "NAME", value_delimiter = ',')]
    pub allow_host: Vec<String>,

    /// SQLite file that holds sessions and memory; made where it is missing.
    #[arg(
        long,
        env = "WHEREFORE_STORE",
        value_name = "FILE",
        default_value = "wherefore-store.sqlite"
    )]
    pub store: PathBuf,

    /// Folder of the built web app.
    #[arg(long = "static", env = "WHEREFORE_STATIC", value_name = "FOLDER")]
    pub static_files: Option<PathBuf>,

    /// Minutes that a clarification waits for its answer.
    #[arg(long, env = "WHEREFORE_SESSION_MINUTES", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub session_minutes: u32,

    /// Minutes between readings of the catalog; 0 reads it once.
    #[arg(long, env = "WHEREFORE_REFRESH_MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=10_080))]
    pub refresh_minutes: u32,

    /// Seconds a statement may run.
    #[arg(long, env = "WHEREFORE_STATEMENT_SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub statement_seconds: u32,

    /// Most rows of a result.
    #[arg(long, env = "WHEREFORE_ROW_LIMIT", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub row_limit: u32,

    /// Highest cost that the database may expect of a statement, in its own units; 0 allows any.
    #[arg(long, env = "WHEREFORE_COST_LIMIT", default_value_t = 100_000_000)]
    pub cost_limit: u64,

    /// Most rows of a result that is taken away as CSV, NDJSON or Arrow.
    #[arg(long, env = "WHEREFORE_EXPORT_ROW_LIMIT", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub export_row_limit: u32,

    /// Seconds that taking away a result may last.
    #[arg(long, env = "WHEREFORE_EXPORT_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub export_seconds: u32,

    /// Most values of a column that are listed.
    #[arg(long, env = "WHEREFORE_VALUE_LIMIT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub value_limit: u32,

    /// Minutes until a list of values is read again; it is served meanwhile.
    #[arg(long, env = "WHEREFORE_VALUE_MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub value_minutes: u32,

    /// Start although the login may do more than read; what it may do is logged.
    #[arg(long, env = "WHEREFORE_ALLOW_PRIVILEGED_LOGIN")]
    pub allow_privileged_login: bool,

    /// Most connections to the database at a time.
    #[arg(long, env = "WHEREFORE_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub connections: u32,
}

/// Where tables and columns come from: exactly one of the two.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct Source {
    /// Database: path of an SQLite file, or `postgres://USER:PASSWORD@HOST/NAME`.
    #[arg(long, env = "WHEREFORE_DATABASE", hide_env_values = true, value_name = "PATH|URL")]
    pub database: Option<DatabaseAddress>,

    /// Catalog without a database: .json, .sql, .xlsx, .ods or .csv; statements are written, not run.
    #[arg(long, env = "WHEREFORE_CATALOG", value_name = "FILE")]
    pub catalog: Option<PathBuf>,
}

/// Dialect named on the command line.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum CatalogDialect {
    /// PostgreSQL.
    #[default]
    Postgres,
    /// SQLite.
    Sqlite,
}

impl From<CatalogDialect> for Dialect {
    fn from(dialect: CatalogDialect) -> Self {
        match dialect {
            CatalogDialect::Postgres => Self::Postgres,
            CatalogDialect::Sqlite => Self::Sqlite,
        }
    }
}

/// Address of a database as given; it may hold a password, so neither `Debug` nor `Display` shows it whole.
#[derive(Clone)]
pub struct DatabaseAddress(String);

impl DatabaseAddress {
    /// Address from text: anything that does not start like a PostgreSQL URL is a path.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether it names a PostgreSQL server.
    pub fn is_postgres(&self) -> bool {
        self.0.starts_with("postgres://") || self.0.starts_with("postgresql://")
    }

    /// The whole address, with the password if there is one.
    pub fn secret(&self) -> &str {
        &self.0
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
        if !self.is_postgres() {
            return formatter.write_str(&self.0);
        }
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", &self.0));
        let rest = rest.split('?').next().unwrap_or(rest);
        match rest.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split(':').next().unwrap_or_default();
                write!(formatter, "{scheme}://{user}@{host}")
            }
            None => write!(formatter, "{scheme}://{rest}"),
        }
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseAddress({self})")
    }
}

impl Config {
    /// Longest time a statement may run.
    pub fn statement_timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.statement_seconds))
    }

    /// Caps of a run whose rows are shown.
    pub fn run_limits(&self) -> RunLimits {
        RunLimits {
            rows: self.row_limit,
            timeout: self.statement_timeout(),
            cost: self.cost_limit,
            ..RunLimits::default()
        }
    }

    /// Caps of a run whose rows are taken away.
    pub fn export_limits(&self) -> RunLimits {
        RunLimits {
            rows: self.export_row_limit,
            timeout: Duration::from_secs(u64::from(self.export_seconds)),
            cost: self.cost_limit,
            ..RunLimits::export()
        }
    }

    /// How lists of values are kept.
    pub fn value_settings(&self) -> ValueSettings {
        ValueSettings {
            listed: self.value_limit,
            fresh: Duration::from_mins(u64::from(self.value_minutes)),
            ..ValueSettings::default()
        }
    }

    /// Time that a clarification waits for its answer.
    pub fn session_lifetime(&self) -> Duration {
        Duration::from_mins(u64::from(self.session_minutes))
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
        ] {
            let address = DatabaseAddress::new(address);
            let shown = format!("{address} {address:?}");
            assert!(!shown.contains("s3cr3t"), "{shown}");
            assert!(shown.contains("ann@"), "{shown}");
        }
    }

    #[test]
    fn one_source_is_needed_and_two_are_refused() {
        assert!(Config::try_parse_from(["wherefore-proxy"]).is_err());
        assert!(
            Config::try_parse_from([
                "wherefore-proxy",
                "--database",
                "a.db",
                "--catalog",
                "b.json"
            ])
            .is_err()
        );
        assert!(Config::try_parse_from(["wherefore-proxy", "--database", "a.db"]).is_ok());
    }
}
