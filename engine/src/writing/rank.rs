//! Retrieval: ranks the tables of a catalog for a brief.

use std::collections::{BTreeMap, BTreeSet};

use super::areas::{FoundArea, areas};
use super::similar::Clues;
use super::{Brief, WritingFlags};
use crate::catalog::{Catalog, Table};
use crate::order;
use crate::text::{fold, stem, tokenize};

/// Usual parameters of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Constant of reciprocal rank fusion (`docs/spec.md` §7).
const RRF: f64 = 60.0;
/// Maximum number of values of a column that are indexed.
const VALUES: usize = 40;

/// Indexes of tables, best first.
pub(super) fn rank(
    catalog: &Catalog,
    brief: &Brief,
    clues: Clues<'_>,
    flags: WritingFlags,
) -> Vec<usize> {
    let mut scores = vec![0.0; catalog.tables.len()];
    let mut add = |ranking: &[usize], weight: f64| {
        for (place, table) in ranking.iter().enumerate() {
            scores[*table] += weight / (RRF + place as f64 + 1.0);
        }
    };
    add(&named(catalog, brief, flags), 4.0);
    let words = words_of(brief, clues);
    if flags.bm25 {
        add(&by_words(catalog, &words), 1.0);
    }
    add(&by_similarity(catalog, clues), 1.0);
    if flags.area_router {
        add(&by_area(catalog, &areas(catalog, &words, clues)), 0.5);
    }
    if flags.reranking {
        let best = sorted(&scores);
        let near = neighbours(catalog, best.iter().take(3).copied());
        for table in near {
            scores[table] += 0.5 / RRF;
        }
    }
    sorted(&scores)
}

/// Tables that the brief names: selected, decided, then linked ones.
fn named(catalog: &Catalog, brief: &Brief, flags: WritingFlags) -> Vec<usize> {
    let mut keys: Vec<&str> = brief.selected.iter().map(String::as_str).collect();
    keys.extend(brief.decided.iter().flat_map(|words| words.required.all_tables()));
    if flags.schema_linker {
        keys.extend(brief.ties.iter().map(|tie| tie.table.as_str()));
    }
    let mut found = Vec::new();
    for key in keys {
        let named = |table: &Table| {
            table.has_key(key)
                || key.rsplit_once('.').is_some_and(|(table_key, _)| table.has_key(table_key))
        };
        if let Some(position) = catalog.tables.iter().position(named)
            && !found.contains(&position)
        {
            found.push(position);
        }
    }
    found
}

/// Stems of the words of the question, of earlier ones and of a sketch.
pub(super) fn words_of(brief: &Brief, clues: Clues<'_>) -> BTreeSet<String> {
    let texts = brief.earlier.iter().chain([&brief.question]).chain(clues.wanted);
    texts.flat_map(|text| stems(text)).collect()
}

/// Stems of the words in a text; identifiers are split into words.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut lower = false;
    for character in text.chars() {
        if character.is_uppercase() && lower {
            spaced.push(' ');
        }
        lower = character.is_lowercase();
        spaced.push(if character == '_' { ' ' } else { character });
    }
    tokenize(&spaced)
        .iter()
        .map(|token| stem(&fold(token.span.of(&spaced))))
        .filter(|word| word.len() > 1)
        .collect()
}

/// Ranks by BM25 over names, descriptions, synonyms and values; tables without a matching word are left out.
fn by_words(catalog: &Catalog, words: &BTreeSet<String>) -> Vec<usize> {
    let documents: Vec<BTreeMap<String, f64>> = catalog.tables.iter().map(document).collect();
    let lengths: Vec<f64> = documents.iter().map(|document| document.values().sum()).collect();
    let average = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
    let count = documents.len() as f64;
    let mut scores = vec![0.0; documents.len()];
    for word in words {
        let holding =
            documents.iter().filter(|document| document.contains_key(word)).count() as f64;
        let rarity = ((count - holding + 0.5) / (holding + 0.5) + 1.0).ln();
        for (position, document) in documents.iter().enumerate() {
            let Some(often) = document.get(word) else { continue };
            let length = 1.0 - B + B * lengths[position] / average.max(1.0);
            scores[position] += rarity * often * (K1 + 1.0) / (often + K1 * length);
        }
    }
    sorted(&scores).into_iter().filter(|position| scores[*position] > 0.0).collect()
}

fn document(table: &Table) -> BTreeMap<String, f64> {
    let mut document = BTreeMap::new();
    let mut add = |text: &str, weight: f64| {
        for word in stems(text) {
            *document.entry(word).or_insert(0.0) += weight;
        }
    };
    add(&table.name, 3.0);
    add(&table.description, 1.0);
    table.synonyms.iter().for_each(|synonym| add(synonym, 2.0));
    for column in &table.columns {
        add(&column.name, 1.0);
        add(&column.description, 0.5);
        column.synonyms.iter().for_each(|synonym| add(synonym, 1.0));
        let values = column.values.iter().flat_map(|list| &list.values);
        values.take(VALUES).for_each(|value| add(value, 0.3));
    }
    document
}

/// Tables in the order of their similarity.
fn by_similarity(catalog: &Catalog, clues: Clues<'_>) -> Vec<usize> {
    let position = |key: &str| catalog.tables.iter().position(|table| table.has_key(key));
    clues.similar.iter().filter_map(|(key, _)| position(key)).collect()
}

/// Tables of areas.
fn by_area(catalog: &Catalog, areas: &[FoundArea<'_>]) -> Vec<usize> {
    let within = |table: &Table| {
        table.area.as_deref().is_some_and(|area| areas.iter().any(|found| found.name == area))
    };
    let tables = catalog.tables.iter().enumerate();
    tables.filter(|(_, table)| within(table)).map(|(position, _)| position).collect()
}

/// Tables that are linked with these by a foreign key.
pub(super) fn neighbours(
    catalog: &Catalog,
    tables: impl Iterator<Item = usize>,
) -> BTreeSet<usize> {
    let position = |key: &str| catalog.tables.iter().position(|table| table.has_key(key));
    let of: BTreeSet<usize> = tables.collect();
    let mut found = BTreeSet::new();
    for key in &catalog.foreign_keys {
        let (Some(from), Some(to)) = (position(&key.from_table), position(&key.to_table)) else {
            continue;
        };
        if of.contains(&from) {
            found.insert(to);
        }
        if of.contains(&to) {
            found.insert(from);
        }
    }
    found
}

/// Indexes by descending score; ties keep their order.
fn sorted(scores: &[f64]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..scores.len()).collect();
    order::by(&mut positions, |one, other| scores[*other].total_cmp(&scores[*one]));
    positions
}
