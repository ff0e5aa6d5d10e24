//! Query templates: SQL for a known kind of question.

use serde::{Deserialize, Serialize};

/// A query template of a pack: SQL with named parameters for a known kind of question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct QueryTemplate {
    /// Stable name.
    pub name: String,
    /// One sentence on what it answers.
    pub description: String,
    /// Area it belongs to.
    #[serde(default)]
    pub area: Option<String>,
    /// Example questions; `{parameter}` marks where a parameter's words stand.
    pub examples: Vec<String>,
    /// Parameters, each used in the SQL as `:name`.
    #[serde(default)]
    pub parameters: Vec<TemplateParameter>,
    /// One SELECT statement with `:name` parameters, in PostgreSQL's dialect.
    pub sql: String,
}

/// A parameter of a query template.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct TemplateParameter {
    /// Name used as `:name`.
    pub name: String,
    /// Type of the value.
    #[serde(rename = "type")]
    pub parameter_type: ParameterType,
    /// What it means, shown when it is asked.
    #[serde(default)]
    pub description: String,
    /// Values of a structural enum.
    #[serde(default)]
    pub allowed_values: Vec<String>,
    /// Table whose column holds the allowed values.
    #[serde(default)]
    pub table: Option<String>,
    /// Column that holds the allowed values.
    #[serde(default)]
    pub column: Option<String>,
    /// Value used when the question names none.
    #[serde(default)]
    pub default: Option<String>,
    /// Smallest value of a number.
    #[serde(default)]
    pub minimum: Option<f64>,
    /// Largest value of a number.
    #[serde(default)]
    pub maximum: Option<f64>,
    /// Weight in the confidence, 0.3 to 1.0 (`spec` §2.1).
    #[serde(default)]
    pub weight: Option<f64>,
}

/// Type of a template parameter.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ParameterType {
    /// Boolean.
    Boolean,
    /// Calendar date.
    Date,
    /// One of `allowed_values`.
    Enum,
    /// Whole number.
    Integer,
    /// Number.
    Number,
    /// Text.
    #[default]
    String,
}
