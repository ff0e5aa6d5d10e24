//! Shifts the mention indexes of a frame, so that its mentions can be appended to those of another.

use crate::reading::{
    Against, Condition, Either, Frame, Group, Measure, OrderSpec, Related, Share, Side,
    Superlative, TimeSpec, VagueUse,
};

/// The frame with every mention index increased by `by`.
pub(super) fn shifted(mut frame: Frame, by: usize) -> Frame {
    let all = |positions: &mut Vec<usize>| {
        for at in positions {
            *at += by;
        }
    };
    if let Some((_, at)) = &mut frame.head {
        *at = at.saturating_add(by);
    }
    for Related { at, .. } in &mut frame.related {
        *at += by;
    }
    all(&mut frame.outputs);
    for (_, at) in frame.output_tables.iter_mut().chain(&mut frame.leading) {
        *at += by;
    }
    if let Some(Either { one, other, or }) = &mut frame.either {
        *or += by;
        for side in [one, other] {
            if let Side::Condition(at) = side {
                *at += by;
            }
        }
    }
    for Measure { at, .. } in &mut frame.measures {
        *at += by;
    }
    for group in &mut frame.groups {
        match group {
            Group::Thing(at) | Group::Table(_, at) => *at += by,
            Group::Period { at, date, .. } => {
                *at += by;
                *date = date.map(|date| date + by);
            }
        }
    }
    for shifted in &mut frame.conditions {
        condition(shifted, by);
    }
    for TimeSpec { at, column, .. } in &mut frame.times {
        *at += by;
        optional(column, by);
    }
    for VagueUse { at, noun, longer, .. } in &mut frame.vague {
        *at += by;
        optional(noun, by);
        if let Some((_, number)) = longer {
            *number += by;
        }
    }
    for OrderSpec { at, .. } in &mut frame.order {
        optional(at, by);
    }
    if let Some(Superlative { at, by: measure, .. }) = &mut frame.superlative {
        *at += by;
        if let Some(measure) = measure {
            measure.at += by;
        }
    }
    for (_, at) in &mut frame.parents {
        *at += by;
    }
    if let Some((_, at)) = &mut frame.limit {
        *at += by;
    }
    if let Some(Share { at, noun, part }) = &mut frame.share {
        *at += by;
        *noun += by;
        all(part);
    }
    if let Some(Against { measure, at, .. }) = &mut frame.against {
        *measure += by;
        *at += by;
    }
    optional(&mut frame.average, by);
    optional(&mut frame.growth, by);
    optional(&mut frame.median, by);
    optional(&mut frame.unit, by);
    optional(&mut frame.compared_period, by);
    optional(&mut frame.trend, by);
    all(&mut frame.unread);
    for blocked in &mut frame.blocked {
        blocked.at += by;
    }
    frame
}

fn condition(condition: &mut Condition, by: usize) {
    match condition {
        Condition::Bound { column, at, .. }
        | Condition::Compare { column, at, .. }
        | Condition::Extreme { column, at, .. }
        | Condition::Text { column, at, .. } => {
            *at += by;
            optional(column, by);
        }
        Condition::Columns { column, than, parent, at, .. } => {
            *at += by;
            optional(column, by);
            optional(than, by);
            if let Some((_, at)) = parent {
                *at += by;
            }
        }
        Condition::Figure { column, at, same, rows, .. } => {
            *at += by;
            optional(column, by);
            for row in rows {
                *row += by;
            }
            if let Some((_, at)) = same {
                *at += by;
            }
        }
        Condition::Row { column, values, parent, at, .. } => {
            *at += by;
            optional(column, by);
            for value in values {
                *value += by;
            }
            if let Some((_, at)) = parent {
                *at += by;
            }
        }
        Condition::Dates { at, than, .. } => {
            *at += by;
            *than += by;
        }
        Condition::End { at, rows, .. } | Condition::Shared { at, rows, .. } => {
            *at += by;
            *rows += by;
        }
        Condition::CountOf { at, .. }
        | Condition::Measure { at, .. }
        | Condition::Set { at, .. }
        | Condition::Null { at, .. }
        | Condition::Key { at, .. } => *at += by,
        Condition::Paired { at, values, .. }
        | Condition::Parent { at, values, .. }
        | Condition::Same { at, values, .. } => {
            *at += by;
            for value in values {
                *value += by;
            }
        }
        Condition::Values { at, hint, .. } => {
            for at in at {
                *at += by;
            }
            optional(hint, by);
        }
    }
}

fn optional(at: &mut Option<usize>, by: usize) {
    if let Some(at) = at {
        *at += by;
    }
}
