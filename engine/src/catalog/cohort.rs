//! Cohorts: parts of a population that people often mean by its name.

use serde::{Deserialize, Serialize};

/// A part of the rows of a table, such as the patients in care.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Cohort {
    /// Key of the table.
    pub table: String,
    /// A few words, such as "patients in care".
    pub label: String,
    /// One sentence on who belongs to it.
    #[serde(default)]
    pub description: String,
    /// Column of the table that decides.
    pub column: String,
    /// Whether the column is NULL, or is not.
    #[serde(default)]
    pub missing: Option<bool>,
    /// Values of which the column holds one.
    #[serde(default)]
    pub values: Vec<String>,
    /// Days, today included, in which the date of the column lies.
    #[serde(default)]
    pub within_days: Option<u32>,
}
