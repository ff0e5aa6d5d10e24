//! Stored values right beside the noun of a table that holds them: "the Sales department" names a department, although
//! "sales" may be computed as well, and "done" is a stored value in "status code done", although it is a filler elsewhere.

use super::element::Target;
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use super::values::ValueIndex;
use crate::confidence::Method;
use crate::data::Role;
use crate::text::letters_of;

/// Ties a word that a concept or a definition is called too to the stored value that names a row of the table beside it.
pub(crate) fn tie_beside(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let mention = &mentions[at];
        if mention.concept.is_none() && mention.vague.is_none() {
            continue;
        }
        let behind = mentions.get(at + 1).filter(|next| next.tokens.start == mention.tokens.end);
        let Some(Target::Table(table)) =
            behind.and_then(|noun| noun.readings.first()).map(|reading| reading.target.clone())
        else {
            continue;
        };
        let names = |reading: &Reading| {
            reading.method == Method::ValueExact
                && reading.target.table() == Some(table)
                && schema.names_a_row(&reading.target)
        };
        if !mention.readings.iter().any(names) {
            continue;
        }
        let mention = &mut mentions[at];
        mention.readings.retain(names);
        mention.lexical.clear();
        (mention.concept, mention.vague) = (None, None);
    }
}

/// Ties a word that names nothing by itself to the stored value of the column before it, or to the one that names a row
/// of the table beside it: "status code done", "course statistics". Where none is stored, the word is not understood.
pub(crate) fn tie_stored_beside(
    schema: &SchemaIndex,
    indexes: [&ValueIndex; 2],
    mentions: &mut [Mention],
) {
    for at in 0..mentions.len() {
        let mention = &mentions[at];
        let [kind @ (Lexical::Generic | Lexical::Filler)] = mention.lexical[..] else { continue };
        if mention.tokens.len() != 1 || mention.quoted || !mention.readings.is_empty() {
            continue;
        }
        let before = at.checked_sub(1).map(|before| &mentions[before]);
        let before = before.filter(|word| word.tokens.end == mention.tokens.start);
        let behind = mentions.get(at + 1).filter(|word| word.tokens.start == mention.tokens.end);
        let first =
            |word: Option<&Mention>| word?.readings.first().map(|first| first.target.clone());
        let (before, behind) = (first(before), first(behind));
        let letters = letters_of(&mention.phrase);
        let stored = indexes.iter().flat_map(|index| index.by_letters(&letters));
        let mut targets = stored.map(|(column, value)| Target::Value(*column, value.clone()));
        let found = targets.find(|target| {
            let Target::Value(column, _) = target else { return false };
            let rows = [&before, &behind].iter().any(
                |beside| matches!(beside, Some(Target::Table(table)) if *table == column.table),
            );
            before == Some(Target::Column(*column))
                || kind == Lexical::Generic && rows && schema.names_a_row(target)
        });
        if let Some(target) = found {
            let (method, score) = (Method::ValueExact, Method::ValueExact.base());
            mentions[at].readings = vec![Reading { target, method, score }];
            mentions[at].lexical.clear();
        } else if kind == Lexical::Generic && matches!(behind, Some(Target::Table(_)))
            || kind == Lexical::Filler
                && at + 1 == mentions.len()
                && ends_a_status(schema, mentions, at)
        {
            // It says which rows are meant, although no such value is known.
            mentions[at].lexical.clear();
        }
    }
}

/// Whether the last word of a question says which state of a status column is meant: "whose status is done".
fn ends_a_status(schema: &SchemaIndex, mentions: &[Mention], at: usize) -> bool {
    let before = mentions[..at].iter().rev().find(|mention| !mention.is(Lexical::Is));
    let first = before.and_then(|mention| mention.readings.first());
    let ended = mentions[at].tokens.start.checked_sub(1).is_some_and(|token| {
        mentions[..at].last().is_some_and(|before| before.tokens.contains(&token))
    });
    ended
        && matches!(first.map(|first| &first.target),
            Some(Target::Column(column)) if schema.has_role(*column, Role::Status))
}
