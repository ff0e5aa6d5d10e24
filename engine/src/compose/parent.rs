//! Conditions on the row of the same table that a row refers to.

use wherefore_english::singular;

use super::condition::negate;
use super::context::{Composer, Failure};
use crate::catalog::ForeignKey;
use crate::failure::FailureCode;
use crate::intent::{Expression, JoinStep, Predicate, Selection};
use crate::linking::{ColumnId, Named, TableId, Target, words_of_identifier};

impl Composer<'_> {
    /// Condition that the row which the key at a mention refers to has stored values, or with `of_child` one that refers.
    pub(super) fn of_parent(
        &mut self,
        (column, at): (ColumnId, usize),
        values: &[usize],
        (negated, of_child): (bool, bool),
    ) -> Result<(TableId, Predicate), Failure> {
        let Some(key) = self.own_key(column) else {
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
        let conditions = self.values_of_row(column.table, values)?;
        let exists = Predicate::Exists { joins: vec![step], conditions, negated: false };
        Ok((column.table, negate(exists, negated)))
    }

    /// Conditions of the stored values that tell one row of a table.
    pub(super) fn values_of_row(
        &mut self,
        table: TableId,
        values: &[usize],
    ) -> Result<Vec<Predicate>, Failure> {
        let mut conditions = Vec::new();
        for value in values {
            let hint = self.mentions.get(*value).and_then(|mention| {
                mention.readings.iter().find_map(|reading| match &reading.target {
                    Target::Value(of, _) if of.table == table => Some(*of),
                    _ => None,
                })
            });
            let Some((of, stored)) = self.stored_value(*value, hint, false)? else { continue };
            let column = self.catalog.reference(of);
            conditions.push(Predicate::OneOf { column, values: stored });
        }
        Ok(conditions)
    }

    /// The name of the row of the same table that a key leads to, called what the question calls the row.
    pub(super) fn parent_names(&self, (column, at): (ColumnId, usize)) -> Vec<Selection> {
        let Some(key) = self.own_key(column) else { return Vec::new() };
        let step = JoinStep {
            from_table: key.from_table.clone(),
            from_columns: key.from_columns.clone(),
            to_table: key.to_table.clone(),
            to_columns: key.to_columns.clone(),
            outer: false,
        };
        let said = singular(&self.phrase(at).to_lowercase());
        let noun = said.chars().all(|letter| letter.is_ascii_lowercase());
        let mut words = words_of_identifier(&self.catalog.column_at(column).name);
        words.pop_if(|word| word == "id");
        let row = if noun { said } else { words.join("_") };
        let label = self.label(column.table);
        let alias = |name: &str| match label.as_slice() {
            [_] => row.clone(),
            _ => format!("{row}_{}", words_of_identifier(name).join("_")),
        };
        label
            .iter()
            .map(|of| {
                let column = self.catalog.reference(*of);
                let alias = Some(alias(&column.column));
                let joins = vec![step.clone()];
                Selection { expression: Expression::Related { joins, column }, alias }
            })
            .collect()
    }

    /// The foreign key from a table to itself that a column is of.
    fn own_key(&self, column: ColumnId) -> Option<&ForeignKey> {
        let reference = self.catalog.reference(column);
        self.catalog.foreign_keys.iter().find(|key| {
            key.from_table == reference.table
                && key.to_table == reference.table
                && key.from_columns.contains(&reference.column)
        })
    }
}
