//! Ambiguities: places where several readings of a question survive, or a needed one is missing.

use serde::{Deserialize, Serialize};

/// Kinds of ambiguity.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AmbiguityKind {
    /// "Average" or "total" without a grain, or a metric without an operation.
    Aggregation,
    /// Several columns fit the same words.
    Column,
    /// And, or, either, each: several scopes.
    Condition,
    /// A population that may mean several cohorts.
    Cohort,
    /// Nothing says what is asked for.
    Intent,
    /// Several join paths or roles.
    Join,
    /// Several definitions of a metric.
    MetricDefinition,
    /// Several tables fit the same words.
    Table,
    /// A comparison without a number.
    Threshold,
    /// A trend or rate without a period.
    TimeWindow,
    /// Words that tie to nothing in the catalog.
    UnknownTerm,
    /// A value stored in several columns, or near several values.
    Value,
    /// A word of the dictionary that needs a definition.
    VagueTerm,
}

/// How much hangs on an ambiguity.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nothing can be written without it.
    Critical,
    /// The rows would differ.
    Important,
    /// Only the presentation would differ: never asked.
    Minor,
}
