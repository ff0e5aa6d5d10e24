//! Speed of the SQL stage, measured by `wherefore-bench-sql`.

use std::path::Path;

use anyhow::Result;
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// Last line of output of `wherefore-bench-sql`; all values are medians.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// Statements in a round.
    statements: usize,
    /// Statements read per second of CPU time.
    read_per_second: f64,
    /// Statements read, bound and linted per second of CPU time.
    lint_per_second: f64,
    /// Milliseconds of the guard for a statement of 4 kB.
    guard_ms: f64,
}

/// Time per statement, and time of the guard.
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
