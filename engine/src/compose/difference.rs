//! Values that rows of one table have and rows of another have not: "cities with suppliers but no customers".
//!
//! Both tables have the column, so that its values are compared; how the tables are linked says nothing of it.

use super::build::compose;
use super::context::{Composer, Failure};
use super::union::of_table;
use crate::intent::{Expression, JoinStep, Ordering, Predicate, QueryTree};
use crate::linking::{ColumnId, Mention, Named, TableId, Target};
use crate::reading::{Frame, TableUse};

/// A column that two tables have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    with: ColumnId,
    without: ColumnId,
}

impl Composer<'_> {
    /// The column that a question asks for of rows of one table, unless rows of another have the same value.
    pub(super) fn difference(&self, frame: &Frame) -> Option<Difference> {
        let [at] = frame.outputs.as_slice() else { return None };
        let plain = frame.conditions.is_empty()
            && frame.times.is_empty()
            && frame.vague.is_empty()
            && frame.measures.is_empty()
            && frame.groups.is_empty()
            && frame.output_tables.is_empty()
            && frame.superlative.is_none();
        let denied = frame.related.iter().filter(|related| related.how == TableUse::Without);
        let denied: Vec<TableId> = denied.map(|related| related.table).collect();
        let held = frame.related.iter().filter(|related| related.how == TableUse::With);
        let held =
            frame.head.map(|(table, _)| table).into_iter().chain(held.map(|held| held.table));
        let held: Vec<TableId> = held.collect();
        let ([without], [with], true) = (denied.as_slice(), held.as_slice(), plain) else {
            return None;
        };
        let column = |table: TableId| {
            self.mentions.get(*at)?.readings.iter().find_map(|reading| match reading.target {
                Target::Column(column) if column.table == table => Some(column),
                _ => None,
            })
        };
        let (with, without) = (column(*with)?, column(*without)?);
        let same = self.schema.stems_of(with) == self.schema.stems_of(without)
            && with.table != without.table
            && self.catalog.column_at(with).data_type == self.catalog.column_at(without).data_type;
        let key = self.is_foreign(with) || self.is_foreign(without);
        let names = self.schema.profile(with.table).label.contains(&with);
        (same && !key && !names).then_some(Difference { with, without })
    }

    /// The values of the one table, without those of the other.
    pub(super) fn without_values(
        &mut self,
        frame: &Frame,
        difference: Difference,
    ) -> Result<QueryTree, Failure> {
        let Difference { with, without } = difference;
        let mut frame = frame.clone();
        frame.head = Some((with.table, usize::MAX));
        frame.related.clear();
        let mentions: Vec<Mention> = self
            .mentions
            .iter()
            .map(|mention| of_table(mention, with.table, without.table))
            .collect();
        let mut composer = Composer {
            mentions: &mentions,
            open: std::mem::take(&mut self.open),
            given: self.given.clone(),
            through: Vec::new(),
            ..*self
        };
        let composed = compose(&mut composer, &frame);
        let (open, joined) = (std::mem::take(&mut composer.open), composer.joined);
        self.open = open;
        self.joined = joined;
        let mut tree = composed?;
        let (one, other) = (self.catalog.reference(with), self.catalog.reference(without));
        let step = JoinStep {
            from_table: one.table.clone(),
            from_columns: vec![one.column.clone()],
            to_table: other.table,
            to_columns: vec![other.column],
            outer: false,
        };
        tree.filters.push(Predicate::Exists {
            joins: vec![step],
            conditions: Vec::new(),
            negated: true,
        });
        tree.filters.push(Predicate::IsNull { column: one.clone(), negated: true });
        tree.distinct = true;
        let expression = Expression::Column { column: one };
        tree.order_by = vec![Ordering { expression, descending: false }];
        Ok(tree)
    }
}
