//! Decisions that the engine has to make between options, and who made them.

use serde::{Deserialize, Serialize};

use super::{ClarificationOption, CustomInput};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::text::Span;

/// A decision to make, as input for a clarification.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Kind of ambiguity.
    pub(crate) kind: AmbiguityKind,
    /// Severity of the ambiguity.
    pub(crate) severity: Severity,
    /// Span of the ambiguous words in the question.
    pub(crate) span: Option<Span>,
    /// Words in the span.
    pub(crate) phrase: String,
    /// How the question connects the phrase with an option.
    pub(crate) relation: Relation,
    /// Why the clarification is asked.
    pub(crate) reason: String,
    /// Options, most likely first.
    pub(crate) options: Vec<ClarificationOption>,
    /// Index of the recommended option.
    pub(crate) recommended: Option<usize>,
    /// Input that is accepted instead of an option.
    pub(crate) custom: Option<CustomInput>,
}

/// How a question connects a phrase with an option.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Relation {
    /// The phrase is a condition that applies to the option: a part of what the question lists.
    AppliesTo,
    /// The phrase compares with the rows of the option: an average of all rows, or of the selected ones.
    ComparesWith,
    /// The phrase orders rows by the option.
    GoesBy,
    /// The phrase refers to rows that are reached through the option.
    RefersTo,
    /// The phrase cannot be used, and the option takes its place.
    Instead,
    /// The phrase is a value of the option: a column.
    Is,
    /// The phrase means the option.
    Means,
    /// The option is the period asked about.
    Period,
    /// The first option was taken for the phrase, and may be wrong.
    Right,
    /// The phrase is named in the data, but the question has no place for it.
    Unplaced,
}

/// Who or what made a decision.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AssumptionSource {
    /// The engine, because the user chose the best guess or clarification is switched off.
    BestGuess,
    /// The engine, because the rounds of clarification are used up.
    Budget,
    /// A correction by the user.
    Correction,
    /// The engine, because the ambiguity rarely matters.
    Default,
    /// Memory of earlier choices.
    Memory,
    /// The language model that wrote the statement.
    Model,
    /// The user's answer.
    User,
}
