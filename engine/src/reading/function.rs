//! Functions of a column in other words: "maximum number of beds", "the highest, lowest and average cost".

use crate::catalog::Catalog;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Lexicon, Mention, Named, SchemaIndex, Target};

/// Words that compute one figure of many.
const FUNCTIONS: [Lexical; 4] =
    [Lexical::Average, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];

/// Gives words that stand before a column of numbers, and compute a figure of it, that meaning alone.
pub(crate) fn name_functions(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    mentions: &mut [Mention],
) {
    for at in 0..mentions.len() {
        if !is_figure(catalog, schema, &mentions[at]) {
            continue;
        }
        order_by_number(mentions, at);
        let start = (0..at).rev().take_while(|&before| {
            let mention = &mentions[before];
            let joins = [Lexical::And, Lexical::Filler, Lexical::Of, Lexical::Everything];
            function(lexicon, mention).is_some()
                || is_number_of(mention)
                || !mention.lexical.is_empty()
                    && mention.readings.is_empty()
                    && joins.iter().any(|kind| mention.is(*kind))
        });
        let run: Vec<usize> = start.collect();
        let named = |at: &usize| function(lexicon, &mentions[*at]).is_some();
        let functions: Vec<usize> = run.iter().copied().filter(named).collect();
        let plain = |at: &usize| FUNCTIONS.iter().any(|kind| mentions[*at].is(*kind));
        let counted = run.iter().any(|at| is_number_of(&mentions[*at]));
        let several = functions.len() > 1;
        let only_so = |at: &usize| is_most_of(&mentions[*at]) || is_total_number(&mentions[*at]);
        let otherwise = functions.iter().any(only_so)
            || counted && functions.iter().any(plain)
            || several && !functions.iter().all(plain)
            || mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Group))
                && run.first().is_some_and(|last| functions.contains(last));
        if !otherwise {
            continue;
        }
        name_run(lexicon, mentions, run);
    }
    name_listed(catalog, schema, lexicon, mentions);
}

/// Gives the words of a run before a column their meaning as functions.
fn name_run(lexicon: &Lexicon, mentions: &mut [Mention], run: Vec<usize>) {
    for at in run {
        if let Some(function) = function(lexicon, &mentions[at]) {
            let middle = mentions[at].is(Lexical::Median);
            mentions[at].lexical = vec![function];
            mentions[at].lexical.extend(middle.then_some(Lexical::Median));
            mentions[at].superlative = None;
            mentions[at].vague = None;
            mentions[at].readings.clear();
        } else if is_number_of(&mentions[at]) {
            mentions[at].lexical = vec![Lexical::Filler];
        }
    }
}

/// "highest cost, lowest cost and average cost": several functions, each with its column, where nothing stands before them
/// that could be ranked.
fn name_listed(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    mentions: &mut [Mention],
) {
    let opens = [Lexical::Filler, Lexical::Is, Lexical::List];
    let opened = |at: &usize| opens.iter().any(|kind| mentions[*at].is(*kind));
    let mut at = (0..mentions.len()).take_while(opened).count();
    let mut functions = Vec::new();
    while at + 1 < mentions.len()
        && function(lexicon, &mentions[at]).is_some()
        && is_figure(catalog, schema, &mentions[at + 1])
    {
        functions.push(at);
        at += 2;
        let joins = |mention: &Mention| mention.is(Lexical::And) || mention.is(Lexical::Filler);
        at += mentions[at..].iter().take_while(|mention| joins(mention)).count();
    }
    if functions.len() > 1 {
        name_run(lexicon, mentions, functions);
    }
}

/// Orders by the column of numbers at `at` itself, where "number of" stands between it and words of order.
fn order_by_number(mentions: &mut [Mention], at: usize) {
    let orders = [Lexical::Ascending, Lexical::By, Lexical::Descending, Lexical::Order];
    let whole = mentions[at].readings.first().is_some_and(|first| first.method.is_whole());
    let Some(before) = at.checked_sub(2).filter(|_| whole && is_number_of(&mentions[at - 1]))
    else {
        return;
    };
    if orders.iter().any(|kind| mentions[before].is(*kind)) {
        mentions[at - 1].lexical = vec![Lexical::Filler];
        if mentions[before].is(Lexical::By) {
            mentions[before].lexical = vec![Lexical::Order];
        }
    }
}

/// Whether words mean a column of numbers that figures are computed of: no key, and no yes or no.
fn is_figure(catalog: &Catalog, schema: &SchemaIndex, mention: &Mention) -> bool {
    let Some(Target::Column(column)) = mention.readings.first().map(|first| &first.target) else {
        return false;
    };
    let definition = catalog.column_at(*column);
    mention.duration.is_some()
        || mention.lexical.is_empty()
            && definition.data_type.is_numeric()
            && !definition.unique
            && !definition.is_flag()
            && !is_key(schema, *column)
}

fn is_key(schema: &SchemaIndex, column: ColumnId) -> bool {
    schema.has_role(column, Role::Identifier)
        || schema.edges(column.table).iter().any(|edge| edge.from_columns == [column.column])
}

/// Function that words name, before a column.
pub(super) fn function(lexicon: &Lexicon, mention: &Mention) -> Option<Lexical> {
    if is_most_of(mention) {
        let most = mention.is(Lexical::Most);
        return Some(if most { Lexical::Maximum } else { Lexical::Minimum });
    }
    if is_total_number(mention) {
        return Some(Lexical::Sum);
    }
    let superlative = mention.superlative.and_then(|which| lexicon.superlatives.get(which));
    if let Some(superlative) = superlative.filter(|superlative| superlative.figure) {
        return Some(if superlative.descending { Lexical::Maximum } else { Lexical::Minimum });
    }
    FUNCTIONS.into_iter().find(|kind| mention.is(*kind))
}

/// "maximum number of", "the lowest number of".
fn is_most_of(mention: &Mention) -> bool {
    let phrase = mention.phrase.to_lowercase();
    (mention.is(Lexical::Most) || mention.is(Lexical::Fewest))
        && (phrase.starts_with("max") || phrase.starts_with("min"))
}

/// "total number of".
fn is_total_number(mention: &Mention) -> bool {
    mention.is(Lexical::Count) && mention.phrase.to_lowercase().contains("total")
}

/// "number of", without "total".
fn is_number_of(mention: &Mention) -> bool {
    let phrase = mention.phrase.to_lowercase();
    (mention.is(Lexical::Count) || mention.is(Lexical::CountNoun))
        && phrase.contains("number")
        && !phrase.contains("total")
}
