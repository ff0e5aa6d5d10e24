//! Records what linter, explainer, autocorrection, transpiler and guard return for statements.
//!
//! The calls are those of the package's methods; the test `statements.rs` shows that JavaScript gets the same
//! results.

use std::fs;

use serde_json::{Value, json};
use wherefore_engine::catalog::Catalog;
use wherefore_sql::explain::{explain, sentence};
use wherefore_sql::lint::lint;
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{Dialect, GuardLimits, ReadDialect, Target, check_text, transpile};

use crate::{Failure, workspace};

/// Maximum length of a recorded statement, in bytes; longer ones only test limits.
const LONGEST: usize = 5_000;
const TARGETS: [Target; 4] = [Target::Postgres, Target::Sqlite, Target::Tsql, Target::Bigquery];

/// A statement with its dialect and the file it comes from.
#[derive(Debug)]
pub struct Written {
    /// Name of the file, and number of the statement.
    pub name: String,
    dialect: ReadDialect,
    sql: String,
}

/// The statements in the test data of the SQL crate.
pub fn all() -> Result<Vec<Written>, Failure> {
    let mut all = Vec::new();
    for line in data("guard.tsv")?.lines().skip(1) {
        if let [dialect, _, sql, _] = line.split('\t').collect::<Vec<_>>()[..] {
            add(&mut all, "guard", dialect, &unescaped(sql))?;
        }
    }
    for line in data("transpile.tsv")?.lines().filter(|line| !line.starts_with('#')) {
        if let [dialect, _, sql, _] = line.split('\t').collect::<Vec<_>>()[..] {
            add(&mut all, "transpile", dialect, sql)?;
        }
    }
    for line in data("lint_more.tsv")?.lines().filter(|line| !line.starts_with('#')) {
        if let Some((_, sql)) = line.split_once('\t') {
            add(&mut all, "lint_more", "postgres", sql)?;
        }
    }
    let cases: Value = serde_json::from_str(&data("lint.json")?)?;
    for case in cases.as_array().into_iter().flatten() {
        add(&mut all, "lint", "postgres", case["sql"].as_str().unwrap_or_default())?;
    }
    all.retain(|written| written.sql.len() <= LONGEST);
    Ok(all)
}

/// The catalog that the statements refer to.
pub fn catalog(dialect: Dialect) -> Result<Catalog, Failure> {
    let mut catalog: Catalog = serde_json::from_str(&data("shop.json")?)?;
    catalog.dialect = dialect;
    Ok(catalog)
}

/// Results of all checks of a statement for a data source with this catalog.
pub fn judged(written: &Written, catalog: &Catalog) -> Value {
    let Written { dialect, sql, .. } = written;
    let explained = match explain(sql, catalog) {
        Ok(steps) => json!({ "sentence": sentence(&steps), "steps": steps }),
        Err(faults) => json!({ "faults": faults }),
    };
    let limits = GuardLimits::default();
    let guarded = match check_text(sql, *dialect, catalog, catalog.dialect, &limits) {
        Ok(checked) => json!({ "sql": checked.sql() }),
        Err(faults) => json!({ "faults": faults }),
    };
    json!({
        "sql": sql,
        "lint": lint(sql, catalog, None),
        "explain": explained,
        "autocorrect": autocorrect(sql, catalog, None),
        "guard": guarded,
    })
}

/// The statement translated to every target dialect.
pub fn carried_over(written: &Written) -> Value {
    let carried = |to: Target| match transpile(&written.sql, written.dialect, to) {
        Ok(text) => json!({ "to": to, "sql": text }),
        Err(faults) => json!({ "to": to, "faults": faults }),
    };
    json!({ "from": written.dialect, "sql": written.sql, "carried": TARGETS.map(carried) })
}

fn add(all: &mut Vec<Written>, file: &str, dialect: &str, sql: &str) -> Result<(), Failure> {
    let dialect = if dialect == "tsql" { "mssql" } else { dialect };
    let name = format!("{file} {}", all.len() + 1);
    all.push(Written {
        name,
        dialect: serde_json::from_value(json!(dialect))?,
        sql: sql.to_owned(),
    });
    Ok(())
}

fn data(file: &str) -> Result<String, Failure> {
    Ok(fs::read_to_string(workspace::root().join("sql/tests/data").join(file))?)
}

/// Decodes the escapes in the test cases of the guard.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('0') => '\0',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}
