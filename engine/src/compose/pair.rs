//! Conditions on the rows that a linking table pairs with rows of the same table.

use super::condition::negate;
use super::context::{Composer, Failure};
use crate::catalog::ColumnRef;
use crate::intent::{JoinStep, Predicate};
use crate::linking::{ColumnId, Edge, Named, TableId};
use crate::reading::Pair;

impl Composer<'_> {
    /// Predicate that a linking table pairs a row with the row that has these stored values.
    pub(super) fn paired(
        &mut self,
        pair: Pair,
        values: &[usize],
        negated: bool,
    ) -> Result<(TableId, Predicate), Failure> {
        let mut conditions = self.values_of_row(pair.rows, values)?;
        let mut joins = Vec::new();
        if let Some(edge) = self.key_edge(pair.of) {
            joins.push(self.step_between(edge, false));
        }
        if let Some(edge) = self.key_edge(pair.by).cloned() {
            let key = ColumnId { table: pair.rows, column: edge.to_columns[0] };
            let (key, by) = (self.catalog.reference(key), self.catalog.reference(pair.by));
            match conditions.as_mut_slice() {
                // The name of the row is its key, so that the linking table has it already.
                [Predicate::OneOf { column, .. }] if *column == key => *column = by,
                _ => joins.push(self.step_between(&edge, true)),
            }
        }
        let exists = Predicate::Exists { joins, conditions, negated: false };
        Ok((pair.rows, negate(exists, negated)))
    }

    /// The key of one column that a column is.
    fn key_edge(&self, column: ColumnId) -> Option<&Edge> {
        self.schema.edges(column.table).iter().find(|edge| {
            edge.forward && edge.from_columns == [column.column] && edge.to_columns.len() == 1
        })
    }

    /// The join along a key, from its column or to it.
    fn step_between(&self, edge: &Edge, along: bool) -> JoinStep {
        let reference = |table: TableId, column: u16| -> ColumnRef {
            self.catalog.reference(ColumnId { table, column })
        };
        let here = reference(edge.from, edge.from_columns[0]);
        let there = reference(edge.to, edge.to_columns[0]);
        let (from, to) = if along { (here, there) } else { (there, here) };
        JoinStep {
            from_table: from.table,
            from_columns: vec![from.column],
            to_table: to.table,
            to_columns: vec![to.column],
            outer: false,
        }
    }
}
