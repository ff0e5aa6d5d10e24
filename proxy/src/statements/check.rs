//! Checks statements with the guard.

use serde::{Deserialize, Serialize};
use wherefore_engine::catalog::Catalog;
use wherefore_sql::{
    CheckedSql, Diagnostic, Dialect, GuardLimits, ReadDialect, check_text, translate,
};

use crate::database::{Database, DatabaseError};
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
    sql: String,
    dialect: Dialect,
    /// The text that is sent to the server, if its dialect is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    native_sql: Option<String>,
}

impl Checked {
    /// The text that is sent to the server.
    pub(crate) fn runs(&self) -> &str {
        self.native_sql.as_deref().unwrap_or(&self.sql)
    }
}

/// Checks a statement with the guard; it is not run.
pub(crate) async fn check_statement(
    knowledge: &Knowledge,
    database: Option<&dyn Database>,
    request: &CheckRequest,
) -> Result<Checked, Problem> {
    let own = knowledge.engine.catalog().dialect.into();
    let dialect = request.dialect.map_or(own, ReadDialect::from);
    let statement = checked(knowledge, database, &request.sql, dialect)?;
    let native_sql = match database {
        Some(database) => match database.native_sql(&statement).await {
            Err(refused @ DatabaseError::Refused(_)) => return Err(refused.into()),
            // Whether a statement is allowed does not depend on whether the database responds.
            written => written.unwrap_or_default(),
        },
        None => None,
    };
    Ok(Checked { sql: statement.sql().to_owned(), dialect: statement.dialect(), native_sql })
}

/// Checks a statement with the guard and translates it to the dialect of the data source.
///
/// A statement in the dialect of the server has the meaning that it has there. In any other dialect only its syntax is read.
pub(crate) fn checked(
    knowledge: &Knowledge,
    database: Option<&dyn Database>,
    sql: &str,
    written: ReadDialect,
) -> Result<CheckedSql, Problem> {
    let catalog = knowledge.engine.catalog();
    let own = ReadDialect::from(catalog.dialect);
    let limits = GuardLimits::default();
    let is_of_server = database.is_some_and(|database| database.server_dialect() == written);
    let checked = if written != own && is_of_server {
        meant(sql, written, catalog)
            .and_then(|sql| check_text(&sql, own, catalog, catalog.dialect, &limits))
    } else {
        check_text(sql, written, catalog, catalog.dialect, &limits)
    };
    checked.map_err(|diagnostics| {
        let detail = diagnostics.first().map_or_else(
            || "the statement was refused".to_owned(),
            |diagnostic| diagnostic.message.clone(),
        );
        match serde_json::to_value(&diagnostics) {
            Ok(diagnostics) => {
                Problem::new(ProblemCode::StatementRefused, detail).with("diagnostics", diagnostics)
            }
            Err(error) => Problem::internal(error),
        }
    })
}

/// A statement with the same meaning in the dialect of a catalog; refused if the meaning depends on an unknown type.
fn meant(sql: &str, written: ReadDialect, catalog: &Catalog) -> Result<String, Vec<Diagnostic>> {
    let translated = translate(sql, written, catalog.dialect.into(), Some(catalog))?;
    if translated.doubts.is_empty() {
        return Ok(translated.sql);
    }
    Err(translated.doubts.into_iter().map(Diagnostic::from).collect())
}
