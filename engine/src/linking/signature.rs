//! Signatures: the names and types of a table's columns, by which tables with the same columns are found.

use std::collections::{BTreeMap, BTreeSet};

use super::element::TableId;
use super::names::TableNames;
use crate::catalog::Table;

/// Minimum share of common columns for two tables to be twins.
const SAME_COLUMNS: f64 = 0.9;

/// Signatures of tables. Each name and type of a column is a number, and tables with the same numbers form one group.
#[derive(Default)]
pub(super) struct Signatures {
    numbers: BTreeMap<String, u32>,
    groups: BTreeMap<Vec<u32>, Vec<TableId>>,
}

impl Signatures {
    /// Adds a table; tables are added in the order of their ids.
    pub(super) fn add(&mut self, id: TableId, table: &Table, names: &TableNames) {
        let mut own = Vec::with_capacity(table.columns.len());
        for (column, name) in table.columns.iter().zip(&names.columns) {
            let text = format!("{} {:?}", name.stems.join(" "), column.data_type);
            let next = self.numbers.len() as u32;
            own.push(*self.numbers.entry(text).or_insert(next));
        }
        own.sort_unstable();
        own.dedup();
        self.groups.entry(own).or_default().push(id);
    }

    /// The tables with nearly the same columns as each table: first the earlier ones, those with fewer columns first,
    /// then the later ones.
    pub(super) fn twins(&self) -> BTreeMap<TableId, Vec<TableId>> {
        let rarity = self.rarity();
        let rarest_first = |own: &Vec<u32>| {
            let mut own: Vec<u32> = own.iter().map(|number| rarity[*number as usize]).collect();
            own.sort_unstable();
            own
        };
        let groups: Vec<(Vec<u32>, &[TableId])> = self
            .groups
            .iter()
            .map(|(own, tables)| (rarest_first(own), tables.as_slice()))
            .collect();
        let mut found: BTreeMap<TableId, Vec<TableId>> = BTreeMap::new();
        for (one, others) in similar(&groups).iter().enumerate() {
            let mut all: Vec<(usize, TableId)> = Vec::new();
            for other in std::iter::once(&one).chain(others) {
                let (signature, tables) = &groups[*other];
                all.extend(tables.iter().map(|table| (signature.len(), *table)));
            }
            let mut by_size = all.clone();
            by_size.sort_unstable();
            all.sort_unstable_by_key(|(_, table)| *table);
            for id in groups[one].1 {
                let earlier = by_size.iter().filter(|(_, table)| table < id);
                let later = all.iter().filter(|(_, table)| table > id);
                let twins: Vec<TableId> = earlier.chain(later).map(|(_, table)| *table).collect();
                if !twins.is_empty() {
                    found.insert(*id, twins);
                }
            }
        }
        found
    }

    /// Rank of each number by the number of groups that have it, the rarest first.
    fn rarity(&self) -> Vec<u32> {
        let mut groups = vec![0_u32; self.numbers.len()];
        for number in self.groups.keys().flatten() {
            groups[*number as usize] += 1;
        }
        let mut rarest_first: Vec<usize> = (0..groups.len()).collect();
        rarest_first.sort_by_key(|number| groups[*number]);
        let mut ranks = vec![0; groups.len()];
        for (rank, number) in rarest_first.into_iter().enumerate() {
            ranks[number] = rank as u32;
        }
        ranks
    }
}

/// The other groups with nearly the same columns as each group.
///
/// Two sorted signatures that share nearly all numbers share one of the first few of them, so only groups with such a
/// number in common are compared.
fn similar(groups: &[(Vec<u32>, &[TableId])]) -> Vec<Vec<usize>> {
    let mut similar = vec![Vec::new(); groups.len()];
    let mut by_number: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (one, (own, _)) in groups.iter().enumerate() {
        let others: BTreeSet<usize> = first_few(own)
            .iter()
            .filter_map(|number| by_number.get(number))
            .flatten()
            .copied()
            .collect();
        for other in others {
            if are_similar(own, &groups[other].0) {
                similar[one].push(other);
                similar[other].push(one);
            }
        }
        for number in first_few(own) {
            by_number.entry(*number).or_default().push(one);
        }
    }
    similar
}

/// The numbers of which similar signatures share at least one: more than a signature may lack.
fn first_few(own: &[u32]) -> &[u32] {
    let lacking = ((1.0 - SAME_COLUMNS) * own.len() as f64).ceil() as usize;
    &own[..own.len().min(lacking + 1)]
}

/// Whether the numbers that both signatures have are most of those that either has.
fn are_similar(one: &[u32], two: &[u32]) -> bool {
    let (mut at, mut shared) = (0, 0_usize);
    for number in one {
        while two.get(at).is_some_and(|other| other < number) {
            at += 1;
        }
        shared += usize::from(two.get(at) == Some(number));
    }
    shared as f64 >= SAME_COLUMNS * (one.len() + two.len() - shared) as f64
}
