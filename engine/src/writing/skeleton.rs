//! Join skeleton: a small tree of foreign keys that connects the tables of a brief.

use std::collections::{BTreeMap, VecDeque};

use crate::catalog::{Catalog, ForeignKey};

/// Joins that connect tables, with the intermediate tables.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Skeleton {
    /// Pairs of joined columns, each as `table.column`.
    pub(super) joins: Vec<(String, String)>,
    /// Keys of the intermediate tables.
    pub(super) between: Vec<String>,
}

/// Connects tables, given by key: each by a shortest path to the already connected ones.
pub(super) fn skeleton(catalog: &Catalog, tables: &[String]) -> Skeleton {
    let mut found = Skeleton::default();
    let mut reached: Vec<String> = tables.iter().take(1).cloned().collect();
    for table in tables.iter().skip(1) {
        if reached.contains(table) {
            continue;
        }
        for key in way(catalog, &reached, table) {
            for end in [&key.from_table, &key.to_table] {
                if !reached.contains(end) {
                    reached.push(end.clone());
                    if !tables.contains(end) {
                        found.between.push(end.clone());
                    }
                }
            }
            let pairs = key.from_columns.iter().zip(&key.to_columns);
            found.joins.extend(pairs.map(|(from, to)| {
                (format!("{}.{from}", key.from_table), format!("{}.{to}", key.to_table))
            }));
        }
    }
    found
}

/// Foreign keys on a shortest path from any of several tables to another; empty if there is none.
fn way<'a>(catalog: &'a Catalog, from: &[String], to: &str) -> Vec<&'a ForeignKey> {
    let mut came: BTreeMap<&str, Option<(&'a ForeignKey, &str)>> = BTreeMap::new();
    let mut next: VecDeque<&str> = VecDeque::new();
    for table in from {
        came.insert(table, None);
        next.push_back(table);
    }
    while let Some(table) = next.pop_front() {
        if table == to {
            break;
        }
        for key in &catalog.foreign_keys {
            let other = if key.from_table == table {
                key.to_table.as_str()
            } else if key.to_table == table {
                key.from_table.as_str()
            } else {
                continue;
            };
            if !came.contains_key(other) {
                came.insert(other, Some((key, table)));
                next.push_back(other);
            }
        }
    }
    let mut keys = Vec::new();
    let mut at = to;
    while let Some(Some((key, before))) = came.get(at) {
        keys.push(*key);
        at = before;
    }
    keys.reverse();
    keys
}
