//! Ambiguities: places in a question that have several plausible readings, or lack a required one.

use serde::{Deserialize, Serialize};

/// Kinds of ambiguity.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AmbiguityKind {
    /// "Average" or "total" without a time unit, or a metric without an aggregate function.
    Aggregation,
    /// Several columns match the same words.
    Column,
    /// "And", "or", "either" or "each" with several possible scopes.
    Condition,
    /// A population, such as "customers", that several cohorts match.
    Cohort,
    /// The question does not say what to show.
    Intent,
    /// Several join paths, or several foreign keys to the same table.
    Join,
    /// A metric with several definitions.
    MetricDefinition,
    /// Several tables match the same words.
    Table,
    /// A comparison without a number.
    Threshold,
    /// A trend or rate without a period.
    TimeWindow,
    /// Words that match nothing in the catalog.
    UnknownTerm,
    /// A value that is stored in several columns, or is similar to several stored values.
    Value,
    /// A vague word, such as "recent", that needs a definition.
    VagueTerm,
}

/// How much an ambiguity matters.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The ambiguity must be resolved before a statement can be written.
    Critical,
    /// The readings return different rows.
    Important,
    /// The readings differ only in presentation; never asked about.
    Minor,
}
