//! Words that may name a stored state or a contact detail, told apart by what stands around them.

use wherefore_english::verb_base;

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::Mention;
use crate::data::Role;
use crate::text::fold;

/// Keeps the readings that fit: "opened in October" is when rows were made and not that they are open; "by phone" is
/// the channel of the rows asked about, where one is stored so, and not the telephone number of somebody else.
pub(crate) fn tell_states_apart(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        if let Some(date) = made_on(schema, mentions, at) {
            for reading in &mut mentions[at].readings {
                reading.target = Target::Column(date);
            }
            mentions[at].readings.truncate(1);
        }
        let rows = mentions[..at].iter().find_map(table_of);
        if mentions[at - 1].is(Lexical::By)
            && let Some(rows) = rows
        {
            keep_channel(schema, rows, &mut mentions[at]);
        }
    }
}

/// The date on which rows were made, where the mention at `at` is the past of a verb that is stored as their state and
/// a period stands behind it: "opened in October", "opened a ticket in October",
/// "opened per month".
fn made_on(schema: &SchemaIndex, mentions: &[Mention], at: usize) -> Option<ColumnId> {
    let said = fold(&mentions[at].phrase);
    let [reading] = mentions[at].readings.as_slice() else { return None };
    let Target::Value(column, value) = &reading.target else { return None };
    let timed = mentions[at + 1..]
        .iter()
        .find(|next| {
            let passed = [Lexical::By, Lexical::Filler, Lexical::Group, Lexical::In]
                .iter()
                .any(|kind| next.is(*kind));
            !passed && table_of(next) != Some(column.table)
        })
        .is_some_and(|next| next.time.is_some() || next.grain.is_some());
    let dates = &schema.profile(column.table).dates;
    let made = dates.iter().find(|date| schema.has_role(**date, Role::CreatedDate));
    made.copied().filter(|_| timed && is_past_of(&said, &fold(value)))
}

/// Whether a word is the past of a verb, and not that verb: "opened" of "open".
fn is_past_of(word: &str, verb: &str) -> bool {
    let regular = word.strip_suffix("ed").is_some_and(|stem| stem == verb)
        || word.strip_suffix('d').is_some_and(|stem| stem == verb);
    word != verb && (regular || verb_base(word) == Some(verb))
}

/// Prefers a stored value of the rows asked about to the contact detail of other rows.
fn keep_channel(schema: &SchemaIndex, rows: TableId, mention: &mut Mention) {
    let detail = |target: &Target| match target {
        Target::Column(column) => {
            column.table != rows
                && (schema.has_role(*column, Role::Phone) || schema.has_role(*column, Role::Email))
        }
        _ => false,
    };
    let channel =
        |target: &Target| matches!(target, Target::Value(column, _) if column.table == rows);
    if mention.readings.first().is_some_and(|first| detail(&first.target))
        && mention.readings.iter().any(|reading| channel(&reading.target))
    {
        mention.readings.retain(|reading| channel(&reading.target));
    }
}

fn table_of(mention: &Mention) -> Option<TableId> {
    match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    }
}
