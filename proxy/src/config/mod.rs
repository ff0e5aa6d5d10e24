//! Options. Flags take precedence over environment variables, these over the configuration file, and it over
//! defaults.

mod access;
mod checks;
mod cli;
mod contradiction;
mod database_table;
mod file;
mod rights;
mod sources;
mod tenants;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};
use wherefore_sql::Dialect;

use crate::database::{CELL_BYTES, DatabaseAddress, MAX_CELL_BYTES, RunLimits};
use crate::model::ModelOptions;
use crate::values::ValueSettings;

pub use access::{Access, AuthMode, LimitOptions, LogFormat, Origin};
pub use cli::{
    Action, CatalogAction, CatalogExport, Cli, Explain, KeyAction, KeyTarget, ReadError, read,
};
pub use contradiction::Contradiction;
pub use file::FileError;
pub use rights::{ClaimOption, ClaimType, RightsOptions, RoleOption, SETTING_PREFIX};
pub use tenants::Tenant;

/// Answers questions about a database over HTTP.
#[derive(Clone, Debug, Parser)]
#[command(name = "wherefore-proxy", version)]
pub struct Config {
    /// Configuration file (TOML): any of these options, named like the flags with underscores, `[database]`,
    /// `[[tenants]]` and `[rights]`.
    #[arg(long, env = "WHEREFORE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Source of the tables and columns.
    #[command(flatten)]
    pub source: Source,

    /// Pack (TOML) with descriptions, synonyms, areas, metrics and templates.
    #[arg(long, env = "WHEREFORE_PACK", value_name = "FILE")]
    pub pack: Option<PathBuf>,

    /// Lessons (TOML): additional names of tables and columns.
    #[arg(long, env = "WHEREFORE_LESSONS", value_name = "FILE")]
    pub lessons: Option<PathBuf>,

    /// Dialect of the SQL that is written for a catalog file in SQL or in a spreadsheet.
    #[arg(long, env = "WHEREFORE_DIALECT", value_enum, default_value_t = CatalogDialect::Postgres)]
    pub dialect: CatalogDialect,

    /// Address and port to listen on; addresses other than loopback require `--auth`; port 0 selects a free port.
    #[arg(long, env = "WHEREFORE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Allowed host name of requests, besides localhost; may be repeated.
    #[arg(long, env = "WHEREFORE_ALLOW_HOST", value_name = "NAME", value_delimiter = ',')]
    pub allow_host: Vec<String>,

