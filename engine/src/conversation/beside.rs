//! What a follow-up shows beside the rows or groups asked about before: "add the supplier name", "with hire date".

use super::turn::Turn;
use crate::linking::{Mention, TableId, Target};
use crate::reading::{Blocked, Frame, Group};

/// Why a column beside groups is refused that are no rows of a table.
const NO_ROWS: &str = "each group has more than one of it";

/// Why a figure beside the first rows is refused.
const FIRST: &str = "a figure beside the first rows takes two steps";

/// Adds the list of a follow-up to the earlier question, and takes it out of what is new.
///
/// Beside rows, the listed columns are shown with the columns that were asked for, or with all of them. Groups that are
/// the rows of a table are told apart by their columns as well, so that these change nothing but what is shown.
pub(super) fn show_beside(frame: &mut Frame, new: &mut Frame, mentions: &[Mention]) {
    new.head = None;
    let figures = !frame.measures.is_empty();
    if frame.groups.is_empty() && !figures {
        let plain = frame.outputs.is_empty() && frame.output_tables.is_empty();
        let head = frame.head.map(|(head, _)| head);
        let elsewhere = |at: &usize| table_of(mentions.get(*at)) != head;
        // Rows without what is shown beside them are kept.
        if plain || !new.output_tables.is_empty() || new.outputs.iter().any(elsewhere) {
            frame.beside = head;
        }
        return;
    }
    let rows = frame.groups.iter().find_map(|group| match group {
        Group::Table(table, _) => Some(*table),
        Group::Thing(at) => named_rows(mentions.get(*at)),
        Group::Period { .. } => None,
    });
    let outputs = std::mem::take(&mut new.outputs);
    let tables = std::mem::take(&mut new.output_tables);
    let first = outputs.first().copied().or(tables.first().map(|(_, at)| *at));
    match (rows, first) {
        (Some(rows), _) => {
            frame.beside = Some(rows);
            frame.groups.extend(outputs.into_iter().map(Group::Thing));
            frame.groups.extend(tables.into_iter().map(|(table, at)| Group::Table(table, at)));
        }
        (None, Some(at)) => frame.blocked.push(Blocked { at, reason: NO_ROWS }),
        (None, None) => {}
    }
}

/// "Add the number of tracks", behind rows: the figure of each of them; whether the text adds such a figure.
pub(super) fn figure_beside(frame: &mut Frame, new: &mut Frame) -> bool {
    let Some((head, at)) = frame.head else { return false };
    let plain = frame.measures.is_empty() && frame.groups.is_empty() && !new.measures.is_empty();
    if !plain || !new.groups.is_empty() {
        return false;
    }
    new.head = None;
    if let Some((_, at)) = frame.limit {
        frame.blocked.push(Blocked { at, reason: FIRST });
    }
    frame.groups.push(Group::Table(head, at));
    frame.groups.extend(frame.outputs.drain(..).map(Group::Thing));
    frame.groups.extend(frame.output_tables.drain(..).map(|(table, at)| Group::Table(table, at)));
    frame.beside = None;
    true
}

/// Table of the rows, or of the groups, that something is shown beside.
pub(crate) fn rows_beside(before: &Turn) -> Option<TableId> {
    let frame = &before.frame;
    let grouped = frame.groups.iter().find_map(|group| match group {
        Group::Table(table, _) => Some(*table),
        Group::Thing(at) => named_rows(before.mentions.get(*at)),
        Group::Period { .. } => None,
    });
    grouped.or(frame.head.map(|(table, _)| table))
}

fn table_of(mention: Option<&Mention>) -> Option<TableId> {
    mention?.readings.first()?.target.table()
}

/// Table whose rows a group is, where a name stands for each.
fn named_rows(mention: Option<&Mention>) -> Option<TableId> {
    match mention?.readings.first()?.target {
        Target::Table(table) | Target::Label(table) => Some(table),
        _ => None,
    }
}
