//! Options: flags before the environment, the environment before a file, a file before the defaults.

mod access;
mod checks;
mod cli;
mod contradiction;
mod file;
mod sources;
mod tenants;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};
use wherefore_sql::Dialect;

use crate::database::{DatabaseAddress, RunLimits};
use crate::model::ModelOptions;
use crate::values::ValueSettings;

pub use access::{Access, AuthMode, LimitOptions, LogFormat, Origin};
pub use cli::{Action, Cli, KeyAction, KeyTarget, ReadError, read};
pub use contradiction::Contradiction;
pub use file::FileError;
pub use tenants::Tenant;

/// Answers questions put to a database in plain words, over HTTP.
#[derive(Clone, Debug, Parser)]
#[command(name = "wherefore-proxy", version)]
pub struct Config {
    /// File (TOML) with any of these options, named like the flags with underscores, and `[[tenants]]`.
    #[arg(long, env = "WHEREFORE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

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

    /// Address and port, other than loopback only with `--auth`; port 0 takes a free one.
    #[arg(long, env = "WHEREFORE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Host name, besides localhost, that requests may be for; may be repeated.
    #[arg(long, env = "WHEREFORE_ALLOW_HOST", value_name = "NAME", value_delimiter = ',')]
    pub allow_host: Vec<String>,

    /// What holds sessions and memory: path of an SQLite file, which is made where it is missing, or
    /// `postgres://USER:PASSWORD@HOST/NAME`, with another login than that of the data source.
    #[arg(
        long,
        env = "WHEREFORE_STORE",
        hide_env_values = true,
        value_name = "PATH|URL",
        default_value = "wherefore-store.sqlite"
    )]
    pub store: DatabaseAddress,

    /// File that holds the store's address, for one with a password.
    #[arg(long, env = "WHEREFORE_STORE_FILE", value_name = "FILE")]
    pub store_file: Option<PathBuf>,

    /// Folder of the built web app.
    #[arg(long = "static", env = "WHEREFORE_STATIC", value_name = "FOLDER")]
    pub static_files: Option<PathBuf>,

    /// The language model, where one is to write what is not composed.
    #[command(flatten)]
    pub model: ModelOptions,

    /// Experiment (TOML): variants of settings, each for a share of the users.
    #[arg(long, env = "WHEREFORE_EXPERIMENTS", value_name = "FILE")]
    pub experiments: Option<PathBuf>,

    /// Minutes that a clarification waits for its answer.
    #[arg(long, env = "WHEREFORE_SESSION_MINUTES", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub session_minutes: u32,

    /// Days that the history of questions is kept; 0 keeps none.
    #[arg(long, env = "WHEREFORE_HISTORY_DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(0..=3_650))]
    pub history_days: u32,

    /// Choices may be remembered for everyone of a tenant.
    #[arg(long, env = "WHEREFORE_SHARED_MEMORY")]
    pub shared_memory: bool,

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

    /// Who may ask.
    #[command(flatten)]
    pub access: Access,

    /// How much may be asked.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Form of the log on standard error.
    #[arg(long, env = "WHEREFORE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Data sources by tenant; only a file can name them.
    #[arg(skip)]
    pub tenants: Vec<Tenant>,

    /// Where options stand that a file gave: option → `FILE:LINE`.
    #[arg(skip)]
    pub origins: BTreeMap<String, String>,
}

/// Where tables and columns come from: exactly one of them, or tenants.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// Database: path of an SQLite file, or `postgres://USER:PASSWORD@HOST/NAME`.
    #[arg(long, env = "WHEREFORE_DATABASE", hide_env_values = true, value_name = "PATH|URL")]
    pub database: Option<DatabaseAddress>,

    /// File that holds the database's address, for one with a password.
    #[arg(long, env = "WHEREFORE_DATABASE_FILE", value_name = "FILE")]
    pub database_file: Option<PathBuf>,

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

impl Config {
    /// Statement timeout.
    pub fn statement_timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.statement_seconds))
    }

    /// Limits of a run whose rows are displayed.
    pub fn run_limits(&self) -> RunLimits {
        RunLimits {
            rows: self.row_limit,
            timeout: self.statement_timeout(),
            cost: self.cost_limit,
            ..RunLimits::default()
        }
    }

    /// Limits of an export.
    pub fn export_limits(&self) -> RunLimits {
        RunLimits {
            rows: self.export_row_limit,
            timeout: Duration::from_secs(u64::from(self.export_seconds)),
            cost: self.cost_limit,
            ..RunLimits::export()
        }
    }

    /// Settings of value lists and searches.
    pub fn value_settings(&self) -> ValueSettings {
        ValueSettings {
            listed: self.value_limit,
            fresh: Duration::from_mins(u64::from(self.value_minutes)),
            ..ValueSettings::default()
        }
    }

    /// Lifetime of clarifications.
    pub fn session_lifetime(&self) -> Duration {
        Duration::from_mins(u64::from(self.session_minutes))
    }
}
