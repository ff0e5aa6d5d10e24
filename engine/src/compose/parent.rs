//! Conditions on the row of the same table that a row refers to.

use super::condition::negate;
use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{JoinStep, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target};

impl Composer<'_> {
    /// Condition that the row which the key at a mention refers to has stored values, or with `of_child` one that refers.
    pub(super) fn of_parent(
        &mut self,
        (column, at): (ColumnId, usize),
        values: &[usize],
        (negated, of_child): (bool, bool),
    ) -> Result<(TableId, Predicate), Failure> {
        let reference = self.catalog.reference(column);
        let key = self.catalog.foreign_keys.iter().find(|key| {
            key.from_table == reference.table
                && key.to_table == reference.table
                && key.from_columns.contains(&reference.column)
        });
        let Some(key) = key else {
            return Err(self.fail(
                FailureCode::NotComposable,
                format!("“{}” does not refer to rows of the same table", self.phrase(at)),
                "name the rows that are meant",
                Some(at),
            ));
        };
        let (from, to) = if of_child {
            (&key.to_columns, &key.from_columns)
        } else {
            (&key.from_columns, &key.to_columns)
        };
        let step = JoinStep {
            from_table: key.from_table.clone(),
            from_columns: from.clone(),
            to_table: key.to_table.clone(),
            to_columns: to.clone(),
            outer: false,
        };
        let mut conditions = Vec::new();
        for value in values {
            let hint = self.mentions.get(*value).and_then(|mention| {
                mention.readings.iter().find_map(|reading| match &reading.target {
                    Target::Value(of, _) if of.table == column.table => Some(*of),
                    _ => None,
                })
            });
            let Some((of, stored)) = self.stored_value(*value, hint, false)? else { continue };
            let column = self.catalog.reference(of);
            conditions.push(Predicate::OneOf { column, values: stored });
        }
        let exists = Predicate::Exists { joins: vec![step], conditions, negated: false };
        Ok((column.table, negate(exists, negated)))
    }
}
