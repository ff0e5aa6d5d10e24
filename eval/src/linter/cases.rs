//! `lint`: labelled queries on the schema of a small shop.

use std::io::Write;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use wherefore_engine::catalog::Catalog;
use wherefore_sql::lint::{Finding, Severity, lint};

use super::{Examples, Options};

/// Catalog of the queries, for PostgreSQL.
const SHOP: &str = include_str!("../../../sql/tests/data/shop.json");

/// A query with its label.
#[derive(Deserialize)]
struct Case {
    rule: String,
    sql: String,
    kind: String,
}

/// Lints every query. Queries that do not run must get an error, wrong queries a finding, and correct queries neither a
/// warning nor an error.
pub(super) fn run(options: &Options) -> Result<()> {
    let text = std::fs::read_to_string(&options.file)
        .with_context(|| format!("cannot read {}", options.file.display()))?;
    let cases: Vec<Case> = serde_json::from_str(&text).context("no list of cases")?;
    let catalog: Catalog = serde_json::from_str(SHOP)?;
    let mut examples = Examples::default();
    let (mut invalid, mut wrong) = ((0, 0), (0, 0));
    let mut false_alarms = 0;
    for case in &cases {
        let found = lint(&case.sql, &catalog, None);
        let worst = found.iter().map(|finding| finding.severity).max();
        let fits = match case.kind.as_str() {
            "rejected by PostgreSQL" => {
                let fits = worst >= Some(Severity::Error);
                invalid = (invalid.0 + usize::from(fits), invalid.1 + 1);
                fits
            }
            "runs but wrong" => {
                let fits = worst.is_some();
                wrong = (wrong.0 + usize::from(fits), wrong.1 + 1);
                fits
            }
            "correct" => {
                let fits = worst <= Some(Severity::Note);
                false_alarms += usize::from(!fits);
                fits
            }
            other => bail!("unknown kind: {other}"),
        };
        if !fits {
            let found: Vec<String> = found.iter().map(Finding::to_string).collect();
            let example = format!("{}: {}\n{}", case.rule, case.sql, found.join("\n"));
            examples.add(case.kind.clone(), example);
        }
    }
    let mut output = std::io::stdout().lock();
    examples.write(options.show, &mut output)?;
    let figures = serde_json::json!({
        "invalid_found": invalid.0,
        "invalid_n": invalid.1,
        "wrong_found": wrong.0,
        "wrong_n": wrong.1,
        "false_alarms": false_alarms,
    });
    writeln!(output, "{figures}")?;
    Ok(())
}
