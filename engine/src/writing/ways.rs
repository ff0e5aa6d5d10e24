//! The shortest ways along foreign keys from some tables to another (Yen's algorithm), by cost.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Catalog, ForeignKey};

/// Cost of a join.
pub(super) const JOIN: u32 = 10;

/// A way: foreign keys in order, each with the table that it leads to.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Way {
    /// Sum of the costs of the joins.
    pub(super) cost: u32,
    /// Positions of the foreign keys in the catalog, and keys of the tables that they lead to.
    pub(super) steps: Vec<(usize, String)>,
}

/// What a search must not use.
#[derive(Clone, Debug, Default)]
struct Closed {
    keys: BTreeSet<usize>,
    tables: BTreeSet<String>,
}

/// Ways of a catalog.
pub(super) struct Ways<'a> {
    /// The catalog.
    pub(super) catalog: &'a Catalog,
    /// Cost of each foreign key, by its position.
    pub(super) costs: Vec<u32>,
}

impl Ways<'_> {
    /// At most `most` ways without loops from any of several tables to another, cheapest first.
    pub(super) fn shortest(&self, from: &[String], to: &str, most: usize) -> Vec<Way> {
        let mut found: Vec<Way> = self.cheapest(from, to, &Closed::default()).into_iter().collect();
        let mut candidates: BTreeSet<Way> = BTreeSet::new();
        while let Some(last) = found.last().filter(|_| found.len() < most).cloned() {
            for at in 0..last.steps.len() {
                let root = &last.steps[..at];
                let same = found.iter().filter(|way| way.steps.get(..at) == Some(root));
                let mut closed = Closed {
                    keys: same.filter_map(|way| Some(way.steps.get(at)?.0)).collect(),
                    ..Closed::default()
                };
                // A way that left the first tables does not come back to them, nor to its own ones.
                let spur: Vec<String> = match root.last() {
                    Some((_, table)) => {
                        let before = root[..at - 1].iter().map(|(_, table)| table.clone());
                        closed.tables = from.iter().cloned().chain(before).collect();
                        vec![table.clone()]
                    }
                    None => from.to_vec(),
                };
                if let Some(rest) = self.cheapest(&spur, to, &closed) {
                    let cost = rest.cost + root.iter().map(|(key, _)| self.cost(*key)).sum::<u32>();
                    let steps = [root.to_vec(), rest.steps].concat();
                    candidates.insert(Way { cost, steps });
                }
            }
            candidates.retain(|way| !found.contains(way));
            let Some(next) = candidates.pop_first() else { break };
            found.push(next);
        }
        found
    }

    fn cost(&self, key: usize) -> u32 {
        self.costs.get(key).copied().unwrap_or(JOIN)
    }

    /// The cheapest way; of equal ones, that whose keys come first in the catalog.
    fn cheapest(&self, from: &[String], to: &str, closed: &Closed) -> Option<Way> {
        let mut best: BTreeMap<String, Way> = BTreeMap::new();
        let start = |table: &String| (Way { cost: 0, steps: Vec::new() }, table.clone());
        let mut open: BTreeSet<(Way, String)> = from.iter().map(start).collect();
        while let Some((way, table)) = open.pop_first() {
            if table == to {
                return Some(way);
            }
            if best.contains_key(&table) {
                continue;
            }
            for (position, key) in self.catalog.foreign_keys.iter().enumerate() {
                let Some(other) = other_end(key, &table) else { continue };
                let is_closed = closed.keys.contains(&position) || closed.tables.contains(other);
                if is_closed || best.contains_key(other) || from.contains(&other.to_owned()) {
                    continue;
                }
                let mut next = way.clone();
                next.cost += self.cost(position);
                next.steps.push((position, other.to_owned()));
                open.insert((next, other.to_owned()));
            }
            best.insert(table, way);
        }
        None
    }
}

/// The table at the other end of a foreign key; `None` if the key is of other tables, or of one table only.
fn other_end<'a>(key: &'a ForeignKey, table: &str) -> Option<&'a str> {
    if key.from_table == key.to_table {
        None
    } else if key.from_table == table {
        Some(&key.to_table)
    } else if key.to_table == table {
        Some(&key.from_table)
    } else {
        None
    }
}
