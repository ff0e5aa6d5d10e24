//! `eval transpile`: rewrites queries for another dialect and compares them with the expected text.

mod canonical;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use wherefore_sql::{Dialect, ReadDialect, print, read, transpile};

/// Usage of `eval transpile`.
const USAGE: &str = "\
eval transpile --cases FILE [--show]

  --cases FILE        JSON list of {read, sql, write, expected}
  --show              print every case that is not equal";

/// A query with its expected rewrite.
#[derive(Deserialize)]
struct Case {
    read: String,
    sql: String,
    write: String,
    expected: String,
}

/// Result of one case.
enum Outcome {
    /// The expected tree.
    Equal,
    /// Rejected; the feature that has no equivalent.
    Named(String),
    /// The rewrite cannot be parsed: statement and error.
    Invalid(String, String),
    /// A different tree.
    Different(String),
}

/// Runs the evaluation; the last line of output is a JSON object of figures.
pub(super) fn run(arguments: &[String]) -> Result<()> {
    let mut cases: Option<PathBuf> = None;
    let mut show = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--cases" => cases = rest.next().map(PathBuf::from),
            "--show" => show = true,
            other => bail!("unknown option: {other}\n\nusage: {USAGE}"),
        }
    }
    let Some(path) = cases else { bail!("usage: {USAGE}") };
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let cases: Vec<Case> = serde_json::from_str(&text)?;
    let (mut equal, mut named, mut invalid) = (0, 0, 0);
    let mut output = std::io::stdout().lock();
    for case in &cases {
        let outcome = judged(case)?;
        let (word, found) = match &outcome {
            Outcome::Equal => {
                equal += 1;
                continue;
            }
            Outcome::Named(what) => {
                named += 1;
                ("named", what.clone())
            }
            Outcome::Invalid(sql, why) => {
                invalid += 1;
                ("invalid", format!("{sql}\n  {why}"))
            }
            Outcome::Different(sql) => ("different", sql.clone()),
        };
        if show {
            writeln!(output, "{word}: {} to {}\n  {}", case.read, case.write, case.sql.trim())?;
            writeln!(output, "  expected {}\n  found    {found}\n", case.expected)?;
        }
    }
    let figures = serde_json::json!({
        "n": cases.len(), "equal": equal, "named": named, "invalid": invalid,
    });
    writeln!(output, "{figures}")?;
    Ok(())
}

fn judged(case: &Case) -> Result<Outcome> {
    let from = dialect(&case.read)?;
    let target = match case.write.as_str() {
        "postgres" => Dialect::Postgres,
        "sqlite" => Dialect::Sqlite,
        other => bail!("unknown target: {other}"),
    };
    let sql = match transpile(&case.sql, from, target.into()) {
        Ok(sql) => sql,
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Ok(Outcome::Named(faults.join("; ")));
        }
    };
    let sql = one_line(&sql);
    if let Err(why) = parsed(&sql, target) {
        return Ok(Outcome::Invalid(sql, why));
    }
    let Some(found) = canonical::form(&sql, target) else {
        return Ok(Outcome::Invalid(sql, "the own reader refuses it".to_owned()));
    };
    Ok(match canonical::form(&case.expected, target) {
        Some(expected) if expected == found => Outcome::Equal,
        _ => Outcome::Different(sql),
    })
}

fn dialect(name: &str) -> Result<ReadDialect> {
    Ok(match name {
        "bigquery" => ReadDialect::Bigquery,
        "duckdb" => ReadDialect::Duckdb,
        "mysql" => ReadDialect::Mysql,
        "oracle" => ReadDialect::Oracle,
        "postgres" => ReadDialect::Postgres,
        "redshift" => ReadDialect::Redshift,
        "snowflake" => ReadDialect::Snowflake,
        "sqlite" => ReadDialect::Sqlite,
        "tsql" => ReadDialect::Mssql,
        other => bail!("unknown dialect: {other}"),
    })
}

fn one_line(sql: &str) -> String {
    // Line breaks are layout only outside string literals.
    let mut written = String::with_capacity(sql.len());
    let mut quote = None;
    let mut space = false;
    for character in sql.chars() {
        match (quote, character) {
            (None, ' ' | '\n') => {
                space = true;
                continue;
            }
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            _ => {}
        }
        if space && !written.is_empty() {
            written.push(' ');
        }
        space = false;
        written.push(character);
    }
    written
}

/// Whether other parsers accept a statement: sqlparser, and SQLite for its dialect.
fn parsed(sql: &str, target: Dialect) -> Result<(), String> {
    use sqlparser::dialect::{PostgreSqlDialect, SQLiteDialect};
    use sqlparser::parser::Parser;
    let statements = match target {
        Dialect::Postgres => Parser::parse_sql(&PostgreSqlDialect {}, sql),
        Dialect::Sqlite => Parser::parse_sql(&SQLiteDialect {}, sql),
    };
    let statements = statements.map_err(|error| error.to_string())?;
    if statements.len() != 1 {
        return Err("not one statement".to_owned());
    }
    if target == Dialect::Sqlite {
        let connection =
            rusqlite::Connection::open_in_memory().map_err(|error| error.to_string())?;
        if let Err(error) = connection.prepare(sql) {
            let message = error.to_string();
            // The database is empty, so missing tables and columns are expected.
            if !message.contains("no such table") && !message.contains("no such column") {
                return Err(message);
            }
        }
    }
    // Reading and printing again must not change the statement.
    if let Ok(query) = read(sql, target.into())
        && let Ok(again) = print(&query, target)
        && one_line(&again) != sql
    {
        return Err(format!("printed again it is {}", one_line(&again)));
    }
    Ok(())
}
