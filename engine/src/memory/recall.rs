//! Looks up earlier choices for the same ambiguity in a similar question.

use std::collections::BTreeSet;

use super::{Memory, Pattern, Scope, similarity};
use crate::ambiguity::AmbiguityKind;
use crate::order;
use crate::settings::Settings;
use crate::text::{fold, stem};

/// Result of looking up an ambiguity in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recalled<'a> {
    /// Different choices were made, and none of them clearly dominates.
    Contradictory(Vec<&'a Pattern>),
    /// One choice was made often enough, or the user asked to remember it.
    Known(&'a Pattern),
}

/// Looks up an ambiguity; the user's own choices take precedence over those of the data source. Each mark as needless
/// lowers by one the number of same choices that are needed.
pub(crate) fn recall<'a>(
    memory: &'a Memory,
    settings: &Settings,
    (ambiguity, phrase): (AmbiguityKind, &str),
    context: &[String],
) -> Option<Recalled<'a>> {
    let marks = memory.marked(ambiguity, phrase).map_or(0, |marked| marked.marks);
    let marks = if settings.needless_marks == 0 { 0 } else { marks };
    let frequency = settings.memory_frequency.saturating_sub(marks).max(1);
    let phrase = fold(phrase);
    let context = with(&phrase, context);
    let of = |scope: Scope| {
        let fits = |pattern: &&Pattern| {
            pattern.scope == scope
                && pattern.ambiguity == ambiguity
                && pattern.phrase == phrase
                && similarity(&with(&phrase, &pattern.context), &context)
                    > settings.memory_similarity
        };
        memory.patterns.iter().filter(fits).collect::<Vec<&Pattern>>()
    };
    [Scope::Person, Scope::DataSource]
        .into_iter()
        .map(of)
        .find(|patterns| !patterns.is_empty())
        .and_then(|patterns| weigh(patterns, settings, frequency))
}

/// A context with the stems of the folded phrase asked about: an unknown word that became a stored value is no longer
/// in the context of the question that was answered.
fn with(phrase: &str, context: &[String]) -> Vec<String> {
    let own = phrase.split_whitespace().map(stem);
    let words: BTreeSet<String> = context.iter().cloned().chain(own).collect();
    words.into_iter().collect()
}

fn weigh<'a>(
    mut patterns: Vec<&'a Pattern>,
    settings: &Settings,
    frequency: u32,
) -> Option<Recalled<'a>> {
    let fixed: Vec<&Pattern> = patterns.iter().copied().filter(|pattern| pattern.fixed).collect();
    if let [one] = fixed.as_slice() {
        return Some(Recalled::Known(one));
    }
    order::by(&mut patterns, |a, b| b.frequency.cmp(&a.frequency).then_with(|| a.id.cmp(&b.id)));
    let total: u32 = patterns.iter().map(|pattern| pattern.frequency).sum();
    let most = *patterns.first()?;
    let share = f64::from(most.frequency) / f64::from(total.max(1));
    if fixed.is_empty() && most.frequency >= frequency && share > settings.memory_confidence {
        return Some(Recalled::Known(most));
    }
    (patterns.len() > 1 && total >= settings.memory_frequency)
        .then_some(Recalled::Contradictory(patterns))
}

impl Pattern {
    /// Why the remembered choice was applied, for users.
    pub(crate) fn reason(&self) -> String {
        if self.fixed {
            "you asked to remember it".to_owned()
        } else {
            match self.frequency {
                1 => "chosen the last time".to_owned(),
                times => format!("chosen the last {times} times"),
            }
        }
    }

    /// Meaning and frequency of a pattern, for users.
    pub(crate) fn told(&self) -> String {
        let times = match self.frequency {
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        format!("“{}” {times}", self.meaning)
    }
}
