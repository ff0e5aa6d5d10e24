//! Metrics: named aggregates with a fixed definition.

use serde::{Deserialize, Serialize};

/// A named aggregate such as "revenue", with its definition.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// Name.
    pub name: String,
    /// Synonyms.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// One sentence that describes what the metric measures.
    #[serde(default)]
    pub description: String,
    /// Aggregate function.
    pub aggregate: MetricAggregate,
    /// Key of the table whose rows are aggregated.
    pub table: String,
    /// A column, or columns and numbers joined by `+ - * /` and parentheses; empty for a count of rows.
    #[serde(default)]
    pub expression: String,
    /// Unit of the result, such as `EUR`.
    #[serde(default)]
    pub unit: Option<String>,
    /// Date column that time expressions refer to, as `table.column`.
    #[serde(default)]
    pub date_column: Option<String>,
}

/// Aggregate function of a metric.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MetricAggregate {
    /// Arithmetic mean.
    Average,
    /// Number of rows or values.
    Count,
    /// Number of distinct values.
    CountDistinct,
    /// Largest value.
    Maximum,
    /// Smallest value.
    Minimum,
    /// Sum.
    #[default]
    Sum,
}
