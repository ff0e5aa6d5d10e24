//! Other readings of single words, tried where the question cannot be read by the best ones.
//!
//! About half of such readings are right (Spider, development part), so the asker confirms them.

use super::interpreter::Interpreter;
use super::verdict::{Derived, Material, Verdict};
use crate::compose::{Decisions, Settled};
use crate::failure::FailureCode;
use crate::linking::ValueIndex;
use crate::reading::Part;
use crate::text::fold;

/// Maximum number of variants that are derived for one question.
const VARIANTS: usize = 8;
/// Largest distance of a reading's score from that of the first for it to be tried, 0 to 1.
const GAP: f64 = 0.4;
/// Distance at which a verb is tried without a tie, 0 to 1.
const UNTIED: f64 = 0.2;
/// Minimum chance of a statement from another reading, 0 to 1.
const ENOUGH: f64 = 0.6;

impl Interpreter<'_> {
    /// The likeliest derivation with another reading of one word, where the question cannot be written otherwise.
    pub(super) fn rival(
        &self,
        text: &str,
        material: &Material,
        first: &Derived,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Option<Derived> {
        // What is not composed is left to the model, if there is one; other ties compose no further construction.
        let tied = match &first.interpretation.verdict {
            Verdict::Failed(failure) => failure.code != FailureCode::NotComposable,
            _ => false,
        };
        if self.settings.model || !tied {
            return None;
        }
        let mut best: Option<(f64, Derived)> = None;
        for read in self.variants(&material.read).into_iter().take(VARIANTS) {
            let varied = Material { read, ..material.clone() };
            let other = Derived { unsure: true, ..self.derive(text, &varied, decisions, found) };
            let Some(chance) = other.chance().filter(|chance| *chance >= ENOUGH) else { continue };
            if best.as_ref().is_none_or(|(known, _)| chance > *known) {
                best = Some((chance, other));
            }
        }
        best.map(|(_, derived)| derived)
    }
}

impl Interpreter<'_> {
    /// The mentions with another reading of one of them, or with a verb that is tied only in part left untied, nearest
    /// scores first.
    fn variants(&self, read: &Settled) -> Vec<Settled> {
        let mut varied: Vec<(f64, Settled)> = Vec::new();
        for (at, mention) in read.mentions.iter().enumerate() {
            let Some(first) = mention.readings.first() else { continue };
            if read.parts.get(at) != Some(&Part::Schema) {
                continue;
            }
            for skipped in 1..mention.readings.len() {
                let distance = first.score - mention.readings[skipped].score;
                if distance > GAP {
                    break;
                }
                let mut other = read.clone();
                other.mentions[at].readings.drain(..skipped);
                varied.push((distance, other));
            }
            // "which warehouse holds the most stock" has nothing to do with a "credit hold".
            let word = fold(&mention.phrase);
            let verb = self.lexicon.is_verb(&word) || self.lexicon.is_used_as_verb(&word);
            if verb && at > 0 && !first.method.is_whole() {
                let mut other = read.clone();
                other.mentions[at].readings.clear();
                other.parts[at] = Part::Unknown;
                varied.push((UNTIED, other));
            }
        }
        crate::order::by(&mut varied, |one, other| one.0.total_cmp(&other.0));
        varied.into_iter().map(|(_, read)| read).collect()
    }
}
