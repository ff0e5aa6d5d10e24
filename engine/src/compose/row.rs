//! Comparisons with a row that is named: the column, and the row whose value it is compared with.

use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, Relation};
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
            self.note_named_row(&conditions, other.values);
            let more = matches!(operator, Comparison::Greater | Comparison::GreaterOrEqual);
            // Of several rows with the name, the comparison holds with all of them.
            let function = if more { Aggregate::Maximum } else { Aggregate::Minimum };
            let same = Vec::new();
            Predicate::AgainstFigure { column: reference, operator, function, conditions, same }
        };
        Ok((column.table, predicate))
    }

    /// Says that several rows may be called so, where their name is not known to be unique.
    fn note_named_row(&mut self, conditions: &[Predicate], values: &[usize]) {
        let unique = conditions.iter().any(|condition| match condition {
            Predicate::OneOf { column, .. } => {
                self.catalog.column(column).is_some_and(|column| column.unique)
            }
            _ => false,
        });
        let Some(first) = values.first().filter(|_| !unique) else { return };
        self.decide(Decision {
            kind: AmbiguityKind::Value,
            severity: Severity::Minor,
            span: self.span(*first),
            phrase: self.phrase(*first).to_owned(),
            relation: Relation::Means,
            reason: "several rows may be called so".to_owned(),
            options: vec![ignore_option(
                "every row that is called so".to_owned(),
                "the comparison has to hold with each",
            )],
            recommended: None,
            custom: None,
        });
    }

    /// Date of birth of a table, where an age is compared that it has no column of.
    fn birth_of_age(&self, table: TableId, roles: &[Role]) -> Option<ColumnId> {
        let aged = roles.contains(&Role::Age) && self.of_role(table, Role::Age).is_none();
        self.birth_date(table).filter(|_| aged)
    }
}
