//! Rows of a result.

use serde::{Deserialize, Serialize};

use super::Cell;
use crate::catalog::DataType;
use crate::text::Span;

/// A result: columns and rows.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ResultSet {
    /// Columns, in order.
    pub columns: Vec<ResultColumn>,
    /// Rows; each has one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether rows were dropped because of a limit on rows or bytes.
    #[serde(default)]
    pub truncated: bool,
    /// The first of the cells that were cut because of a limit on their size, at most 100. Their texts end in `…`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut_cells: Vec<CutCell>,
    /// Number of cells that were cut.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut_count: u32,
    /// Execution time in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u32,
    /// Steps of the statement in order of execution; empty if the host does not explain it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explained: Vec<ExplainedStep>,
}

/// A cell that was cut.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct CutCell {
    /// Index of the row.
    pub row: u32,
    /// Index of the column.
    pub column: u32,
    /// Length of the whole text in bytes.
    pub length: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A step of a statement.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ExplainedStep {
    /// The step in words, in lower case without a full stop.
    pub text: String,
    /// Span in the statement; empty at 0 if the step corresponds to no part of it.
    pub span: Span,
    /// Nesting depth: number of enclosing steps.
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
