//! What rows are worth, said by a word beside their noun: the amounts of the rows, never how many there are.
//!
//! Valid: "customers by order value", "value of orders by country", "the biggest order by amount". Where only the lines
//! of the rows have amounts, these are added up: "average order value".

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use super::pieces::clear;
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::data::Role;
use crate::dictionary::{Concept, Dictionary};
use crate::text::{fold, stem};

/// Words for what rows are worth.
const WORTH: [&str; 5] = ["amount", "amounts", "value", "values", "worth"];
/// Words that say so only right behind the noun: "order total".
const BEHIND: [&str; 3] = ["size", "total", "totals"];
/// Words of a column that adds up the others: the net amount and the tax are parts of the total amount.
const WHOLE: [&str; 3] = ["total", "gross", "overall"];
/// Score of the amount that is meant.
const MEANT: f64 = 0.85;
/// Score that a part of a total loses.
const PART: f64 = 0.15;

/// Where a word stands that says what rows are worth.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    /// "order value".
    Behind,
    /// "value of orders", "orders by value", "what are the orders worth".
    Apart,
}

/// Ties words for what rows are worth to the amounts of these rows.
pub(crate) fn name_worth(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    mentions: &mut Vec<Mention>,
) {
    for word in (0..mentions.len()).rev() {
        let Some((noun, place)) = noun_of(mentions, word) else { continue };
        let Some(table) = table_at(mentions, noun) else { continue };
        if is_named(schema, &mentions[word], table) {
            continue;
        }
        let averaged = at_before(mentions, noun).is_some_and(|before| before.is(Lexical::Average));
        let amounts = amounts(catalog, schema, table);
        if !amounts.is_empty() {
            if averaged && place == Place::Behind {
                continue;
            }
            clear(&mut mentions[word]);
            mentions[word].readings = readings(schema, &amounts);
        } else if let Some(position) = recorded(catalog, schema, dictionary, table) {
            let computed = at_before(mentions, noun)
                .is_some_and(|before| before.is(Lexical::Maximum) || before.is(Lexical::Minimum));
            clear(&mut mentions[word]);
            if computed {
                continue;
            }
            mentions[word].concept = Some(position);
            mentions[word].worth = Some(table);
        } else if place == Place::Behind && mentions[word].lexical == [Lexical::Generic] {
            let said = mentions[word].phrase.clone();
            clear(&mut mentions[word]);
            mentions[word].readings = of_role(schema, &said, table);
            continue;
        } else {
            continue;
        }
        if place == Place::Behind && !averaged {
            let noun = mentions.remove(noun);
            let word = &mut mentions[word - 1];
            word.tokens.start = noun.tokens.start;
            word.span = noun.span.union(word.span);
            word.phrase = format!("{} {}", noun.phrase, word.phrase);
        }
    }
}

/// Whether a phrase is a noun with a word behind it that says what its rows are worth.
pub(crate) fn names_worth(phrase: &str) -> bool {
    let folded = fold(phrase);
    let last = folded.rsplit_once(' ').map(|(_, last)| last);
    last.is_some_and(|last| WORTH.contains(&last) || BEHIND.contains(&last))
}

/// The noun whose rows a word says the worth of.
fn noun_of(mentions: &[Mention], word: usize) -> Option<(usize, Place)> {
    let said = fold(&mentions[word].phrase);
    let mention = &mentions[word];
    let worth = WORTH.contains(&said.as_str());
    if mention.quoted || !worth && !BEHIND.contains(&said.as_str()) {
        return None;
    }
    let noun = word.checked_sub(1).filter(|before| {
        mentions[*before].tokens.end == mention.tokens.start
            && table_at(mentions, *before).is_some()
    });
    if let Some(noun) = noun {
        let total = BEHIND.contains(&said.as_str());
        let plural = fold(&mentions[noun].phrase).ends_with('s');
        let measured = mentions.get(word + 1).is_some_and(|next| {
            next.tokens.start == mention.tokens.end
                && (!next.readings.is_empty() || next.number.is_some() || next.concept.is_some())
        });
        return (!(measured || total && plural)).then_some((noun, Place::Behind));
    }
    if !worth {
        return None;
    }
    let fills = |mention: &Mention| {
        mention.is(Lexical::Filler)
            || mention.is(Lexical::Everything)
            || matches!(mention.readings.first(), Some(Reading { target: Target::Value(..), .. }))
    };
    if mentions.get(word + 1).is_some_and(|next| next.is(Lexical::Of)) {
        let noun = (word + 2..mentions.len()).find(|next| !fills(&mentions[*next]))?;
        return table_at(mentions, noun).is_some().then_some((noun, Place::Apart));
    }
    let ends = mentions.get(word + 1).is_none_or(|next| next.number.is_none());
    let before = at_before(mentions, word)?;
    let ranked = before.is(Lexical::By)
        || before.is(Lexical::Maximum)
        || before.is(Lexical::Minimum)
        || before.superlative.is_some();
    let asked = said == "worth";
    let passes = |mention: &Mention| {
        fills(mention)
            || mention.time.is_some()
            || asked && mention.is(Lexical::Is)
            || !asked
                && (mention.is(Lexical::By)
                    || mention.is(Lexical::With)
                    || mention.is(Lexical::Order) && mention.readings.is_empty()
                    || mention.is(Lexical::Maximum)
                    || mention.is(Lexical::Minimum)
                    || mention.superlative.is_some())
    };
    let noun = (0..word).rev().find(|before| !passes(&mentions[*before]))?;
    (ends && (ranked || asked) && table_at(mentions, noun).is_some())
        .then_some((noun, Place::Apart))
}

