//! Dialects that can be read.

use serde::{Deserialize, Serialize};
use sqlparser::dialect::{
    BigQueryDialect, Dialect as ParserDialect, DuckDbDialect, MsSqlDialect, MySqlDialect,
    OracleDialect, PostgreSqlDialect, RedshiftSqlDialect, SQLiteDialect, SnowflakeDialect,
};

use crate::Dialect;

/// Dialect of SQL text to read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadDialect {
    /// BigQuery.
    Bigquery,
    /// DuckDB.
    Duckdb,
    /// SQL Server.
    Mssql,
    /// MySQL.
    Mysql,
    /// PostgreSQL.
    Postgres,
    /// SQLite.
    Sqlite,
    /// Oracle.
    Oracle,
    /// Redshift.
    Redshift,
    /// Snowflake.
    Snowflake,
}

impl From<Dialect> for ReadDialect {
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Postgres => Self::Postgres,
            Dialect::Sqlite => Self::Sqlite,
        }
    }
}

impl ReadDialect {
    pub(super) fn parser(self) -> &'static dyn ParserDialect {
        match self {
            Self::Bigquery => &BigQueryDialect {},
            Self::Duckdb => &DuckDbDialect {},
            Self::Mssql => &MsSqlDialect {},
            Self::Mysql => &MySqlDialect {},
            Self::Postgres => &PostgreSqlDialect {},
            Self::Sqlite => &SQLiteDialect {},
            Self::Oracle => &OracleDialect {},
            Self::Redshift => &RedshiftSqlDialect {},
            Self::Snowflake => &SnowflakeDialect {},
        }
    }

    /// Whether LIKE ignores case.
    pub(super) fn like_ignores_case(self) -> bool {
        matches!(self, Self::Mssql | Self::Mysql | Self::Sqlite)
    }

    /// Whether a backslash is the default escape character of LIKE.
    pub(super) fn like_escapes_by_backslash(self) -> bool {
        matches!(self, Self::Bigquery | Self::Mysql | Self::Postgres | Self::Redshift)
    }

    /// Whether quoted names are case-insensitive.
    pub(super) fn ignores_case_of_quoted_names(self) -> bool {
        matches!(self, Self::Bigquery | Self::Duckdb | Self::Mssql | Self::Mysql | Self::Redshift)
    }

    /// Whether `"text"` is a string.
    pub(super) fn has_double_quoted_strings(self) -> bool {
        matches!(self, Self::Bigquery | Self::Mysql)
    }

    /// Whether an alias can be written in single quotes.
    pub(super) fn has_quoted_aliases(self) -> bool {
        matches!(self, Self::Mssql | Self::Mysql | Self::Sqlite)
    }

    /// Whether all set operators have the same precedence and associate to the left.
    pub(super) fn has_flat_set_operators(self) -> bool {
        self == Self::Sqlite
    }

    /// The tree's name for a function of this dialect.
    pub(super) fn function_name(self, name: String) -> String {
        match (self, name.as_str()) {
            (Self::Bigquery | Self::Duckdb | Self::Mysql, "ifnull") => "coalesce".to_owned(),
            _ => name,
        }
    }
}
