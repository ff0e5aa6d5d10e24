//! Metrics: words with one definition.

use serde::{Deserialize, Serialize};

/// A word such as "revenue" with its definition.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// The word.
    pub name: String,
    /// Other words for it.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// One sentence on what it measures.
    #[serde(default)]
    pub description: String,
    /// How values are put together.
    pub aggregate: MetricAggregate,
    /// Key of the table whose rows are aggregated.
    pub table: String,
    /// A column, or columns and numbers joined by `+ - * /` and brackets; empty for a count of rows.
    #[serde(default)]
    pub expression: String,
    /// Unit of the result, such as `EUR`.
    #[serde(default)]
    pub unit: Option<String>,
    /// Date column that a time expression means, as `table.column`.
    #[serde(default)]
    pub date_column: Option<String>,
}

/// How a metric's values are put together.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MetricAggregate {
    /// Mean.
    Average,
    /// Number of rows or values.
    Count,
    /// Number of different values.
    CountDistinct,
    /// Largest.
    Maximum,
    /// Smallest.
    Minimum,
    /// Sum.
    #[default]
    Sum,
}
