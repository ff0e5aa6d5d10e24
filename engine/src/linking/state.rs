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

/// Ties a noun before "rate" to the stored state of the same stem: "cancellation rate" is that of cancelled rows.
pub(crate) fn tie_rates(catalog: &Catalog, schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        // A rating is no rate of a state; a column that is called so is.
        let held = mentions[at].readings.iter().any(|reading| match reading.target {
            Target::Column(column) => schema.words_of(column).iter().any(|word| word == "rate"),
            _ => false,
        });
        let rate = mentions[at].is(Lexical::Ratio)
            && fold(&mentions[at].phrase).starts_with("rate")
            && !held;
        let noun = &mentions[at - 1];
        let plain = noun.tokens.end == mentions[at].tokens.start
            && noun.tokens.len() == 1
            && noun.lexical.is_empty()
            && !noun.quoted
            && noun.readings.iter().all(|reading| !reading.method.is_whole());
        let state = matches!(noun.readings.first(), Some(Reading { target: Target::Value(column, _), .. })
            if schema.has_role(*column, Role::Status)
                && noun.tokens.end == mentions[at].tokens.start);
        if rate && state {
            mentions[at].readings.clear();
            continue;
        }
        if !rate || !plain {
            continue;
        }
        let said = fold(&noun.phrase);
        let tables = (0..catalog.tables.len()).map(|table| TableId(table as u16));
        let states: Vec<(ColumnId, String)> =
            tables.flat_map(|table| states(catalog, schema, table, &said)).collect();
        if states.is_empty() {
            continue;
        }
        mentions[at].readings.clear();
        clear(&mut mentions[at - 1]);
        let method = Method::Stem;
        mentions[at - 1].readings = states
            .into_iter()
            .map(|(column, value)| Reading {
                target: Target::Value(column, value),
                method,
                score: method.base(),
            })
            .collect();
    }
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
            && (stem(&value) == stemmed || verb_base(&value) == Some(verb))
    };
    stored.filter(|(_, value)| form(value)).map(|(column, value)| (column, value.clone())).collect()
}
