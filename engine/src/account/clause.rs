//! Which mentions the clauses of a frame use.

use std::collections::BTreeSet;

use crate::reading::{Condition, Frame, Group};

/// Positions of all mentions that a clause of the frame uses, or that the frame sets aside to be asked about.
pub(super) fn used_mentions(frame: &Frame) -> BTreeSet<usize> {
    let mut used: BTreeSet<usize> = BTreeSet::new();
    used.extend(frame.head.map(|(_, at)| at));
    used.extend(frame.related.iter().map(|related| related.at));
    used.extend(&frame.outputs);
    used.extend(frame.output_tables.iter().map(|(_, at)| *at));
    used.extend(frame.parents.iter().map(|(_, at)| *at));
    used.extend(frame.measures.iter().map(|measure| measure.at));
    used.extend(frame.order.iter().filter_map(|order| order.at));
    used.extend(frame.limit.map(|(_, at)| at));
    used.extend(frame.trend);
    used.extend(frame.against.map(|against| against.at));
    used.extend(frame.growth);
    used.extend(frame.median);
    used.extend(frame.unit);
    used.extend(frame.compared_period);
    used.extend(
        frame.unread.iter().chain(&frame.linking).chain(&frame.by_class).chain(&frame.classifying),
    );
    used.extend(frame.blocked.iter().map(|blocked| blocked.at));
    used.extend(frame.leading.iter().map(|(_, at)| *at));
    for group in &frame.groups {
        match group {
            Group::Thing(at) | Group::Table(_, at) => used.extend([*at]),
            Group::Period { at, date, .. } => used.extend(std::iter::once(*at).chain(*date)),
        }
    }
    for time in &frame.times {
        used.extend(std::iter::once(time.at).chain(time.column));
        // "2016 or 2017": each further time stands behind a word that joins it.
        used.extend((1..=time.others.len()).map(|further| time.at + 2 * further));
    }
    for vague in &frame.vague {
        used.extend(std::iter::once(vague.at).chain(vague.noun));
        // The number and its unit.
        used.extend(vague.longer.into_iter().flat_map(|(_, at)| [at, at + 1]));
    }
    if let Some(superlative) = &frame.superlative {
        used.insert(superlative.at);
        used.extend(superlative.by.as_ref().map(|by| by.at));
    }
    if let Some(listed) = &frame.coordination {
        used.extend(listed.first..=listed.last);
    }
    if let Some(distribution) = &frame.distribution {
        used.extend([distribution.at, distribution.quantifier]);
    }
    for condition in &frame.conditions {
        condition_mentions(condition, &mut used);
    }
    used
}

/// Adds the mentions that a condition uses.
pub(super) fn condition_mentions(condition: &Condition, used: &mut BTreeSet<usize>) {
    used.insert(condition.at());
    match condition {
        Condition::Bound { column, .. }
        | Condition::Compare { column, .. }
        | Condition::Extreme { column, .. }
        | Condition::Text { column, .. } => used.extend(*column),
        Condition::Columns { column, than, parent, .. } => {
            used.extend([*column, *than, parent.map(|(_, at)| at)].into_iter().flatten());
        }
        Condition::Figure { column, same, .. } => {
            used.extend(*column);
            used.extend(same.iter().map(|(_, at)| *at));
        }
        Condition::Row { column, values, parent, .. } => {
            used.extend(*column);
            used.extend(values.iter().copied().chain(parent.map(|(_, at)| at)));
        }
        Condition::Dates { than, .. } => used.extend([*than]),
        Condition::End { rows, .. } | Condition::Shared { rows, .. } => used.extend([*rows]),
        Condition::Paired { values, .. }
        | Condition::Parent { values, .. }
        | Condition::Same { values, .. } => {
            used.extend(values.iter().copied());
        }
        Condition::Values { at, hint, .. } => used.extend(at.iter().copied().chain(*hint)),
        Condition::CountOf { .. }
        | Condition::Key { .. }
        | Condition::Measure { .. }
        | Condition::Null { .. }
        | Condition::Set { .. } => {}
    }
}
