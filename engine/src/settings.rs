//! All thresholds, weights and limits, with their defaults.

use serde::{Deserialize, Serialize};

/// Settings of an engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "switches that do not depend on each other")]
pub struct Settings {
    /// Whether clarifications are asked; if false, each ambiguity takes its best option and is listed as an assumption.
    pub enable_clarification: bool,
    /// Whether the engine composes statements; if false, only templates and a model write them.
    pub composer: bool,
    /// Whether questions that cannot be composed are given to a model.
    pub model: bool,
    /// Overall confidence below which a clarification is asked, 0 to 1 (`docs/spec.md` §2.3).
    pub ask_below: f64,
    /// Overall confidence above which the list of assumptions is collapsed, 0 to 1 (`docs/spec.md` §2.3).
    pub run_above: f64,
    /// Whether the weighted sum of the scores takes the place of the chance in the gate (`docs/spec.md` §2.3).
    pub weighted_gate: bool,
    /// Intent confidence below which the intent is clarified first, 0 to 1 (`docs/spec.md` §2.3).
    pub intent_below: f64,
    /// Minimum score difference at which the best binding wins; below it, rival bindings are kept as well.
    pub rival_gap: f64,
    /// Maximum number of clarifications per round (`docs/spec.md` §2.4).
    pub questions_per_round: u8,
    /// Maximum number of rounds of clarification (`docs/spec.md` §2.4).
    pub rounds: u8,
    /// Maximum number of rows of an answer.
    pub row_limit: u32,
    /// Number of times that a choice must be made before memory applies it (`docs/spec.md` §12).
    pub memory_frequency: u32,
    /// Share of consistent choices required for memory to apply one, 0 to 1 (`docs/spec.md` §12).
    pub memory_confidence: f64,
    /// Share of common words required for memory to treat two questions as similar, 0 to 1 (`docs/spec.md` §12).
    pub memory_similarity: f64,
    /// Maximum length of a question, in bytes.
    pub question_bytes: u32,
    /// First month of the fiscal year, 1 to 12.
    pub fiscal_year_start: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            enable_clarification: true,
            composer: true,
            model: false,
            ask_below: 0.55,
            run_above: 0.85,
            weighted_gate: false,
            intent_below: 0.6,
            rival_gap: 0.1,
            questions_per_round: 3,
            rounds: 2,
            row_limit: 1_000,
            memory_frequency: 3,
            memory_confidence: 0.8,
            memory_similarity: 0.7,
            question_bytes: 4_000,
            fiscal_year_start: 1,
        }
    }
}