    /// Store of sessions and memory: path of an SQLite file, which is created if missing, or
    /// `postgres://USER:PASSWORD@HOST/NAME`, with another login than that of the data source.
    #[arg(
        long,
        env = "WHEREFORE_STORE",
        hide_env_values = true,
        value_name = "PATH|URL",
        default_value = "wherefore-store.sqlite"
    )]
    pub store: DatabaseAddress,

    /// File that contains the address of the store, if it has a password.
    #[arg(long, env = "WHEREFORE_STORE_FILE", value_name = "FILE")]
    pub store_file: Option<PathBuf>,

    /// Folder of the built web app.
    #[arg(long = "static", env = "WHEREFORE_STATIC", value_name = "FOLDER")]
    pub static_files: Option<PathBuf>,

    /// The language model, for questions that the engine cannot compose a statement for.
    #[command(flatten)]
    pub model: ModelOptions,

    /// Settings of asking and memory (TOML): thresholds, rounds, limits, by the names in `docs/spec.md` §16.
    #[arg(long, env = "WHEREFORE_SETTINGS", value_name = "FILE")]
    pub settings: Option<PathBuf>,

    /// Experiment (TOML): variants of settings, each for a share of the users.
    #[arg(long, env = "WHEREFORE_EXPERIMENTS", value_name = "FILE")]
    pub experiments: Option<PathBuf>,

    /// Minutes until an unanswered clarification expires.
    #[arg(long, env = "WHEREFORE_SESSION_MINUTES", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub session_minutes: u32,

    /// Days that the history of questions is kept; 0 disables the history.
    #[arg(long, env = "WHEREFORE_HISTORY_DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(0..=3_650))]
    pub history_days: u32,

    /// Allow choices to be remembered for all users of a tenant.
    #[arg(long, env = "WHEREFORE_SHARED_MEMORY")]
    pub shared_memory: bool,

    /// Minutes between refreshes of the catalog; 0 disables refreshing.
    #[arg(long, env = "WHEREFORE_REFRESH_MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=10_080))]
    pub refresh_minutes: u32,

    /// Statement timeout, in seconds.
    #[arg(long, env = "WHEREFORE_STATEMENT_SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub statement_seconds: u32,

    /// Maximum number of rows of a result.
    #[arg(long, env = "WHEREFORE_ROW_LIMIT", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub row_limit: u32,

    /// Maximum estimated cost of a statement, in units of the database; 0 means no limit.
    #[arg(long, env = "WHEREFORE_COST_LIMIT", default_value_t = 100_000_000)]
    pub cost_limit: u64,

    /// Maximum number of rows that a step of the plan of a statement is estimated to yield; 0 means no limit.
    #[arg(long, env = "WHEREFORE_MAX_ESTIMATED_ROWS", default_value_t = 0)]
    pub max_estimated_rows: u64,

    /// Number of rows of a step of the plan of a statement from which it runs only if the request accepts the estimate;
    /// 0 means that nothing is asked.
    #[arg(long, env = "WHEREFORE_CONFIRM_ESTIMATED_ROWS", default_value_t = 0)]
    pub confirm_estimated_rows: u64,

    /// Maximum number of rows of an export as CSV, NDJSON, Arrow, Parquet or Excel workbook.
    #[arg(long, env = "WHEREFORE_EXPORT_ROW_LIMIT", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub export_row_limit: u32,

    /// Timeout of an export, in seconds.
    #[arg(long, env = "WHEREFORE_EXPORT_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub export_seconds: u32,

    /// Maximum size of a cell that a request can ask for, in bytes. By default, cells are cut at 65,536 bytes or this.
    #[arg(long, env = "WHEREFORE_CELL_BYTES", default_value_t = MAX_CELL_BYTES as u32, value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    pub cell_bytes: u32,

    /// Maximum number of listed values per column.
    #[arg(long, env = "WHEREFORE_VALUE_LIMIT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub value_limit: u32,

    /// Minutes until a list of values is refreshed in the background.
    #[arg(long, env = "WHEREFORE_VALUE_MINUTES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub value_minutes: u32,

    /// Start even if the login has privileges beyond reading; they are logged.
    #[arg(long, env = "WHEREFORE_ALLOW_PRIVILEGED_LOGIN")]
    pub allow_privileged_login: bool,

    /// Maximum number of connections to the database.
    #[arg(long, env = "WHEREFORE_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub connections: u32,

    /// ADBC driver of DuckDB files, Parquet files, Sail and Spark: path of its library or manifest; by default the driver
    /// `duckdb`, `flightsql` or `spark` that is installed in a place for ADBC drivers.
    #[arg(long, env = "WHEREFORE_DRIVER", value_name = "FILE")]
    pub driver: Option<PathBuf>,

    /// Authentication and allowed origins.
    #[command(flatten)]
    pub access: Access,

    /// Rate and concurrency limits.
    #[command(flatten)]
    pub limits: LimitOptions,

    /// Format of the log on standard error.
    #[arg(long, env = "WHEREFORE_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,

    /// Data sources by tenant; only the configuration file can define them.
    #[arg(skip)]
    pub tenants: Vec<Tenant>,

    /// Claims that decide what a caller may see; only the configuration file can define them.
    #[arg(skip)]
    pub rights: Option<RightsOptions>,

    /// Location of each option that comes from the configuration file: option → `FILE:LINE`.
    #[arg(skip)]
    pub origins: BTreeMap<String, String>,
}

/// Source of the tables and columns: exactly one of these options, or tenants.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// Database: path of an SQLite, DuckDB, CSV, TSV, XLSX or Parquet file, or of a folder of the latter four, or
    /// `postgres://USER:PASSWORD@HOST/NAME`, `mysql://…` or `adbc:PROFILE?driver=…&uri=…`.
    #[arg(long, env = "WHEREFORE_DATABASE", hide_env_values = true, value_name = "PATH|URL")]
    pub database: Option<DatabaseAddress>,

    /// File that contains the address of the database, if it has a password.
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
            estimated_rows: self.max_estimated_rows,
            confirm_rows: self.confirm_estimated_rows,
            cell_bytes: CELL_BYTES.min(self.cell_bytes as usize),
            max_cell_bytes: self.cell_bytes as usize,
            ..RunLimits::default()
        }
    }

    /// Limits of an export.
    pub fn export_limits(&self) -> RunLimits {
        RunLimits {
            rows: self.export_row_limit,
            timeout: Duration::from_secs(u64::from(self.export_seconds)),
            cost: self.cost_limit,
            estimated_rows: self.max_estimated_rows,
            confirm_rows: self.confirm_estimated_rows,
            cell_bytes: CELL_BYTES.min(self.cell_bytes as usize),
            max_cell_bytes: self.cell_bytes as usize,
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
