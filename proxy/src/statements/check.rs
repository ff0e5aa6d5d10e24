//! Checks statements with the guard.

use serde::{Deserialize, Serialize};
use wherefore_sql::{CheckedSql, Dialect, GuardLimits, ReadDialect, check_text};

use crate::knowledge::Knowledge;
use crate::problem::{Problem, ProblemCode};

/// A statement to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    sql: String,
    /// Dialect of the statement; that of the data source if absent.
    #[serde(default)]
    dialect: Option<WrittenDialect>,
}

/// Dialects in which statements can be written. They are translated to that of the data source.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WrittenDialect {
    Bigquery,
    Duckdb,
    Mssql,
    Mysql,
    Postgres,
    Sqlite,
}

impl From<WrittenDialect> for ReadDialect {
    fn from(dialect: WrittenDialect) -> Self {
        match dialect {
            WrittenDialect::Bigquery => Self::Bigquery,
            WrittenDialect::Duckdb => Self::Duckdb,
            WrittenDialect::Mssql => Self::Mssql,
            WrittenDialect::Mysql => Self::Mysql,
            WrittenDialect::Postgres => Self::Postgres,
            WrittenDialect::Sqlite => Self::Sqlite,
        }
    }
}

/// A checked statement as it would run.
#[derive(Serialize)]
pub(crate) struct Checked {
    pub(crate) sql: String,
    dialect: Dialect,
}

/// Checks a statement with the guard; it is not run.
pub(crate) fn check_statement(
    knowledge: &Knowledge,
    request: &CheckRequest,
) -> Result<Checked, Problem> {
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(knowledge, &request.sql, dialect)?;
    Ok(Checked { sql: statement.sql().to_owned(), dialect: statement.dialect() })
}

/// Checks a statement with the guard and translates it to the dialect of the data source.
pub(crate) fn checked(
    knowledge: &Knowledge,
    sql: &str,
    written: ReadDialect,
) -> Result<CheckedSql, Problem> {
    let catalog = knowledge.engine.catalog();
    check_text(sql, written, catalog, catalog.dialect, &GuardLimits::default()).map_err(
        |diagnostics| {
            let detail = diagnostics.first().map_or_else(
                || "the statement was refused".to_owned(),
                |diagnostic| diagnostic.message.clone(),
            );
            match serde_json::to_value(&diagnostics) {
                Ok(diagnostics) => Problem::new(ProblemCode::StatementRefused, detail)
                    .with("diagnostics", diagnostics),
                Err(error) => Problem::internal(error),
            }
        },
    )
}
