//! The tables of a catalog that questions are likeliest to be about.

use super::element::TableId;
use super::index::{Named, SchemaIndex};
use crate::catalog::Catalog;
use crate::order;

/// Tables in order of likely interest: no views or link tables, most foreign keys and rows first.
pub(crate) fn prominent(catalog: &Catalog, schema: &SchemaIndex) -> Vec<TableId> {
    let mut tables: Vec<(usize, u32, TableId)> = schema
        .tables
        .iter()
        .enumerate()
        .filter(|(_, profile)| !profile.is_bridge && !profile.is_view)
        .map(|(position, _)| {
            let table = TableId(position as u16);
            (schema.edges(table).len(), catalog.table_at(table).row_estimate.unwrap_or(0), table)
        })
        .collect();
    order::by(&mut tables, |a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut found: Vec<TableId> = tables.into_iter().map(|(_, _, table)| table).collect();
    if found.is_empty() {
        found = (0..schema.tables.len()).map(|position| TableId(position as u16)).collect();
    }
    found
}
