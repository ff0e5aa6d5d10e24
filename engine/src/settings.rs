//! All thresholds, weights and limits, with their defaults.

use serde::{Deserialize, Serialize};

/// How readily ambiguities are asked about.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Asking {
    /// Also about those that rarely matter, and where the answer is fairly sure to be right.
    Often,
    /// Only without an answer no statement can be written, or words would be left out.
    Seldom,
    /// About those whose options give different rows.
    #[default]
    Usual,
}

/// Options of the clarification about some words: which, in which order, and which is recommended.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct OptionOrder {
    /// The ambiguous words, such as "recent".
    pub phrase: String,
    /// Ids of the options that come first, in order.
    pub options: Vec<String>,
    /// Whether other options are left out, if at least one of these is offered.
    pub only: bool,
    /// Id of the option that is recommended.
    pub recommended: Option<String>,
}

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
    /// How readily ambiguities are asked about (`docs/spec.md` §2.4).
    pub asking: Asking,
    /// Options of clarifications that differ from the built-in ones, and their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionOrder>,
    /// Whether planned joins are confirmed or corrected before a statement is composed (`docs/spec.md` §13).
    pub confirm_joins: bool,
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
    /// Maximum number of corrections per question (`docs/spec.md` §13).
    pub corrections: u8,
    /// Maximum number of rows of an answer.
    pub row_limit: u32,
    /// Number of times that a choice must be made before memory applies it (`docs/spec.md` §12).
    pub memory_frequency: u32,
    /// Share of consistent choices required for memory to apply one, 0 to 1 (`docs/spec.md` §12).
    pub memory_confidence: f64,
    /// Share of common words required for memory to treat two questions as similar, 0 to 1 (`docs/spec.md` §12).
    pub memory_similarity: f64,
    /// Maximum number of remembered choices of a person; beyond it, the least recently used one is dropped.
    pub memory_patterns: u32,
    /// Number of marks as needless from which a question is not asked any more; 0 if marks only count
    /// (`docs/spec.md` §12).
    pub needless_marks: u32,
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
            asking: Asking::Usual,
            options: Vec::new(),
            confirm_joins: false,
            ask_below: 0.65,
            run_above: 0.85,
            weighted_gate: false,
            intent_below: 0.6,
            rival_gap: 0.1,
            questions_per_round: 3,
            rounds: 2,
            corrections: 3,
            row_limit: 1_000,
            memory_frequency: 3,
            memory_confidence: 0.8,
            memory_similarity: 0.7,
            memory_patterns: 500,
            needless_marks: 2,
            question_bytes: 4_000,
            fiscal_year_start: 1,
        }
    }
}

impl Settings {
    /// Checks that every number is in its range; the error names the setting, the range and the number.
    pub fn check(&self) -> Result<(), String> {
        let shares = [
            ("ask_below", self.ask_below),
            ("run_above", self.run_above),
            ("intent_below", self.intent_below),
            ("rival_gap", self.rival_gap),
            ("memory_confidence", self.memory_confidence),
            ("memory_similarity", self.memory_similarity),
        ];
        if let Some((name, share)) =
            shares.into_iter().find(|(_, share)| !(0.0..=1.0).contains(share))
        {
            return Err(format!("{name} must be between 0 and 1; got {share}"));
        }
        let numbers = [
            ("questions_per_round", 1, 20, u32::from(self.questions_per_round)),
            ("rounds", 0, 20, u32::from(self.rounds)),
            ("corrections", 0, 20, u32::from(self.corrections)),
            ("row_limit", 1, 100_000, self.row_limit),
            ("memory_frequency", 1, 1_000, self.memory_frequency),
            ("memory_patterns", 1, 500, self.memory_patterns),
            ("needless_marks", 0, 1_000, self.needless_marks),
            ("question_bytes", 100, 100_000, self.question_bytes),
            ("fiscal_year_start", 1, 12, u32::from(self.fiscal_year_start)),
        ];
        for (name, least, most, number) in numbers {
            if !(least..=most).contains(&number) {
                return Err(format!("{name} must be between {least} and {most}; got {number}"));
            }
        }
        match self.options.iter().find(|one| one.phrase.trim().is_empty()) {
            Some(_) => Err("each of options needs a phrase".to_owned()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_named() {
        assert_eq!(Settings::default().check(), Ok(()));
        let settings = Settings { ask_below: 1.5, ..Settings::default() };
        assert_eq!(settings.check().unwrap_err(), "ask_below must be between 0 and 1; got 1.5");
        let settings = Settings { memory_patterns: 0, ..Settings::default() };
        let error = settings.check().unwrap_err();
        assert_eq!(error, "memory_patterns must be between 1 and 500; got 0");
        let settings = Settings { options: vec![OptionOrder::default()], ..Settings::default() };
        assert_eq!(settings.check().unwrap_err(), "each of options needs a phrase");
    }
}
