//! Size and start of the package, as Node measured them.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// What `bench/package.mjs` writes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// Size of the module after brotli.
    brotli_bytes: f64,
    /// Starts, each in a process of its own.
    starts: Vec<Start>,
    /// Microseconds of a statement, of each round.
    lint_us: Vec<f64>,
}

/// One start, in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    compile: f64,
    instantiate: f64,
    index: f64,
    lint: f64,
}

/// Size, and medians of each part of a start and of the whole.
pub(crate) fn figures(file: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let measured: Measurement = measured(file)?;
    if measured.starts.is_empty() {
        bail!("nothing was measured in {}", file.display());
    }
    let part = |name: &str, of: fn(&Start) -> f64, budget: Option<f64>| {
        let median = median(measured.starts.iter().map(of).collect());
        Figure::new(format!("package, {name}"), median, "ms", budget)
    };
    let size = measured.brotli_bytes / 1_000.0;
    Ok(vec![
        Figure::new("package, brotli", size, "kB", Some(budgets.package.brotli_kb)),
        part("compile", |start| start.compile, None),
        part("instantiate", |start| start.instantiate, None),
        part("first index", |start| start.index, None),
        part("first lint", |start| start.lint, None),
        part(
            "cold start",
            |start| start.compile + start.instantiate + start.index + start.lint,
            Some(budgets.package.cold_start_ms),
        ),
        Figure::new(
            "package, lint of a statement",
            median(measured.lint_us),
            "us",
            Some(budgets.package.lint_us),
        ),
    ])
}

/// The value in the middle, or the lower one of two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn median_stands_in_the_middle() {
        for (values, middle) in [(vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0], 1.0)] {
            assert!((median(values) - middle).abs() < f64::EPSILON);
        }
    }
}
