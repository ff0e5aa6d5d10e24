//! Every threshold, weight and limit, with its default.

use serde::{Deserialize, Serialize};

/// Settings of an engine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Ask nothing: every ambiguity takes its best option and is listed as an assumption.
    pub enable_clarification: bool,
    /// Statements are composed; without it, only templates and a model write.
    pub composer: bool,
    /// What cannot be composed is given to a model to write.
    pub model: bool,
    /// Overall confidence below which something is asked (`spec` §2.3).
    pub ask_below: f64,
    /// Overall confidence above which the assumptions stay folded (`spec` §2.3).
    pub run_above: f64,
    /// Intent confidence below which the intent is asked first (`spec` §2.3).
    pub intent_below: f64,
    /// Gap between the best binding and its rival below which both survive.
    pub rival_gap: f64,
    /// Most clarifications asked in one round (`spec` §2.4).
    pub questions_per_round: u8,
    /// Most rounds of clarification (`spec` §2.4).
    pub rounds: u8,
    /// Most rows of an answer.
    pub row_limit: u32,
    /// Times that a choice is made before it is taken from memory (`spec` §12).
    pub memory_frequency: u32,
    /// Share of choices that must be the same to be taken from memory, 0 to 1 (`spec` §12).
    pub memory_confidence: f64,
    /// Share of words that two questions share where memory holds for both, 0 to 1 (`spec` §12).
    pub memory_similarity: f64,
    /// Longest question, in bytes.
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
            ask_below: 0.75,
            run_above: 0.85,
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
