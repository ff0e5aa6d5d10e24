//! Steps of an explanation.

use serde::{Deserialize, Serialize};

use crate::tree::SqlSpan;

/// One step of what a statement does.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Step {
    /// Kind of the step.
    pub kind: StepKind,
    /// Description, in lower case without a full stop.
    pub text: String,
    /// Form used in a sentence about the whole statement.
    pub clause: String,
    /// Span of the SQL that the step describes; zero-length at 0 if there is none.
    pub span: SqlSpan,
    /// Steps that compute the inputs of this step, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inner: Vec<Step>,
}

/// Kind of a step.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepKind {
    /// Combines the rows of several lists (set operation).
    Combine,
    /// Computes an aggregate or another value.
    Compute,
    /// Limits the number of rows.
    Cut,
    /// Groups rows.
    Group,
    /// Joins another source.
    Join,
    /// Filters rows.
    Keep,
    /// Filters groups.
    KeepGroups,
    /// Computes a list with steps of its own.
    List,
    /// Removes duplicate rows.
    Merge,
    /// Sorts rows.
    Order,
    /// Reads rows of a stored table.
    Read,
    /// Shows the output columns.
    Show,
}

impl StepKind {
    /// Name of the kind, as serialized.
    pub fn word(self) -> &'static str {
        match self {
            Self::Combine => "combine",
            Self::Compute => "compute",
            Self::Cut => "cut",
            Self::Group => "group",
            Self::Join => "join",
            Self::Keep => "keep",
            Self::KeepGroups => "keep_groups",
            Self::List => "list",
            Self::Merge => "merge",
            Self::Order => "order",
            Self::Read => "read",
            Self::Show => "show",
        }
    }
}
