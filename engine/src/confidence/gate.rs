//! The confidence of a whole question, and what it permits (`docs/spec.md` §2.3).

use serde::{Deserialize, Serialize};

use crate::settings::{Asking, Settings};

/// How much higher the overall confidence must be where the asker is asked often.
const ASKED_OFTEN: f64 = 0.2;

/// Confidence of a reading; each score is 0 to 1 (`docs/spec.md` §2.3).
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Confidence {
    /// Chance that the statement answers the question; without a composed statement the weighted sum of the others.
    pub overall: f64,
    /// Clarity of what the question asks for.
    pub intent: f64,
    /// 1 if any table was found, else 0.
    pub retrieval: f64,
    /// Number of matched terms divided by 3, at most 1.
    pub terms: f64,
    /// 1 if a join path exists or none is needed, else 0.5.
    pub join: f64,
}

/// Overall confidence: 0.4·intent + 0.3·retrieval + 0.2·min(terms / 3, 1) + 0.1·join.
pub(crate) fn overall(
    intent: f64,
    any_table: bool,
    mapped_terms: usize,
    joined: bool,
) -> Confidence {
    let retrieval = if any_table { 1.0 } else { 0.0 };
    let terms = (mapped_terms as f64 / 3.0).min(1.0);
    let join = if joined { 1.0 } else { 0.5 };
    let overall = 0.4 * intent + 0.3 * retrieval + 0.2 * terms + 0.1 * join;
    Confidence {
        overall: round(overall),
        intent: round(intent),
        retrieval,
        terms: round(terms),
        join,
    }
}

impl Confidence {
    /// Weighted sum of the scores: 0.4·intent + 0.3·retrieval + 0.2·terms + 0.1·join.
    pub fn weighted(&self) -> f64 {
        round(0.4 * self.intent + 0.3 * self.retrieval + 0.2 * self.terms + 0.1 * self.join)
    }
}

/// Rounded to three decimals, so that it prints the same on every platform.
fn round(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// The step that a confidence permits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Gate {
    /// A clarification must be answered before a statement is written.
    Ask,
    /// The intent must be clarified before anything else.
    AskIntent,
    /// The statement runs, with the assumptions expanded on screen.
    RunShown,
    /// The statement runs.
    Run,
}

impl Gate {
    /// What a confidence permits; `mapped_terms` counts the terms matched in the catalog.
    pub(crate) fn of(confidence: &Confidence, mapped_terms: usize, settings: &Settings) -> Self {
        let overall =
            if settings.weighted_gate { confidence.weighted() } else { confidence.overall };
        let more = if settings.asking == Asking::Often { ASKED_OFTEN } else { 0.0 };
        let ask_below = (settings.ask_below + more).min(1.0);
        if confidence.intent < settings.intent_below {
            Self::AskIntent
        } else if overall < ask_below
            || confidence.retrieval == 0.0
            || mapped_terms == 0 && confidence.intent < 0.9
        {
            Self::Ask
        } else if overall > settings.run_above {
            Self::Run
        } else {
            Self::RunShown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gate, overall};
    use crate::settings::Settings;

    // Promise: confidence.weighted-sum
    #[test]
    fn the_gate_follows_its_thresholds() {
        let settings = Settings { ask_below: 0.75, weighted_gate: true, ..Settings::default() };
        let verdict = |intent, table, terms, joined| {
            Gate::of(&overall(intent, table, terms, joined), terms, &settings)
        };
        assert_eq!(verdict(0.95, true, 3, true), Gate::Run);
        assert_eq!(verdict(0.9, true, 1, true), Gate::RunShown);
        assert_eq!(verdict(0.7, true, 1, false), Gate::Ask);
        assert_eq!(verdict(0.95, false, 0, true), Gate::Ask);
        assert_eq!(verdict(0.5, true, 3, true), Gate::AskIntent);
    }
}
