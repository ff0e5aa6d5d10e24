//! Vague terms of a company, such as "key account", with their possible definitions.

use serde::{Deserialize, Serialize};

/// A vague term that the pack defines, for the columns with some roles or for named columns.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct VagueTerm {
    /// Phrases that match the term, such as "key" and "important".
    pub forms: Vec<String>,
    /// Roles of the columns that the definitions apply to, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Columns that the definitions apply to, as `table.column`; they take precedence over roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Possible definitions, from one to five.
    pub options: Vec<VagueOption>,
}

/// A possible definition of a term, with exactly one condition.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct VagueOption {
    /// Label of a few words, such as "credit limit over 50,000".
    pub label: String,
    /// Column that this definition applies to, as `table.column`, if not those of the term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Role of the column that this definition applies to, if not those of the term.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whether this definition is recommended; exactly one is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
    /// Greater than this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// At least this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// Less than this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<f64>,
    /// Greater (true) or less (false) than the average of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_average: Option<bool>,
    /// Among the highest values, as a percentage of the rows from 1 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_percent: Option<u8>,
    /// Among the lowest values, as a percentage of the rows from 1 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lowest_percent: Option<u8>,
    /// A boolean column that is true, or false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<bool>,
    /// NULL (true) or not NULL (false).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<bool>,
    /// One of these values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// In the period of this many days that ends today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_days: Option<u32>,
    /// More than this many days ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_days: Option<u32>,
    /// From today until this many days from now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_days: Option<u32>,
}
