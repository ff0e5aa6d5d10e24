//! Latency of previews, measured in Chromium.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// Output of `bench/preview.mjs`, in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// Mean time of a preview, one value for each typed prefix.
    previews: Vec<f64>,
    /// Time of each index build.
    index_builds: Vec<f64>,
}

/// Percentiles of the previews, and the index build.
pub(crate) fn figures(file: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let mut measured: Measurement = measured(file)?;
    if measured.previews.is_empty() || measured.index_builds.is_empty() {
        bail!("nothing was measured in {}", file.display());
    }
    measured.previews.sort_by(f64::total_cmp);
    measured.index_builds.sort_by(f64::total_cmp);
    let figure = |name: &str, value: f64, budget: Option<f64>| Figure {
        name: name.to_owned(),
        value,
        unit: "ms",
        budget,
    };
    Ok(vec![
        figure("preview, p50", percentile(&measured.previews, 50), None),
        figure("preview, p99", percentile(&measured.previews, 99), Some(budgets.preview.p99_ms)),
        figure(
            "index build, p50",
            percentile(&measured.index_builds, 50),
            Some(budgets.preview.index_build_ms),
        ),
    ])
}

/// Nearest-rank percentile of sorted values.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentile_is_a_value_of_the_list() {
        let sorted: Vec<f64> = (1..=200).map(f64::from).collect();
        for (percent, value) in [(50, 100.0), (99, 198.0), (100, 200.0)] {
            assert!((percentile(&sorted, percent) - value).abs() < f64::EPSILON);
        }
        assert!((percentile(&[7.0], 99) - 7.0).abs() < f64::EPSILON);
    }
}