/// Mention before, leaving out words that add nothing.
fn at_before(mentions: &[Mention], at: usize) -> Option<&Mention> {
    mentions[..at].iter().rev().find(|mention| !mention.is(Lexical::Filler))
}

fn table_at(mentions: &[Mention], at: usize) -> Option<TableId> {
    match mentions.get(at)?.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    }
}

/// Whether a word is the name of a column of a table.
fn is_named(schema: &SchemaIndex, mention: &Mention, table: TableId) -> bool {
    mention.readings.iter().any(|reading| match &reading.target {
        Target::Column(column) => {
            column.table == table
                && reading.method.is_whole()
                && schema.words_of(*column).len() == 1
        }
        _ => false,
    })
}

/// Columns of what each row of a table amounts to, those that add up the others first.
fn amounts(catalog: &Catalog, schema: &SchemaIndex, table: TableId) -> Vec<ColumnId> {
    let whole = |column: &ColumnId| {
        schema.words_of(*column).iter().any(|word| WHOLE.contains(&word.as_str()))
    };
    let measures = schema.profile(table).measures.iter().copied();
    // Beside a quantity, the price of one piece is not what a row amounts to.
    let counted = measures.clone().any(|column| schema.has_role(column, Role::Quantity));
    let of_one = |column: ColumnId| {
        counted
            && schema.has_role(column, Role::Price)
            && schema.words_of(column).iter().any(|word| word == "unit")
    };
    let (mut amounts, parts): (Vec<ColumnId>, Vec<ColumnId>) = measures
        .filter(|column| {
            schema.has_role(*column, Role::Amount)
                || whole(column) && schema.has_role(*column, Role::Cost)
        })
        .filter(|column| {
            !schema.has_role(*column, Role::Percentage)
                && !catalog.tables[usize::from(table.0)].columns[usize::from(column.column)]
                    .is_flag()
                && !of_one(*column)
        })
        .partition(whole);
    amounts.extend(parts);
    amounts
}

/// Amounts as readings: one total is likelier than its parts, several fit alike.
fn readings(schema: &SchemaIndex, amounts: &[ColumnId]) -> Vec<Reading> {
    let whole = |column: ColumnId| {
        schema.words_of(column).iter().any(|word| WHOLE.contains(&word.as_str()))
    };
    let told = amounts.first().is_some_and(|first| whole(*first))
        && amounts.get(1).is_some_and(|second| !whole(*second));
    let readings = amounts.iter().enumerate().map(|(position, column)| Reading {
        target: Target::Column(*column),
        method: Method::Head,
        score: if told && position > 0 { MEANT - PART } else { MEANT },
    });
    readings.collect()
}

/// The concept of sales, where the rows of a table or those that belong to them record it.
fn recorded(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    table: TableId,
) -> Option<usize> {
    let sales = |concept: &Concept| {
        concept.roles.contains(&Role::Amount) && !concept.participles.is_empty()
    };
    let position = dictionary.concepts.iter().position(sales)?;
    let recordings = schema.recording(catalog, dictionary.concepts.get(position)?);
    let belongs = recordings.into_iter().any(|recording| {
        schema.distance(recording.table, table).is_some_and(|(joins, many)| joins <= 1 && !many)
    });
    belongs.then_some(position)
}

/// Columns of a table that people ask for with a word.
fn of_role(schema: &SchemaIndex, word: &str, table: TableId) -> Vec<Reading> {
    let columns = schema.asked_as(&stem(&fold(word))).iter();
    let method = Method::Role;
    columns
        .filter(|column| column.table == table)
        .map(|column| Reading { target: Target::Column(*column), method, score: method.base() })
        .collect()
}
