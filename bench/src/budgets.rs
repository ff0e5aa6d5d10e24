//! Figures and their budgets.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The content of `bench/budgets.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budgets {
    pub(crate) attacks: AttacksBudget,
    pub(crate) catalogs: CatalogsBudget,
    pub(crate) package: PackageBudget,
    pub(crate) preview: PreviewBudget,
    pub(crate) proxy: ProxyBudget,
    pub(crate) sql: SqlBudget,
    pub(crate) stream: StreamBudget,
    pub(crate) web: WebBudget,
}

/// Share of a signed-in caller's requests that are not served during an attack, and milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttacksBudget {
    pub(crate) not_served_percent: f64,
    pub(crate) p99_ms: f64,
}

/// Kilobytes of 1,000 bytes, milliseconds, and microseconds per statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackageBudget {
    pub(crate) core_brotli_kb: f64,
    pub(crate) sql_brotli_kb: f64,
    pub(crate) words_brotli_kb: f64,
    pub(crate) cold_start_ms: f64,
    pub(crate) lint_us: f64,
}

/// Milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreviewBudget {
    pub(crate) p99_ms: f64,
    pub(crate) index_build_ms: f64,
}

/// Milliseconds (the overhead over a direct call, if there is one), and megabytes of 1,000,000 bytes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProxyBudget {
    pub(crate) slow_p99_added_ms: f64,
    pub(crate) quick_p50_added_ms: f64,
    pub(crate) quick_p99_added_ms: f64,
    pub(crate) memory_mb: f64,
    pub(crate) queries: f64,
    pub(crate) answer_p99_ms: f64,
}

/// CPU time: microseconds per statement, milliseconds for the guard.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SqlBudget {
    pub(crate) lint_us: f64,
    pub(crate) guard_ms: f64,
}

/// Milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CatalogsBudget {
    pub(crate) read_ms: f64,
    pub(crate) served_ms: f64,
}

/// Ratios to the times of `psql` and of DuckDB's Python client, and megabytes of 1,000,000 bytes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamBudget {
    pub(crate) driver_memory_mb: f64,
    pub(crate) memory_mb: f64,
    pub(crate) times_duckdb: f64,
    pub(crate) times_psql: f64,
}

/// Kilobytes of 1,000 bytes, and milliseconds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebBudget {
    pub(crate) shell_brotli_kb: f64,
    pub(crate) engine_brotli_kb: f64,
    pub(crate) keystroke_p95_ms: f64,
    pub(crate) keystroke_large_p95_ms: f64,
    pub(crate) click_p95_ms: f64,
    pub(crate) scroll_p95_ms: f64,
    pub(crate) chart_p95_ms: f64,
    pub(crate) load_ms: f64,
}

/// A measured figure.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) budget: Option<f64>,
}

impl Budgets {
    /// Reads `bench/budgets.toml`.
    pub(crate) fn read() -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("budgets.toml");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))
    }
}

/// Parses the last line of `file`, a JSON object of measurements.
pub(crate) fn measured<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .with_context(|| format!("no figures in the last line of {}", file.display()))
}

impl Figure {
    /// A figure with its budget, if it has one.
    pub(crate) fn new(
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        budget: Option<f64>,
    ) -> Self {
        Self { name: name.into(), value, unit, budget }
    }

    /// Whether the value exceeds the budget.
    pub(crate) fn is_beyond(&self) -> bool {
        self.budget.is_some_and(|budget| self.value > budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_budgets_can_be_read() {
        Budgets::read().unwrap();
    }
}
