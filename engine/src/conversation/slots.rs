//! Conditions of a follow-up, each in the place of the earlier one on the same thing.

use super::cue::CueMode;
use super::turn::{columns, first_columns};
use crate::intent::Comparison;
use crate::linking::Mention;
use crate::reading::{Condition, Either, Frame, Share, Side, TimeSpec};

/// "Not Brazil, Chile": the first value gives way to the others, where the earlier question asked for it.
pub(super) fn contrasted(
    frame: &Frame,
    mentions: &[Mention],
    mut condition: Condition,
) -> Condition {
    let Condition::Values { at, negated, .. } = &mut condition else { return condition };
    let phrase = |at: &usize| mentions.get(*at).map(|mention| mention.phrase.to_lowercase());
    let Some(first) = at.first().map(phrase) else { return condition };
    let is_asked = frame.conditions.iter().any(|known| match known {
        Condition::Values { at, negated: false, .. } => {
            at.iter().any(|known| phrase(known) == first)
        }
        _ => false,
    });
    if *negated && at.len() > 1 && is_asked {
        at.remove(0);
        *negated = false;
    }
    condition
}

/// Adds a condition, or replaces the condition on the same column.
pub(super) fn add_condition(
    frame: &mut Frame,
    mentions: &[Mention],
    condition: Condition,
    (mode, corrects): (CueMode, bool),
) {
    if mode == CueMode::Add
        && let Condition::Values { at: further, negated: false, .. } = &condition
        && let Some(Condition::Values { at, .. }) = frame.conditions.iter_mut().find(|known| {
            matches!(known, Condition::Values { negated: false, .. })
                && same_slot(known, &condition, mentions)
        })
    {
        at.extend(further);
        return;
    }
    let gives_way = |known: &Condition| {
        same_slot(known, &condition, mentions)
            || is_bound_of_same(known, &condition, mentions, corrects)
    };
    let replaced = frame.conditions.iter().filter(|known| gives_way(known));
    let replaced: Vec<usize> = replaced.map(Condition::at).collect();
    frame.conditions.retain(|known| !gives_way(known));
    take_place(frame, &replaced, condition.at());
    stand_in(&mut frame.share, replaced, vec![condition.at()]);
    frame.conditions.push(condition);
}

/// Lets a condition be the alternative, or be said of the rows of a figure, where those were or did that it replaces.
fn take_place(frame: &mut Frame, replaced: &[usize], by: usize) {
    let follow = |at: &mut usize| {
        if replaced.contains(at) {
            *at = by;
        }
    };
    if let Some(Either { one, other, .. }) = &mut frame.either {
        for side in [one, other] {
            if let Side::Condition(at) = side {
                follow(at);
            }
        }
    }
    for condition in &mut frame.conditions {
        if let Condition::Figure { rows, .. } = condition {
            rows.iter_mut().for_each(follow);
        }
    }
}

/// Lets the last of related rows be of another time: "customers whose last order was in 2024", "and in 2025".
pub(super) fn end_in(frame: &mut Frame, new: &mut Vec<TimeSpec>) {
    let [time] = new.as_slice() else { return };
    let ends = frame.conditions.iter_mut().find_map(|known| match known {
        Condition::End { range, at, .. } => Some((range, at)),
        _ => None,
    });
    let Some((range, at)) = ends.filter(|_| time.column.is_none() && !time.negated) else { return };
    range.clone_from(&time.range);
    *at = time.at;
    new.clear();
}

/// Whether two comparisons are of one column, so that one takes the place of the other: where it corrects the other, and
/// where one of them leaves a single number.
fn is_bound_of_same(
    known: &Condition,
    new: &Condition,
    mentions: &[Mention],
    corrects: bool,
) -> bool {
    let (
        Condition::Compare { column: Some(a), operator: x, .. },
        Condition::Compare { column: Some(b), operator: y, .. },
    ) = (known, new)
    else {
        return false;
    };
    let single = [x, y].contains(&&Comparison::Equal);
    let columns = |at: &usize| columns(mentions.get(*at));
    (corrects || single) && columns(a) == columns(b)
}

/// Lets conditions make the part of a share where those did that they replace.
pub(super) fn stand_in(share: &mut Option<Share>, replaced: Vec<usize>, by: Vec<usize>) {
    let Some(share) = share else { return };
    if replaced.iter().any(|at| share.part.contains(at)) {
        share.part.extend(by);
    }
}

/// Whether two conditions are of the same kind and on the same column, so that one replaces the other.
fn same_slot(known: &Condition, new: &Condition, mentions: &[Mention]) -> bool {
    let column = |at: &Option<usize>| at.map(|at| columns(mentions.get(at)));
    match (known, new) {
        (
            Condition::Compare { column: a, operator: x, .. },
            Condition::Compare { column: b, operator: y, .. },
        )
        | (
            Condition::Figure { column: a, operator: x, .. },
            Condition::Figure { column: b, operator: y, .. },
        ) => column(a) == column(b) && direction(*x) == direction(*y),
        (
            Condition::CountOf { table: a, operator: x, .. },
            Condition::CountOf { table: b, operator: y, .. },
        ) => a == b && direction(*x) == direction(*y),
        (Condition::Measure { at: a, .. }, Condition::Measure { at: b, .. }) => a == b,
        (
            Condition::Set { at: a, .. } | Condition::Null { at: a, .. },
            Condition::Set { at: b, .. } | Condition::Null { at: b, .. },
        ) => columns(mentions.get(*a)) == columns(mentions.get(*b)),
        (Condition::Key { table: a, .. }, Condition::Key { table: b, .. })
        | (Condition::Extreme { table: a, .. }, Condition::Extreme { table: b, .. }) => a == b,
        (Condition::Text { column: a, .. }, Condition::Text { column: b, .. }) => {
            column(a) == column(b)
        }
        (
            Condition::Values { at: a, negated: x, .. },
            Condition::Values { at: b, negated: y, .. },
        ) => {
            let (known, new) = (first_columns(a, mentions), first_columns(b, mentions));
            let shared = new.iter().any(|column| known.contains(column));
            let same_values = || {
                let phrase =
                    |at: &usize| mentions.get(*at).map(|mention| mention.phrase.to_lowercase());
                a.iter().any(|one| b.iter().any(|other| phrase(one) == phrase(other)))
            };
            shared && (!y || !x && same_values())
        }
        _ => false,
    }
}

/// Direction of a comparison: -1 for less, 1 for greater, 0 else.
fn direction(operator: Comparison) -> i8 {
    match operator {
        Comparison::Equal | Comparison::NotEqual => 0,
        Comparison::Greater | Comparison::GreaterOrEqual => 1,
        Comparison::Less | Comparison::LessOrEqual => -1,
    }
}
