//! Areas that a question is about, by its words or by tables that are similar to it.

use std::collections::BTreeSet;

use super::rank::stems;
use super::similar::Clues;
use crate::catalog::{Area, Catalog, Table};
use crate::order;

/// Maximum number of areas.
const AREAS: usize = 3;
/// Number of the most similar tables whose areas count.
const SIMILAR: usize = 3;

/// An area that a question is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundArea<'a> {
    /// Name of the area.
    pub(super) name: &'a str,
    /// How it was found.
    pub(super) method: &'static str,
    /// Confidence, 0 to 1.
    pub(super) confidence: f64,
}

impl FoundArea<'_> {
    /// The area for a trace, such as `sales (keywords, 0.67)`.
    pub(super) fn told(&self) -> String {
        format!("{} ({}, {:.2})", self.name, self.method, self.confidence)
    }
}

/// At most three areas: those that the words name, by their share of the words that name any area, then those of the
/// most similar tables, by their cosine.
pub(super) fn areas<'a>(
    catalog: &'a Catalog,
    words: &BTreeSet<String>,
    clues: Clues<'_>,
) -> Vec<FoundArea<'a>> {
    let hits: Vec<(&Area, BTreeSet<String>)> = catalog
        .areas
        .iter()
        .map(|area| {
            let texts = area.keywords.iter().chain([&area.name, &area.title]);
            let named = texts.flat_map(|text| stems(text)).filter(|word| words.contains(word));
            (area, named.collect())
        })
        .collect();
    let all: BTreeSet<&String> = hits.iter().flat_map(|(_, named)| named).collect();
    let named = hits.iter().filter(|(_, named)| !named.is_empty());
    let mut found: Vec<FoundArea<'_>> = named
        .map(|(area, named)| FoundArea {
            name: &area.name,
            method: "keywords",
            confidence: named.len() as f64 / all.len() as f64,
        })
        .collect();
    order::by(&mut found, |one, other| other.confidence.total_cmp(&one.confidence));
    for (key, cosine) in clues.similar.iter().take(SIMILAR) {
        let table = catalog.tables.iter().find(|table: &&Table| table.has_key(key));
        let area = table.and_then(|table| table.area.as_deref());
        if let Some(name) = area.filter(|name| found.iter().all(|known| known.name != *name)) {
            found.push(FoundArea {
                name,
                method: "similarity",
                confidence: cosine.clamp(0.0, 1.0),
            });
        }
    }
    found.truncate(AREAS);
    found
}
