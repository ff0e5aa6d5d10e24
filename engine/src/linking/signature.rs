//! Signatures: the names and types of a table's columns, by which tables with the same columns are found.

use std::collections::BTreeMap;

use super::element::TableId;
use super::names::TableNames;
use crate::catalog::Table;
use crate::order;

/// Minimum share of common columns for two tables to be twins.
const SAME_COLUMNS: f64 = 0.9;

/// Signatures of tables. Each name and type of a column is a number, and tables with the same numbers form one group.
#[derive(Default)]
pub(super) struct Signatures {
    numbers: BTreeMap<String, u32>,
    tables: Vec<(Vec<u32>, TableId)>,
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
        order::natural(&mut own);
        own.dedup();
        self.tables.push((own, id));
    }

    /// The tables with nearly the same columns as each table: first the earlier ones, those with fewer columns first,
    /// then the later ones.
    pub(super) fn twins(mut self) -> BTreeMap<TableId, Vec<TableId>> {
        order::natural(&mut self.tables);
        let mut groups: Vec<(Vec<u32>, Vec<TableId>)> = Vec::new();
        for (own, table) in self.tables {
            match groups.last_mut() {
                Some((known, tables)) if *known == own => tables.push(table),
                _ => groups.push((own, vec![table])),
            }
        }
        put_rarest_first(&mut groups, self.numbers.len());
        let mut found: BTreeMap<TableId, Vec<TableId>> = BTreeMap::new();
        for (one, others) in similar(&groups).iter().enumerate() {
            let mut all: Vec<(usize, TableId)> = Vec::new();
            for other in std::iter::once(&one).chain(others) {
                let (own, tables) = &groups[*other];
                all.extend(tables.iter().map(|table| (own.len(), *table)));
            }
            let mut by_size = all.clone();
            order::natural(&mut by_size);
            order::by_key(&mut all, |(_, table)| *table);
            for id in &groups[one].1 {
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
}

/// Numbers the columns anew by the number of groups that have them, the rarest first.
fn put_rarest_first(groups: &mut [(Vec<u32>, Vec<TableId>)], numbers: usize) {
    let mut held = vec![0_u32; numbers];
    for number in groups.iter().flat_map(|(own, _)| own) {
        held[*number as usize] += 1;
    }
    let mut rarest_first: Vec<usize> = (0..numbers).collect();
    order::by_key(&mut rarest_first, |number| held[*number]);
    let mut ranks = vec![0; numbers];
    for (rank, number) in rarest_first.into_iter().enumerate() {
        ranks[number] = rank as u32;
    }
    for (own, _) in groups {
        for number in own.iter_mut() {
            *number = ranks[*number as usize];
        }
        order::natural(own);
    }
}

/// The other groups with nearly the same columns as each group.
///
/// Two sorted signatures that share nearly all numbers share one of the first few of them, so only groups with such a
/// number in common are compared.
fn similar(groups: &[(Vec<u32>, Vec<TableId>)]) -> Vec<Vec<usize>> {
    let mut similar = vec![Vec::new(); groups.len()];
    let mut by_number: Vec<Vec<usize>> = Vec::new();
    for (one, (own, _)) in groups.iter().enumerate() {
        let numbers = || first_few(own).iter().map(|number| *number as usize);
        let mut others: Vec<usize> =
            numbers().filter_map(|number| by_number.get(number)).flatten().copied().collect();
        order::natural(&mut others);
        others.dedup();
        for other in others {
            if are_similar(own, &groups[other].0) {
                similar[one].push(other);
                similar[other].push(one);
            }
        }
        for number in numbers() {
            if by_number.len() <= number {
                by_number.resize_with(number + 1, Vec::new);
            }
            by_number[number].push(one);
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
