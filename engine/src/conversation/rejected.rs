//! What gives way in a correction: "spring, not fall", "not fall, spring", "by month instead of by status".
//!
//! Valid: the words behind "not" where a comma stands before it, those behind "instead of", and those between "not" at the
//! start and a comma. Invalid: "shipped and not paid" and "not shipped", which are conditions. Where the earlier question has
//! nothing of what the words name, they are conditions as well.

use std::ops::Range;

use super::cue::CueWords;
use super::turn::Turn;
use crate::linking::{Lexical, Mention, Target};
use crate::reading::{Condition, CountTarget, Frame, Group, Measure, MeasureTarget};

/// Where a text says what gives way, in words of the text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Contrast {
    /// The words that name it.
    pub(super) rejected: Range<usize>,
    /// These, with the words that say so and the comma.
    pub(super) said: Range<usize>,
}

/// What gave way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gone {
    /// A group.
    pub(super) group: bool,
    /// One of several values.
    pub(super) value: bool,
    /// A shown column.
    pub(super) output: bool,
}

impl CueWords {
    /// Finds what gives way in words of a text.
    pub(super) fn contrast(&self, words: &[String], within: Range<usize>) -> Option<Contrast> {
        let Range { start, end } = within;
        let comma = |at: usize| words.get(at).is_some_and(|word| word == ",");
        for at in start..end {
            let Some(length) = self.rejection(&words[at..end]) else { continue };
            let from = at + length;
            let ends = (from..end).find(|next| {
                comma(*next) || at == start && words.get(*next).is_some_and(|word| word == "but")
            });
            if at == start {
                let to = ends.filter(|to| *to > from && to + 1 < end)?;
                return Some(Contrast { rejected: from..to, said: at..to + 1 });
            }
            let apart = comma(at - 1);
            if from == end || !apart && words[at].ends_with("not") {
                continue;
            }
            let to = ends.unwrap_or(end);
            // Words behind a further comma say something else.
            if to < end {
                continue;
            }
            let first = if apart { at - 1 } else { at };
            if first == start {
                continue;
            }
            return Some(Contrast { rejected: from..to, said: first..to });
        }
        None
    }

    /// Length of the phrase that rejects what stands behind it.
    fn rejection(&self, words: &[String]) -> Option<usize> {
        let fits = |phrase: &String| {
            let length = phrase.split(' ').count();
            phrase.split(' ').eq(words.iter().take(length)).then_some(length)
        };
        self.reject.iter().filter_map(fits).max()
    }
}

/// Whether the earlier question has any of what the mentions name.
pub(crate) fn has_any(before: &Turn, gone: &[Mention]) -> bool {
    let kinds = [
        Lexical::Average,
        Lexical::Sum,
        Lexical::Maximum,
        Lexical::Minimum,
        Lexical::Median,
        Lexical::Count,
    ];
    let tied = gone.iter().any(|gone| before.mentions.iter().any(|known| is_same(known, gone)));
    let function = gone.iter().any(|gone| {
        let is_both = |kind: &Lexical, known: &Mention| gone.is(*kind) && known.is(*kind);
        before.mentions.iter().any(|known| kinds.iter().any(|kind| is_both(kind, known)))
    });
    tied || function
}

/// Whether two mentions name the same.
fn is_same(known: &Mention, gone: &Mention) -> bool {
    if let (Some(known), Some(gone)) = (&known.time, &gone.time) {
        return known.range == gone.range;
    }
    if let (Some(known), Some(gone)) = (&known.grain, &gone.grain) {
        return known == gone;
    }
    if let (Some(known), Some(gone)) = (&known.number, &gone.number) {
        return known.value == gone.value;
    }
    if known.concept.is_some() && known.concept == gone.concept {
        return true;
    }
    let first = known.readings.first().map(|reading| &reading.target);
    let readings = gone.readings.iter().map(|reading| &reading.target);
    let named = first.is_some_and(|first| readings.clone().any(|target| target == first));
    let tied = first.is_some() && !gone.readings.is_empty();
    named || tied && known.phrase.eq_ignore_ascii_case(&gone.phrase)
}

/// Takes what is rejected out of the earlier question.
pub(super) fn give_way(before: &mut Turn, new: &Frame, gone: &[Mention]) -> Gone {
    let Turn { mentions, frame, .. } = before;
    let is_gone = |at: usize| {
        mentions.get(at).is_some_and(|known| gone.iter().any(|gone| is_same(known, gone)))
    };
    let mut result = Gone::default();
    for condition in &mut frame.conditions {
        let Condition::Values { at, .. } = condition else { continue };
        let values = at.len();
        at.retain(|at| !is_gone(*at));
        result.value |= !at.is_empty() && at.len() < values;
    }
    frame.conditions.retain(|condition| match condition {
        Condition::Values { at, .. } => !at.is_empty(),
        other => !is_gone(other.at()),
    });
    let groups = frame.groups.len();
    frame.groups.retain(|group| match group {
        Group::Thing(at) | Group::Table(_, at) | Group::Period { at, .. } => !is_gone(*at),
    });
    result.group = frame.groups.len() < groups;
    frame.times.retain(|time| !is_gone(time.at));
    let outputs = frame.outputs.len() + frame.output_tables.len();
    frame.outputs.retain(|at| !is_gone(*at));
    frame.output_tables.retain(|(_, at)| !is_gone(*at));
    result.output = frame.outputs.len() + frame.output_tables.len() < outputs;
    frame.related.retain(|related| !is_gone(related.at));
    if !new.measures.is_empty() {
        let counts = |measure: &Measure| match &measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => gone.iter().any(|gone| {
                gone.readings.iter().any(|reading| reading.target == Target::Table(*table))
            }),
            _ => false,
        };
        frame.measures.retain(|measure| !is_gone(measure.at) && !counts(measure));
    }
    result
}

/// Whether all that mentions name is shown by the earlier question.
pub(crate) fn is_all_shown(before: &Turn, gone: &[Mention]) -> bool {
    let Frame { outputs, output_tables, .. } = &before.frame;
    let shown = || outputs.iter().copied().chain(output_tables.iter().map(|(_, at)| *at));
    let is_shown = |gone: &Mention| {
        shown().any(|at| before.mentions.get(at).is_some_and(|known| is_same(known, gone)))
    };
    let mut named = gone.iter().filter(|gone| !gone.readings.is_empty()).peekable();
    named.peek().is_some() && named.all(is_shown)
}
