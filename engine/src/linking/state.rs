//! Verbs that say which rows are meant by their state: "how many appointments did each clinician complete" counts those
//! whose status is `completed`.

use wherefore_english::verb_base;

use super::element::{ColumnId, TableId, Target};
use super::index::{Named, SchemaIndex};
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use super::pieces::clear;
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::data::Role;
use crate::text::{fold, stem};

/// Words before what a flag marks.
const AUXILIARY: [&str; 4] = ["is", "has", "was", "are"];

/// Ties a verb behind its subject ("did each clinician complete") to the stored state of the same stem of the rows that
/// are its object; a structure word that stands there is read as a verb.
pub(crate) fn tie_states(catalog: &Catalog, schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 2..mentions.len() {
        let Some(object) = object_of(mentions, at) else { continue };
        let states = states(catalog, schema, object, &fold(&mentions[at].phrase));
        if !states.is_empty() {
            clear(&mut mentions[at]);
            let method = Method::Stem;
            mentions[at].readings = states
                .into_iter()
                .map(|(column, value)| Reading {
                    target: Target::Value(column, value),
                    method,
                    score: method.base(),
                })
                .collect();
        } else if mentions[at].lexical == [Lexical::Everything] {
            mentions[at].lexical.clear();
        }
    }
}

/// Ties a noun before "rate" to the stored states and flags of the same stem: "cancellation rate" is that of cancelled
/// rows, "infection rate" that of rows marked as infected.
pub(crate) fn tie_rates(catalog: &Catalog, schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        // A rating is no rate of a state; a column that is called so is.
        let held = mentions[at].readings.iter().any(|reading| match reading.target {
            Target::Column(column) => {
                reading.method.is_whole()
                    && schema.words_of(column).iter().any(|word| word == "rate")
            }
            _ => false,
        });
        let rate = mentions[at].is(Lexical::Ratio)
            && fold(&mentions[at].phrase).starts_with("rate")
            && !held;
        let noun = &mentions[at - 1];
        // "No show rate" names a value of several words; "drop rate" would change nothing.
        let valued =
            matches!(noun.readings.first(), Some(Reading { target: Target::Value(..), .. }));
        let plain = noun.tokens.end == mentions[at].tokens.start
            && (noun.tokens.len() == 1 || valued)
            && (noun.lexical.is_empty() || noun.lexical == [Lexical::Write])
            && !noun.quoted;
        if !rate || !plain {
            continue;
        }
        let said = fold(&noun.phrase);
        let tables = (0..catalog.tables.len()).map(|table| TableId(table as u16));
        let stored = tables.clone().flat_map(|table| states(catalog, schema, table, &said));
        let mut states: Vec<Target> =
            stored.map(|(column, value)| Target::Value(column, value)).collect();
        let named = noun.readings.iter().filter(|reading| match &reading.target {
            Target::Value(column, _) => schema.has_role(*column, Role::Status),
            _ => false,
        });
        states.extend(named.map(|reading| reading.target.clone()));
        if states.is_empty() {
            let flags = tables.flat_map(|table| flags(catalog, schema, table, &said));
            states = flags.map(Target::Column).collect();
        }
        // The rate of something else, such as an hourly rate, is not that of this noun.
        mentions[at].readings.clear();
        if states.is_empty() {
            continue;
        }
        clear(&mut mentions[at - 1]);
        let method = Method::Stem;
        mentions[at - 1].readings = states
            .into_iter()
            .map(|target| Reading { target, method, score: method.base() })
            .collect();
    }
}

/// Flags before "rate" stay rivals wherever their tables are: those of wounds and of their assessments mark different rows.
pub(crate) fn level_rates(mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let rate = mentions[at].is(Lexical::Ratio) && mentions[at].readings.is_empty();
        let readings = &mut mentions[at - 1].readings;
        let flags = readings.iter().all(|reading| {
            matches!(reading.target, Target::Column(_)) && reading.method == Method::Stem
        });
        if !rate || !flags || readings.len() < 2 {
            continue;
        }
        let best = readings.iter().map(|reading| reading.score).fold(0.0, f64::max);
        for reading in readings {
            reading.score = best;
        }
    }
}

/// Flags of a table whose name has a word of this stem and nothing else that says what they mark.
fn flags(catalog: &Catalog, schema: &SchemaIndex, table: TableId, noun: &str) -> Vec<ColumnId> {
    let stemmed = stem(noun);
    let columns = 0..catalog.table_at(table).columns.len() as u16;
    let columns = columns.map(|column| ColumnId { table, column });
    let marks = |column: &ColumnId| {
        let mut stems =
            schema.stems_of(*column).iter().filter(|stem| !AUXILIARY.contains(&stem.as_str()));
        catalog.column_at(*column).is_flag()
            && stems.next() == Some(&stemmed)
            && stems.next().is_none()
    };
    columns.filter(marks).collect()
}

/// Table of the rows that a word is done to, where it stands behind the subject of "do": "orders did each customer X".
fn object_of(mentions: &[Mention], at: usize) -> Option<TableId> {
    let mention = &mentions[at];
    let named = mention
        .readings
        .iter()
        .any(|reading| reading.method.is_whole() && !matches!(reading.target, Target::Value(..)));
    let plain = mention.tokens.len() == 1
        && !mention.quoted
        && mention.phrase.chars().all(|letter| letter.is_ascii_lowercase())
        && (mention.lexical.is_empty() || mention.lexical == [Lexical::Everything]);
    let subject = matches!(
        mentions[at - 1].readings.first(),
        Some(Reading { target: Target::Table(_) | Target::Value(..) | Target::Label(_), .. })
    );
    let has_object = mentions.get(at + 1).is_some_and(|next| {
        next.tokens.start == mention.tokens.end
            && next.time.is_none()
            && next.readings.first().is_some_and(|first| matches!(first.target, Target::Table(_)))
    });
    if named || !plain || !subject || has_object {
        return None;
    }
    let does = (0..at - 1).rev().find(|before| mentions[*before].has_do())?;
    mentions[..does].iter().rev().find_map(|mention| match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    })
}

/// Stored states of a table that are forms of a verb: `cancelled` for "cancel", `paid` for "pay".
fn states(
    catalog: &Catalog,
    schema: &SchemaIndex,
    table: TableId,
    verb: &str,
) -> Vec<(ColumnId, String)> {
    let stemmed = stem(verb);
    let columns = 0..catalog.table_at(table).columns.len() as u16;
    let columns = columns.map(|column| ColumnId { table, column });
    let stored =
        columns.filter(|column| schema.has_role(*column, Role::Status)).flat_map(|column| {
            let values = catalog.column_at(column).values.iter().flat_map(|list| &list.values);
            values.map(move |value| (column, value))
        });
    let form = |value: &str| {
        let value = fold(value);
        value != verb
            && !value.contains(' ')
            && (stem(&value) == stemmed
                || verb_base(&value) == Some(verb)
                || root(&stem(&value)).is_some_and(|own| Some(own) == root(&stemmed)))
    };
    stored.filter(|(_, value)| form(value)).map(|(column, value)| (column, value.clone())).collect()
}

/// The part of a stem that a noun and its adjective share: "absen" of "absence" and "absent", "occup" of "occupancy"
/// and "occupied".
fn root(stem: &str) -> Option<&str> {
    Some(stem.trim_end_matches(['c', 'e', 'i', 't'])).filter(|root| root.len() >= 5)
}
