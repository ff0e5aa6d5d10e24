//! Comparisons with a row that is named: the column, and the row whose value it is compared with.

use super::context::{Composer, Failure};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Comparison, Predicate};
use crate::linking::{ColumnId, Named, TableId};

/// The other row: the stored values that name it, or the key that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherRow<'a> {
    /// Mentions of the values.
    pub(super) values: &'a [usize],
    /// Key that leads to it.
    pub(super) parent: Option<ColumnId>,
}

impl Composer<'_> {
    /// Condition that compares a column with that of another row of its table.
    pub(super) fn against_row(
        &mut self,
        head: TableId,
        (column, roles): (Option<usize>, &[Role]),
        operator: Comparison,
        other: OtherRow<'_>,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let (column, operator) = match column {
            Some(column) => (self.column(column, Some(head))?, operator),
            None => match self.birth_of_age(head, roles) {
                // Who is older was born earlier.
                Some(birth) => (birth, operator.mirrored()),
                None => (self.figured_column(head, roles, at)?, operator),
            },
        };
        let reference = self.catalog.reference(column);
        let predicate = if let Some(key) = other.parent {
            let step = self.own_step(key).filter(|_| column.table == key.table);
            let Some(step) = step else {
                return Err(self.fail(
                    FailureCode::NothingToCompare,
                    "it is not clear what is compared".to_owned(),
                    "name the column that is compared",
                    Some(at),
                ));
            };
            let other = reference.clone();
            Predicate::AgainstColumn { column: reference, operator, joins: vec![step], other }
        } else {
            let conditions = self.values_of_row(column.table, other.values)?;
            let more = matches!(operator, Comparison::Greater | Comparison::GreaterOrEqual);
            // Of several rows with the name, the comparison holds with all of them.
            let function = if more { Aggregate::Maximum } else { Aggregate::Minimum };
            let same = Vec::new();
            Predicate::AgainstFigure { column: reference, operator, function, conditions, same }
        };
        Ok((column.table, predicate))
    }

    /// Date of birth of a table, where an age is compared that it has no column of.
    fn birth_of_age(&self, table: TableId, roles: &[Role]) -> Option<ColumnId> {
        let aged = roles.contains(&Role::Age) && self.of_role(table, Role::Age).is_none();
        self.birth_date(table).filter(|_| aged)
    }
}
