//! Follow-ups that name nothing: "which ones?", "in percent", "the others".

use crate::intent::Aggregate;
use crate::linking::TableId;
use crate::reading::{Blocked, Condition, CountTarget, Frame, Measure, MeasureTarget, Share};

/// Why "the others" is refused.
pub(super) const OTHERS: &str = "it is not clear which other rows are asked for";

/// Why "in percent" is refused.
const NO_SHARES: &str = "there is no figure of each group to show as a part of the whole";

/// Why "which ones" is refused behind groups that a bound on their figure restricts.
const SOME_GROUPS: &str = "the rows of some of the groups take two steps";

/// Why a count of the first rows is refused.
const FIRST: &str = "the number of the first rows was asked for itself";

/// Why "which ones" is refused.
const NO_FIGURE: &str = "the rows are shown already";

/// "Which ones?", behind a count or figures of groups: the rows that were counted.
pub(super) fn only_rows(frame: &mut Frame, about: Option<TableId>, at: usize) {
    if frame.measures.is_empty() && frame.groups.is_empty() {
        frame.blocked.push(Blocked { at, reason: NO_FIGURE });
        return;
    }
    if frame.conditions.iter().any(|known| matches!(known, Condition::Measure { .. })) {
        frame.blocked.push(Blocked { at, reason: SOME_GROUPS });
    }
    let counted = frame.measures.iter().find_map(|measure| match measure.target {
        MeasureTarget::Count(CountTarget::Rows(table)) => Some((table, measure.at)),
        _ => None,
    });
    frame.head = counted.or(frame.head).or(about.map(|table| (table, at)));
    frame.measures.clear();
    frame.groups.clear();
    frame.order.clear();
    (frame.superlative, frame.limit) = (None, None);
    (frame.average, frame.median, frame.share) = (None, None, None);
    (frame.against, frame.growth, frame.trend) = (None, None, None);
}

/// "In percent", behind a figure of each group: each as a part of the whole.
pub(super) fn as_shares(frame: &mut Frame, at: usize) {
    let adds_up = |measure: &Measure| !matches!(measure.target, MeasureTarget::Aggregate(function) if function != Aggregate::Sum);
    match frame.measures.as_slice() {
        [only] if !frame.groups.is_empty() && frame.share.is_none() && adds_up(only) => {
            frame.share = Some(Share { at, noun: only.at, part: Vec::new() });
        }
        _ => frame.blocked.push(Blocked { at, reason: NO_SHARES }),
    }
}

/// "How many is that?": the number of the earlier rows, or of those behind the figures of groups.
pub(super) fn count_rows(frame: &mut Frame, new: &Frame) {
    let first = frame.superlative.as_ref().map(|superlative| superlative.at);
    if let Some(at) = first.or(frame.limit.map(|(_, at)| at)) {
        frame.blocked.push(Blocked { at, reason: FIRST });
    }
    if let (Some((table, at)), None) = (new.head, frame.head) {
        frame.head = Some((table, at));
    }
    if frame.conditions.iter().any(|known| matches!(known, Condition::Measure { .. })) {
        let at = frame.measures.first().map_or(0, |measure| measure.at);
        frame.blocked.push(Blocked { at, reason: SOME_GROUPS });
    }
    frame.groups.clear();
    frame.order.clear();
    frame.outputs.clear();
    frame.output_tables.clear();
    frame.beside = None;
    (frame.average, frame.median, frame.share) = (None, None, None);
    (frame.against, frame.growth, frame.trend) = (None, None, None);
}
