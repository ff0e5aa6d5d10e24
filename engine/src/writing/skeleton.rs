//! Join skeleton: a small tree of foreign keys that connects the tables of a brief, and the other ways to connect them.

use std::collections::BTreeSet;

use super::Brief;
use super::ways::{JOIN, Way, Ways};
use crate::catalog::{Catalog, ForeignKey};
use crate::text::{fold, stem};
use wherefore_english::name_words;

/// Number of ways that are compared for each table.
const WAYS: usize = 3;
/// What a join costs less if the question names the role of its key ("billing", "sold by").
const NAMED: u32 = 3;
/// What a join costs less if its key was decided.
const DECIDED: u32 = 6;
/// Words of names of keys that name no role.
const KEY_WORDS: [&str; 5] = ["code", "fk", "id", "key", "no"];

/// Joins that connect tables, with the intermediate tables.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Skeleton {
    /// Pairs of joined columns, each as `table.column`.
    pub(super) joins: Vec<(String, String)>,
    /// Keys of the intermediate tables.
    pub(super) between: Vec<String>,
    /// Other ways to connect a table, as pairs of joined columns.
    pub(super) others: Vec<Vec<(String, String)>>,
    /// Tables that are connected in several ways, none of which is shorter or named.
    pub(super) open: Vec<OpenWay>,
}

/// A table that is connected in several ways.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct OpenWay {
    /// Key of the table.
    pub(super) table: String,
    /// The ways.
    pub(super) ways: Vec<Turn>,
}

/// What only one of several ways has.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Turn {
    /// Key of the table of the column.
    pub(super) table: String,
    /// The column that only this way joins by.
    pub(super) column: String,
    /// Key of the table that the way leads through first, if it has several joins.
    pub(super) through: Option<String>,
}

/// Connects the tables of a brief, given by key: each by the cheapest way to the already connected ones.
pub(super) fn skeleton(catalog: &Catalog, brief: &Brief, tables: &[String]) -> Skeleton {
    let ways = Ways { catalog, costs: costs(catalog, brief) };
    let mut found = Skeleton::default();
    let mut reached: Vec<String> = tables.iter().take(1).cloned().collect();
    for table in tables.iter().skip(1) {
        if reached.contains(table) {
            continue;
        }
        let shortest = ways.shortest(&reached, table, WAYS);
        let [best, others @ ..] = shortest.as_slice() else { continue };
        for (_, end) in &best.steps {
            if !reached.contains(end) {
                reached.push(end.clone());
                if !tables.contains(end) {
                    found.between.push(end.clone());
                }
            }
        }
        found.joins.extend(pairs(catalog, best));
        found.others.extend(others.iter().map(|way| pairs(catalog, way)));
        found.open.extend(open(catalog, table, &shortest));
    }
    found
}

/// The ways of the lowest cost, if there are several and each uses a foreign key that no other one of them uses.
fn open(catalog: &Catalog, table: &str, ways: &[Way]) -> Option<OpenWay> {
    let best = ways.first()?;
    let equal: Vec<&Way> = ways.iter().filter(|way| way.cost == best.cost).collect();
    if equal.len() < 2 {
        return None;
    }
    let turns: Vec<Turn> = equal
        .iter()
        .filter_map(|way| {
            let own = way.steps.iter().find(|(key, _)| {
                let shares = |other: &&&Way| other.steps.iter().any(|(also, _)| also == key);
                equal.iter().filter(shares).count() == 1
            });
            let key = catalog.foreign_keys.get(own?.0)?;
            let first = way.steps.first().filter(|_| way.steps.len() > 1);
            Some(Turn {
                table: key.from_table.clone(),
                column: key.from_columns.first()?.clone(),
                through: first.map(|(_, table)| table.clone()),
            })
        })
        .collect();
    (turns.len() == equal.len()).then(|| OpenWay { table: table.to_owned(), ways: turns })
}

/// Joined columns of a way.
fn pairs(catalog: &Catalog, way: &Way) -> Vec<(String, String)> {
    let keys = way.steps.iter().filter_map(|(key, _)| catalog.foreign_keys.get(*key));
    keys.flat_map(|key| {
        key.from_columns.iter().zip(&key.to_columns).map(|(from, to)| {
            (format!("{}.{from}", key.from_table), format!("{}.{to}", key.to_table))
        })
    })
    .collect()
}

/// Cost of each foreign key: less if it was decided, or if the question names its role.
fn costs(catalog: &Catalog, brief: &Brief) -> Vec<u32> {
    let said: BTreeSet<String> = stems(&brief.question).collect();
    let decided: BTreeSet<&String> = brief
        .decided
        .iter()
        .flat_map(|words| &words.required.columns)
        .chain(&brief.selected)
        .collect();
    let cost = |key: &ForeignKey| {
        let is_decided = key
            .from_columns
            .iter()
            .any(|column| decided.contains(&format!("{}.{column}", key.from_table)));
        if is_decided {
            JOIN - DECIDED
        } else if is_named(key, &said) {
            JOIN - NAMED
        } else {
            JOIN
        }
    };
    catalog.foreign_keys.iter().map(cost).collect()
}

/// Whether all words for the role of a key, such as "billing", are among those of the question.
fn is_named(key: &ForeignKey, said: &BTreeSet<String>) -> bool {
    let target: BTreeSet<String> = stems(&name_words(&key.to_table)).collect();
    let columns = key.from_columns.iter().map(|column| name_words(column));
    let role: Vec<String> = columns
        .flat_map(|words| stems(&words).collect::<Vec<_>>())
        .filter(|word| !target.contains(word) && !KEY_WORDS.contains(&word.as_str()))
        .collect();
    !role.is_empty() && role.iter().all(|word| said.contains(word))
}

fn stems(text: &str) -> impl Iterator<Item = String> {
    let text = fold(text);
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(stem)
        .collect();
    words.into_iter()
}
