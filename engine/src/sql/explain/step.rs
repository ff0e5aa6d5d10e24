//! Steps of an explanation.

use serde::{Deserialize, Serialize};

use crate::sql::tree::SqlSpan;

/// One step of what a statement does.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// It in words, in lower case without a full stop.
    pub text: String,
    /// How it is said inside one sentence on the whole statement.
    pub clause: String,
    /// The part of the text that says it; zero-length at 0 where no part does.
    pub span: SqlSpan,
    /// Steps that are worked out for it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inner: Vec<Step>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepKind {
    /// Rows of several lists become one list.
    Combine,
    /// A figure or another value is worked out.
    Compute,
    /// Only some of the rows stay, by their number.
    Cut,
    /// Rows become one row for each of something.
    Group,
    /// Rows of another source are put beside those before.
    Join,
    /// Only rows that fit stay.
    Keep,
    /// Only groups that fit stay.
    KeepGroups,
    /// A list is worked out by its own steps.
    List,
    /// Rows that are the same become one.
    Merge,
    /// Rows are sorted.
    Order,
    /// Rows are taken from where they are stored.
    Read,
    /// What the answer shows.
    Show,
}

impl StepKind {
    /// Its name, as in the wire form.
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
