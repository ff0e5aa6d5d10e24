//! Query templates: SQL for known kinds of questions.

use serde::{Deserialize, Serialize};

/// A query template of a pack: SQL with named parameters that answers a known kind of question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct QueryTemplate {
    /// Stable name.
    pub name: String,
    /// One sentence that describes what the template answers.
    pub description: String,
    /// Area that the template belongs to.
    #[serde(default)]
    pub area: Option<String>,
    /// Example questions; `{parameter}` marks the position of a parameter's value.
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
    /// Description, shown when the user is asked for the value.
    #[serde(default)]
    pub description: String,
    /// Allowed values of an enum.
    #[serde(default)]
    pub allowed_values: Vec<String>,
    /// Table of the column with the allowed values.
    #[serde(default)]
    pub table: Option<String>,
    /// Column with the allowed values.
    #[serde(default)]
    pub column: Option<String>,
    /// Default value, used if the question gives none; of a date, `yyyy-mm-dd` or the name of a relative day such as
    /// `start_of_month`; of a string, `current_user` for the person who asks.
    #[serde(default)]
    pub default: Option<String>,
    /// Minimum of a number.
    #[serde(default)]
    pub minimum: Option<f64>,
    /// Maximum of a number.
    #[serde(default)]
    pub maximum: Option<f64>,
    /// Regular expression that a whole text must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Weight of the parameter in the confidence of a match, 0.3 to 1.0 (`docs/spec.md` §2.1).
    #[serde(default)]
    pub weight: Option<f64>,
}

/// Default of a string that stands for the person who asks.
pub const CURRENT_USER: &str = "current_user";

impl TemplateParameter {
    /// Whether the default is the person who asks.
    pub fn is_current_user(&self) -> bool {
        self.parameter_type == ParameterType::String
            && self.default.as_deref() == Some(CURRENT_USER)
    }
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
