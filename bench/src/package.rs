//! Size and cold start of the package, measured in Node.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// Output of `bench/package.mjs`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// Sizes of the files after brotli compression.
    brotli_bytes: Sizes,
    /// Cold starts, each in its own process.
    starts: Vec<Start>,
    /// Microseconds per statement, one value for each round.
    lint_us: Vec<f64>,
}

/// Sizes of the files, in bytes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    /// Module of the entry `wherefore`.
    core: f64,
    /// Module of the entry `wherefore/sql`.
    sql: f64,
    /// Words of the engine.
    words: f64,
}

/// Phases of a cold start of the core, in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    compile: f64,
    instantiate: f64,
    index: f64,
    preview: f64,
}

/// Size, and medians of each phase and of the total.
pub(crate) fn figures(file: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let measured: Measurement = measured(file)?;
    if measured.starts.is_empty() {
        bail!("nothing was measured in {}", file.display());
    }
    let part = |name: &str, of: fn(&Start) -> f64, budget: Option<f64>| {
        let median = median(measured.starts.iter().map(of).collect());
        Figure::new(format!("package, {name}"), median, "ms", budget)
    };
    let size = |entry: &str, bytes: f64, budget: f64| {
        Figure::new(format!("{entry}, brotli"), bytes / 1_000.0, "kB", Some(budget))
    };
    Ok(vec![
        size("wherefore", measured.brotli_bytes.core, budgets.package.core_brotli_kb),
        size("wherefore/sql", measured.brotli_bytes.sql, budgets.package.sql_brotli_kb),
        size("wherefore/data", measured.brotli_bytes.words, budgets.package.words_brotli_kb),
        part("compile", |start| start.compile, None),
        part("instantiate", |start| start.instantiate, None),
        part("first index", |start| start.index, None),
        part("first preview", |start| start.preview, None),
        part(
            "cold start",
            |start| start.compile + start.instantiate + start.index + start.preview,
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

/// The median; the lower one of an even number of values.
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
