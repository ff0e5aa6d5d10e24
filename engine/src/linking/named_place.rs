//! Stored values behind "in" and "to": the name of a row that is also a word for a figure ("how many people work in
//! sales"), and the place of what was done ("products never sold to Germany").

use super::element::{TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::{Lexical, Lexicon};
use super::mention::Mention;

/// Takes words behind "in" as the name of a row, where the rows named before belong to one so called.
pub(crate) fn name_places(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let (before, rest) = mentions.split_at_mut(at);
        let mention = &mut rest[0];
        let figure = mention.concept.is_some()
            || matches!(
                mention.readings.first().map(|reading| &reading.target),
                Some(Target::Metric(_))
            );
        if !figure || !before[at - 1].is(Lexical::In) || before[at - 1].tokens.len() > 1 {
            continue;
        }
        let tables: Vec<TableId> = before.iter().filter_map(table_of).collect();
        let of_rows = |target: &Target| {
            let Target::Value(column, _) = target else { return false };
            schema.names_a_row(target)
                && tables
                    .iter()
                    .any(|table| schema.distance(*table, column.table) == Some((1, false)))
        };
        if mention.readings.iter().any(|reading| of_rows(&reading.target)) {
            mention.readings.retain(|reading| of_rows(&reading.target));
            mention.concept = None;
        }
    }
}

/// Takes a value behind what was done as one of the rows that record it, and not of the things that it was done with:
/// "products sold to Germany" are not those of a supplier in Germany.
pub(crate) fn place_what_was_done(
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    mentions: &mut [Mention],
) {
    for at in 3..mentions.len() {
        let Some(done) = done_before(lexicon, &mentions[..at]) else { continue };
        let things = mentions[..at - 2].iter().filter_map(table_of);
        let things: Vec<TableId> = things.filter(|thing| *thing != done).collect();
        let joins = |from: TableId, to: TableId| match schema.distance(from, to) {
            Some((joins, false)) => Some(joins),
            _ => None,
        };
        let kept = |target: &Target| {
            let Target::Value(column, _) = target else { return true };
            let Some(direct) = joins(done, column.table) else { return false };
            let by_thing = |thing: &TableId| {
                let ways = joins(done, *thing).zip(joins(*thing, column.table));
                ways.is_some_and(|(one, other)| one + other == direct)
            };
            !things.iter().any(by_thing)
        };
        let mention = &mut mentions[at];
        let stored = |target: &Target| matches!(target, Target::Value(..)) && kept(target);
        if mention.readings.iter().any(|reading| stored(&reading.target)) {
            mention.readings.retain(|reading| kept(&reading.target));
        }
    }
}

/// Table of the verb before "in" or "to" at the end of some mentions: "sold to".
fn done_before(lexicon: &Lexicon, mentions: &[Mention]) -> Option<TableId> {
    let [.., verb, place] = mentions else { return None };
    let word = verb.phrase.to_lowercase();
    let acts = lexicon.agents_of(&word).next().is_some();
    let done = acts || word.ends_with("ed") || lexicon.is_used_as_verb(&word);
    let adjacent = verb.tokens.end == place.tokens.start && place.is(Lexical::In);
    table_of(verb).filter(|_| done && adjacent)
}

fn table_of(mention: &Mention) -> Option<TableId> {
    match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    }
}
