//! Rows that a data source gave back.

use serde::{Deserialize, Serialize};

use crate::catalog::DataType;
use crate::text::Span;

/// Rows with their columns.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ResultSet {
    /// Columns, in order.
    pub columns: Vec<ResultColumn>,
    /// Rows; each has one cell a column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether rows were left out because of a cap on rows or bytes.
    #[serde(default)]
    pub truncated: bool,
    /// Time the data source took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u32,
    /// What the statement does, in the order in which it is worked out; empty where the host does not say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<ExplainedStep>,
}

/// A step of what a statement does.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ExplainedStep {
    /// It in words, in lower case without a full stop.
    pub text: String,
    /// The part of the statement that says it; zero-length at 0 where no part does.
    pub span: Span,
    /// How many steps it stands within: what a list is worked out by stands behind the list.
    #[serde(default)]
    pub depth: u8,
}

/// A column of a result.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ResultColumn {
    /// Name.
    pub name: String,
    /// Type family.
    #[serde(default)]
    pub data_type: DataType,
}

/// A cell; whole numbers beyond ±2^53 and exact decimals come as text, with the column's type telling so.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Cell {
    /// NULL.
    #[default]
    Null,
    /// True or false.
    Boolean(bool),
    /// Whole number within ±2^53.
    Integer(i64),
    /// Floating-point number.
    Number(f64),
    /// Text, and whatever has no JSON form of its own.
    Text(String),
}
