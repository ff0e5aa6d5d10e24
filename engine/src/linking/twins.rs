//! Twins: tables with the same columns, and columns of one table with the same values.

use std::collections::BTreeMap;

use super::element::{ColumnId, TableId};
use super::names::TableNames;
use super::signature::Signatures;
use crate::catalog::{Catalog, Column, Table, TableKind};

/// Minimum total length of a list of values; shorter lists such as "no, yes" coincide by chance.
const FEW_LETTERS: usize = 8;
/// Minimum range of integers; smaller ranges coincide by chance.
const SPREAD: f64 = 20.0;

/// Twin tables and twin columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    tables: BTreeMap<TableId, Vec<TableId>>,
    columns: BTreeMap<ColumnId, Vec<ColumnId>>,
}

impl Twins {
    /// Finds the twins of a catalog.
    pub(super) fn new(catalog: &Catalog, names: &[TableNames]) -> Self {
        let mut twins = Self::default();
        let mut signatures = Signatures::default();
        for (position, table) in catalog.tables.iter().enumerate().take(usize::from(u16::MAX)) {
            let id = TableId(position as u16);
            twins.add_columns(id, table);
            if table.kind != TableKind::View && table.columns.len() >= 2 {
                signatures.add(id, table, &names[position]);
            }
        }
        twins.tables = signatures.twins();
        twins
    }

    fn add_columns(&mut self, id: TableId, table: &Table) {
        for (position, column) in table.columns.iter().enumerate() {
            for (other, rival) in table.columns[..position].iter().enumerate() {
                if same_values(column, rival) {
                    let (one, two) = (
                        ColumnId { table: id, column: other as u16 },
                        ColumnId { table: id, column: position as u16 },
                    );
                    self.columns.entry(one).or_default().push(two);
                    self.columns.entry(two).or_default().push(one);
                }
            }
        }
    }

    /// Tables with the same columns as the given one.
    pub(super) fn of_table(&self, table: TableId) -> &[TableId] {
        self.tables.get(&table).map_or(&[], Vec::as_slice)
    }

    /// Columns of the same table with the same values as the given one.
    pub(super) fn of_column(&self, column: ColumnId) -> &[ColumnId] {
        self.columns.get(&column).map_or(&[], Vec::as_slice)
    }

    /// All columns with twins.
    pub(super) fn columns(&self) -> impl Iterator<Item = (&ColumnId, &Vec<ColumnId>)> {
        self.columns.iter()
    }

    /// All tables with twins.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&TableId, &Vec<TableId>)> {
        self.tables.iter()
    }
}

/// Whether two columns have the same values, as far as the catalog shows.
fn same_values(one: &Column, two: &Column) -> bool {
    if one.data_type != two.data_type || one.is_flag() {
        return false;
    }
    if let (Some(one), Some(two)) = (&one.values, &two.values) {
        let letters: usize = one.values.iter().map(String::len).sum();
        return one.values.len() > 1 && letters > FEW_LETTERS && one.values == two.values;
    }
    let (Some(least), Some(most)) = (&one.minimum, &one.maximum) else { return false };
    let spread = match (least.parse::<f64>(), most.parse::<f64>()) {
        (Ok(least), Ok(most)) => most - least >= SPREAD || least.fract() != 0.0,
        _ => least != most,
    };
    spread && Some(least) == two.minimum.as_ref() && Some(most) == two.maximum.as_ref()
}
