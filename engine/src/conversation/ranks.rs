//! Order and limit of a follow-up.

use super::cue::Cue;
use crate::linking::{Mention, Target};
use crate::reading::{Condition, Frame, Group, Measure, MeasureTarget, Part};

/// Shows every period: the first of the rows or groups before ("top 10 customers by revenue") are not the first periods.
pub(super) fn unranked(frame: &mut Frame, new: &Frame, (mentions, parts): (&[Mention], &[Part])) {
    let period = |group: &Group| matches!(group, Group::Period { .. });
    if new.groups.is_empty() || !new.groups.iter().all(period) {
        return;
    }
    let is_figure = |by: &Measure| {
        let metric = mentions.get(by.at).and_then(|mention| mention.readings.first());
        !matches!(by.target, MeasureTarget::Own)
            || matches!(parts.get(by.at), Some(Part::Concept(_)))
            || metric.is_some_and(|reading| matches!(reading.target, Target::Metric(_)))
    };
    let by = frame.superlative.as_ref().and_then(|superlative| superlative.by.clone());
    if frame.measures.is_empty() {
        frame.measures.extend(by.filter(is_figure));
    }
    if !frame.measures.is_empty() {
        frame.superlative = None;
        if frame.limit.take().is_some() {
            frame.order.clear();
        }
    }
}

/// Merges order and limit.
pub(super) fn ranked(frame: &mut Frame, new: &Frame, cue: &Cue) {
    if !new.order.is_empty() {
        if let Some(superlative) = frame.superlative.take() {
            frame.limit = superlative.limit.map(|limit| (limit, superlative.at)).or(frame.limit);
        }
        frame.order.clone_from(&new.order);
    }
    if let Some(superlative) = &new.superlative {
        let mut superlative = superlative.clone();
        let plain = superlative.by.is_none()
            && superlative.roles.is_empty()
            && superlative.concepts.is_empty();
        // "The cheapest instead", behind "top 5 products by price": as many.
        if let Some(known) = frame.superlative.as_ref().filter(|_| !cue.lead && cue.mode.is_some())
        {
            superlative.limit = superlative.limit.or(known.limit);
        }
        match (plain, &frame.superlative, frame.order.first()) {
            (true, Some(known), _) => {
                superlative.by.clone_from(&known.by);
                superlative.roles.clone_from(&known.roles);
                superlative.concepts.clone_from(&known.concepts);
                superlative.opposite.clone_from(&known.opposite);
                (superlative.figure, superlative.counted) = (known.figure, known.counted);
                superlative.by_count = known.by_count;
                superlative.descending = end_of(known.descending, superlative.descending);
            }
            (true, None, Some(order)) => {
                superlative.by = order.at.map(|at| Measure { target: MeasureTarget::Own, at });
                superlative.descending = end_of(order.descending, superlative.descending);
            }
            // "Top 3" of groups that have one figure is by this figure.
            (true, None, None) if !frame.groups.is_empty() => {
                if let [only] = frame.measures.as_slice() {
                    superlative.by = Some(only.clone());
                }
            }
            _ => {}
        }
        frame.order.clear();
        frame.limit = None;
        frame.superlative = Some(superlative);
    }
    if let Some((limit, at)) = new.limit {
        match &mut frame.superlative {
            Some(superlative) => superlative.limit = Some(limit),
            None => frame.limit = Some((limit, at)),
        }
    }
}

/// Sort direction for "top" or "bottom" rows: unchanged for "top", reversed for "bottom".
fn end_of(descending: bool, top: bool) -> bool {
    descending == top
}

/// "By number of orders", behind "top 10 customers by revenue" or "revenue by customer": the same rows or groups, by that
/// figure.
pub(super) fn rank_by(frame: &mut Frame, new: &mut Frame) {
    let [measure] = new.measures.as_slice() else { return };
    match &mut frame.superlative {
        Some(superlative) => {
            superlative.by = Some(measure.clone());
            superlative.by_count = false;
            superlative.figure = false;
            superlative.roles.clear();
            superlative.opposite.clear();
            superlative.concepts.clear();
            if frame.measures.is_empty() {
                new.measures.clear();
            }
        }
        None => frame.order.clear(),
    }
    // A bound on the earlier figure says nothing of this one.
    frame.conditions.retain(|condition| !matches!(condition, Condition::Measure { .. }));
    new.head = None;
}

/// Whether a text names one figure by which the rows or groups of the earlier question can be ranked.
pub(crate) fn is_figure_to_rank_by(before: &Frame, new: &Frame) -> bool {
    let ranked = before.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some());
    let grouped = !before.groups.is_empty() && !before.measures.is_empty();
    (ranked || grouped)
        && new.measures.len() == 1
        && new.groups.is_empty()
        && new.conditions.is_empty()
        && new.times.is_empty()
        && new.superlative.is_none()
}
