//! Events that rows are, or are not, associated with: "never sold", "without sales", "sold in March".

use super::element::{TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::{Mention, Reading};
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::dictionary::{Concept, Dictionary};
use crate::text::{Token, fold, stem};

/// Maximum number of joins from the rows that record an event to the rows it is about.
const FAR: usize = 3;

/// Drops columns whose names end in the noun of a participle where a table is named after that noun: "never ordered" is
/// about the rows of `orders`, not about `units_on_order`.
pub(super) fn prefer_recorded(word: &Token, mention: &mut Mention) {
    // The stem of "bed" is the word itself.
    let participle = word.folded.ends_with("ed") && word.stem != word.folded;
    let recorded = mention.readings.iter().any(|reading| {
        reading.method == Method::Stem && matches!(reading.target, Target::Table(_))
    });
    if participle && recorded {
        mention.readings.retain(|reading| {
            reading.method != Method::Head || !matches!(reading.target, Target::Column(_))
        });
    }
}

/// Links concept words that are negated, or that modify listed rows, to the tables that record the concept; if a time
/// follows, only to tables with a date.
pub(crate) fn tie_recorded(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    mentions: &mut [Mention],
) {
    for at in 1..mentions.len() {
        let concept = mentions[at].concept.and_then(|concept| dictionary.concepts.get(concept));
        let said =
            |concept: &&Concept| is_denied(mentions, at) || is_participle(concept, mentions, at);
        let Some(concept) = concept.filter(said) else { continue };
        let before = mentions[..at].iter().rev();
        let thing =
            before.filter_map(|mention| mention.readings.first()).find_map(|first| match first {
                Reading { target: Target::Table(table), .. } => Some(*table),
                _ => None,
            });
        let Some(thing) = thing else { continue };
        let near = |table: TableId| {
            let (joins, to_many) = schema.distance(table, thing)?;
            (table != thing && !to_many && joins <= FAR).then_some(joins)
        };
        let recordings = schema.recording(catalog, concept);
        let nearest = recordings.iter().filter_map(|recording| near(recording.table)).min();
        let mut tables: Vec<TableId> = Vec::new();
        for recording in recordings.iter().filter(|recording| near(recording.table) == nearest) {
            if nearest.is_some() && !tables.contains(&recording.table) {
                tables.push(recording.table);
            }
        }
        schema.leave_purchases(&mut tables);
        if mentions[at + 1..].iter().any(|mention| mention.time.is_some()) {
            let dated = |table: TableId| {
                let mut parents = schema.edges(table).iter().filter(|edge| edge.to_one);
                let own = schema.profile(table).date.map(|_| table);
                own.or_else(|| {
                    let records = |to: TableId| recordings.iter().any(|other| other.table == to);
                    let parent = parents.find(|edge| records(edge.to))?.to;
                    schema.profile(parent).date.map(|_| parent)
                })
            };
            tables = tables.into_iter().filter_map(dated).collect();
        }
        if tables.is_empty() {
            continue;
        }
        let (method, mention) = (Method::Related, &mut mentions[at]);
        mention.readings = tables
            .into_iter()
            .map(|table| Reading { target: Target::Table(table), method, score: method.base() })
            .collect();
        mention.concept = None;
        mention.lexical.clear();
    }
}

impl SchemaIndex {
    /// Removes tables of purchases if other tables are left, because "sold" does not refer to purchases.
    pub(crate) fn leave_purchases(&self, tables: &mut Vec<TableId>) {
        let bought = stem("purchase");
        let sold = |table: &TableId| !self.profile(*table).stems.contains(&bought);
        if tables.iter().any(sold) {
            tables.retain(sold);
        }
    }
}

/// Whether a preceding word negates a mention, with only fillers in between.
fn is_denied(mentions: &[Mention], at: usize) -> bool {
    let fills = |mention: &&Mention| {
        mention.readings.is_empty()
            && [Lexical::Filler, Lexical::Is].iter().any(|kind| mention.is(*kind))
            && !mention.is(Lexical::Not)
    };
    let before = mentions[..at].iter().rev().find(|mention| !fills(mention));
    before.is_some_and(|before| before.is(Lexical::Not) || before.is(Lexical::Without))
}

/// Whether a word is a past participle after a table whose rows are listed, without an aggregate.
fn is_participle(concept: &Concept, mentions: &[Mention], at: usize) -> bool {
    let computed = [
        Lexical::Average,
        Lexical::Bottom,
        Lexical::By,
        Lexical::Count,
        Lexical::CountNoun,
        Lexical::Fewest,
        Lexical::Group,
        Lexical::Maximum,
        Lexical::Minimum,
        Lexical::Most,
        Lexical::Sum,
        Lexical::Top,
    ];
    let computes = |mention: &Mention| {
        mention.superlative.is_some() || computed.iter().any(|kind| mention.is(*kind))
    };
    let behind_table =
        matches!(mentions[at - 1].readings.first(), Some(Reading { target: Target::Table(_), .. }));
    behind_table
        && concept.participles.contains(&fold(&mentions[at].phrase))
        && !mentions.iter().any(computes)
}
