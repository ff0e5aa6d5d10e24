//! Decisions: places where one of several options has to be taken.

use serde::{Deserialize, Serialize};

use super::{ClarificationOption, CustomInput};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::text::Span;

/// A question to decide between options.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Kind of ambiguity.
    pub(crate) kind: AmbiguityKind,
    /// How much hangs on it.
    pub(crate) severity: Severity,
    /// Place in the question.
    pub(crate) span: Option<Span>,
    /// Words in that place.
    pub(crate) phrase: String,
    /// Why it is asked.
    pub(crate) reason: String,
    /// Options, most likely first.
    pub(crate) options: Vec<ClarificationOption>,
    /// Position of the recommended option.
    pub(crate) recommended: Option<usize>,
    /// What may be entered instead.
    pub(crate) custom: Option<CustomInput>,
}

/// Who or what decided.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AssumptionSource {
    /// "Use your best guess", or clarification switched off.
    BestGuess,
    /// More was open than may be asked.
    Budget,
    /// A correction.
    Correction,
    /// A default that seldom matters.
    Default,
    /// What was chosen before.
    Memory,
    /// The asker's answer.
    User,
}
