//! Follow-ups that name another row than the one that rows are compared with or found by: "and Chang?" after "products
//! more expensive than Chai", "and in the smallest state" after "rivers in the largest state".

use super::turn::{Turn, columns};
use crate::linking::{Lexical, Mention};
use crate::reading::{Condition, Frame};

/// Puts names of other rows in place of those that the earlier conditions have, and takes them out of the new conditions.
pub(super) fn name_other_row(frame: &mut Frame, new: &mut Vec<Condition>, mentions: &[Mention]) {
    let Some(values) = frame.conditions.iter_mut().find_map(other_row) else { return };
    let of = |at: &usize| columns(mentions.get(*at));
    let known: Vec<_> = values.iter().flat_map(of).collect();
    let names_row = |condition: &Condition| match condition {
        Condition::Values { at, negated: false, .. } => {
            at.iter().flat_map(of).any(|column| known.contains(&column))
        }
        _ => false,
    };
    let named: Vec<usize> = new
        .iter()
        .filter(|condition| names_row(condition))
        .flat_map(|condition| match condition {
            Condition::Values { at, .. } => at.clone(),
            _ => Vec::new(),
        })
        .collect();
    if !named.is_empty() {
        *values = named;
        new.retain(|condition| !names_row(condition));
    }
}

/// The values of a condition that tell another row.
fn other_row(condition: &mut Condition) -> Option<&mut Vec<usize>> {
    match condition {
        Condition::Paired { values, .. }
        | Condition::Parent { values, .. }
        | Condition::Row { values, .. }
        | Condition::Same { values, .. } => Some(values).filter(|values| !values.is_empty()),
        _ => None,
    }
}

/// Whether a text is only the row at one end of an order behind a preposition: "in the smallest state".
pub(super) fn is_place_at_end(turn: &Turn) -> bool {
    let Some(superlative) = &turn.frame.superlative else { return false };
    let before = turn.mentions.get(..superlative.at).unwrap_or_default();
    let placed = before.last().is_some_and(|last| last.is(Lexical::In) || last.is(Lexical::Of));
    let nothing_else = turn.frame.outputs.is_empty() && turn.frame.measures.is_empty();
    placed && nothing_else && before.iter().all(|mention| mention.readings.is_empty())
}

/// Makes such a text a condition on the rows asked about before, where those are rows of another table.
pub(super) fn place_at_end(frame: &Frame, new: &mut Frame) {
    let (Some((table, _)), Some((asked, _))) = (new.head, frame.head) else { return };
    if table == asked {
        return;
    }
    let Some(superlative) = new.superlative.take() else { return };
    new.head = None;
    new.conditions.push(Condition::Extreme {
        table,
        column: superlative.by.map(|by| by.at),
        roles: superlative.roles,
        highest: superlative.descending,
        at: superlative.at,
    });
}
