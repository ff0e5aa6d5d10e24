//! Completing: continuations of a text that is typed, ranked by the place in the sentence and by the tables in play.
//!
//! The continuations are candidates: `session` checks which of them lead to a question that can be answered.

mod candidate;
mod expand;
mod names;
mod pattern;
mod position;
mod rank;
mod typed;

pub(crate) use candidate::{Candidate, Material, candidates, cuts, instead};
pub(crate) use names::Names;
pub(crate) use position::Earlier;

use serde::{Deserialize, Serialize};

use crate::data::Offer;
use crate::text::Span;

/// A continuation of a text that is typed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Completion {
    /// Span of the text that is replaced; empty if the words are only added.
    pub span: Span,
    /// Text that takes its place.
    pub insert: String,
    /// Words to show, which start with the words that they continue.
    pub label: String,
    /// What is offered.
    pub kind: CompletionKind,
    /// Whether it takes the place of words that cannot be continued.
    pub instead: bool,
    /// Whether the question that it leads to is asked about before it is answered.
    pub asks: bool,
}

/// What a completion offers.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CompletionKind {
    /// A column.
    Column,
    /// A comparison with another period.
    Comparison,
    /// What to group by.
    Grouping,
    /// A metric.
    Metric,
    /// A condition: a column, an operator and a value or number.
    Operator,
    /// An order, or the first rows of one.
    Order,
    /// A period.
    Period,
    /// The start of a question.
    Question,
    /// A table.
    Table,
    /// A stored value.
    Value,
}

impl From<Offer> for CompletionKind {
    fn from(offer: Offer) -> Self {
        match offer {
            Offer::Column => Self::Column,
            Offer::Comparison => Self::Comparison,
            Offer::Grouping => Self::Grouping,
            Offer::Metric => Self::Metric,
            Offer::Operator => Self::Operator,
            Offer::Order => Self::Order,
            Offer::Period => Self::Period,
            Offer::Question => Self::Question,
            Offer::Table => Self::Table,
            Offer::Value => Self::Value,
        }
    }
}
