//! Print targets.

use serde::{Deserialize, Serialize};

use crate::Dialect;

/// Dialects that a query can be printed for: those of data sources, and those that are write-only.
///
/// What is printed for SQL Server, BigQuery, Snowflake, Databricks and Trino was read by a second parser, and never run on
/// a live account.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Target {
    /// PostgreSQL 13 or later.
    Postgres,
    /// SQLite 3.46 or later.
    Sqlite,
    /// SQL Server 2022.
    #[serde(rename = "mssql")]
    Tsql,
    /// BigQuery.
    Bigquery,
    /// MySQL 8.0 and MariaDB 10.6 or later, with any `sql_mode` that has neither `ANSI_QUOTES` nor
    /// `NO_BACKSLASH_ESCAPES`.
    Mysql,
    /// Snowflake, as its documentation describes it: no statement was run there.
    Snowflake,
    /// Databricks SQL, as its documentation describes it: no statement was run there.
    Databricks,
    /// Trino, as its documentation describes it: no statement was run there.
    Trino,
    /// DuckDB, for checked statements only: no text is translated for it on request.
    #[serde(skip)]
    Duckdb,
    /// Spark SQL of Apache Spark 4 and of Sail, for checked statements only.
    #[serde(skip)]
    Spark,
}

impl From<Dialect> for Target {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Postgres => Self::Postgres,
            Dialect::Sqlite => Self::Sqlite,
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Postgres => "PostgreSQL",
            Self::Sqlite => "SQLite",
            Self::Tsql => "T-SQL",
            Self::Bigquery => "BigQuery",
            Self::Mysql => "MySQL",
            Self::Snowflake => "Snowflake",
            Self::Databricks => "Databricks",
            Self::Trino => "Trino",
            Self::Duckdb => "DuckDB",
            Self::Spark => "Spark SQL",
        })
    }
}
