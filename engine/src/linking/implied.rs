//! Links unmatched words to the only tables or columns that they can still refer to.

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use crate::confidence::Method;
use crate::order;

/// Links unmatched nouns to the only group of twin tables or columns to which no other word is linked.
///
/// If several groups are left, nothing is linked, because none of them is more likely.
pub(crate) fn imply(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        if !is_noun(&mentions[at]) {
            continue;
        }
        let targets = left_tables(schema, mentions).or_else(|| left_columns(schema, mentions));
        for target in targets.into_iter().flatten() {
            let method = Method::Implied;
            mentions[at].readings.push(Reading { target, method, score: method.base() });
        }
    }
}

/// Links an unmatched noun that is described by stored values to the rows that have these values: "publications that
/// are either comics or novels".
pub(crate) fn widen(mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let word = &mentions[at].phrase;
        let plain = word.chars().all(|letter| letter.is_ascii_lowercase());
        if !mentions[at].is_unknown() || !plain || word.len() < 4 || word.ends_with("ed") {
            continue;
        }
        if let Some(Target::Value(column, _)) = what_it_is(&mentions[at + 1..]) {
            let (target, method) = (Target::Table(column.table), Method::Implied);
            mentions[at].readings.push(Reading { target, method, score: method.base() });
        }
    }
}

/// The stored value that a clause after the noun, before the next unmatched word, assigns to the noun: "that are
/// comics".
fn what_it_is(after: &[Mention]) -> Option<&Target> {
    let clause = |mention: &Mention| mention.is(Lexical::Where) || mention.is(Lexical::With);
    let begins = after.iter().position(|mention| clause(mention) || mention.is_unknown())?;
    let is = after[begins..].iter().take(2).position(|mention| {
        mention.is(Lexical::Is) || [" are", " is"].iter().any(|is| mention.phrase.ends_with(is))
    })?;
    let said = after[begins + is + 1..]
        .iter()
        .find(|mention| !mention.is(Lexical::Both) && !mention.is(Lexical::Or))?;
    said.readings.first().filter(|_| clause(&after[begins])).map(|reading| &reading.target)
}

/// Whether an unmatched word can be a noun.
fn is_noun(mention: &Mention) -> bool {
    let word = &mention.phrase;
    mention.is_unknown()
        && !mention.quoted
        && word.len() > 3
        && word.chars().all(|letter| letter.is_ascii_lowercase())
        && !["ed", "ly", "ing"].iter().any(|ending| word.ends_with(ending))
}

fn tied(mentions: &[Mention]) -> impl Iterator<Item = &Target> {
    mentions.iter().filter_map(|mention| mention.readings.first()).map(|reading| &reading.target)
}

/// The only group of twin tables that no word is linked to, if it is related to the linked tables or nothing is linked.
fn left_tables(schema: &SchemaIndex, mentions: &[Mention]) -> Option<Vec<Target>> {
    let near = |table: TableId| {
        let mut tables = tied(mentions).filter_map(Target::table).peekable();
        tables.peek().is_none()
            || tables
                .any(|other| schema.distance(other, table).is_some_and(|(joins, _)| joins <= 1))
    };
    let mut groups: Vec<Vec<TableId>> = Vec::new();
    for (table, twins) in schema.twins().tables() {
        let mut group = twins.clone();
        group.push(*table);
        order::natural(&mut group);
        let named = tied(mentions)
            .any(|target| matches!(target, Target::Table(table) if group.contains(table)));
        if !named && near(*table) && !groups.contains(&group) {
            groups.push(group);
        }
    }
    match groups.as_slice() {
        [group] => Some(group.iter().map(|table| Target::Table(*table)).collect()),
        _ => None,
    }
}

/// The only group of twin columns that no word is linked to, in the tables that words are linked to.
fn left_columns(schema: &SchemaIndex, mentions: &[Mention]) -> Option<Vec<Target>> {
    let mut groups: Vec<Vec<ColumnId>> = Vec::new();
    for (column, twins) in schema.twins().columns() {
        let mut group = twins.clone();
        group.push(*column);
        order::natural(&mut group);
        let named = tied(mentions)
            .any(|target| matches!(target, Target::Column(column) if group.contains(column)));
        let about = tied(mentions).any(|target| target.table() == Some(column.table));
        if !named && about && !groups.contains(&group) {
            groups.push(group);
        }
    }
    match groups.as_slice() {
        [group] => Some(group.iter().map(|column| Target::Column(*column)).collect()),
        _ => None,
    }
}
