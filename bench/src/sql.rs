//! Speed of the SQL stage, as `wherefore-bench-sql` measured it.

use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// The last line of `wherefore-bench-sql`: medians.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// Statements of a round.
    statements: usize,
    /// Statements that are read in a second of a processor.
    read_per_second: f64,
    /// Statements that are read, bound and linted in a second of a processor.
    lint_per_second: f64,
    /// Time of the guard for a statement of four kilobytes.
    guard_ms: f64,
}

/// Times of a statement.
pub(crate) fn figures(file: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let measured: Measurement = measured(file)?;
    let each = |name: &str, per_second: f64, budget: Option<f64>| {
        let name = format!("{name}, each of {} statements", measured.statements);
        Figure::new(name, 1e6 / per_second, "us", budget)
    };
    Ok(vec![
        each("read", measured.read_per_second, None),
        each("read, bind and all rules", measured.lint_per_second, Some(budgets.sql.lint_us)),
        Figure::new("guard of 4 kB", measured.guard_ms, "ms", Some(budgets.sql.guard_ms)),
    ])
}
