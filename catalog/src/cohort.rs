//! Cohorts: subsets of a table's rows that people often mean by its name.

use serde::{Deserialize, Serialize};

/// A subset of the rows of a table, such as the patients in care.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Cohort {
    /// Key of the table.
    pub table: String,
    /// Label of a few words, such as "patients in care".
    pub label: String,
    /// One sentence that describes the rows of the subset.
    #[serde(default)]
    pub description: String,
    /// Column of the table that defines the subset.
    pub column: String,
    /// Whether the column must be NULL (true) or not NULL (false).
    #[serde(default)]
    pub missing: Option<bool>,
    /// Allowed values of the column.
    #[serde(default)]
    pub values: Vec<String>,
    /// Number of days up to and including today in which the date must lie.
    #[serde(default)]
    pub within_days: Option<u32>,
}
