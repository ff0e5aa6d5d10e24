//! Comparisons of two columns: the way to the row that the second is of, and the first where it is not named.

use super::context::{Composer, Failure};
use super::option::OPTIONS;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::Catalog;
use crate::clarification::{Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Comparison, JoinStep, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target};

/// The two sides of a comparison, as mentions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// What is compared; found where none is named.
    pub(super) column: Option<usize>,
    /// What it is compared with; the same column of another row where none is named.
    pub(super) than: Option<usize>,
    /// Key that leads to the other row.
    pub(super) parent: Option<ColumnId>,
    /// Word of comparison.
    pub(super) at: usize,
}

impl Composer<'_> {
    /// Condition that compares two columns, with the table whose rows it is on.
    pub(super) fn against_column(
        &mut self,
        head: TableId,
        sides: Sides,
        operator: Comparison,
    ) -> Result<(TableId, Predicate), Failure> {
        let than = match sides.than {
            Some(than) => Some(self.column(than, Some(head))?),
            None => None,
        };
        let column = match (sides.column, than) {
            (Some(column), _) => self.column(column, Some(head))?,
            (None, Some(than)) => self.compared_with(than, sides.at)?,
            (None, None) => return Err(self.not_compared(sides.at)),
        };
        let than = than.unwrap_or(column);
        if let Some(key) = sides.parent {
            let step = self.own_step(key).filter(|_| column.table == key.table);
            let joins = vec![step.ok_or_else(|| self.not_compared(sides.at))?];
            return Ok((column.table, self.compared(column, operator, joins, than)));
        }
        let (column, than, operator) = if self.is_one_for(column.table, than.table) {
            (column, than, operator)
        } else if self.is_one_for(than.table, column.table) {
            (than, column, operator.mirrored())
        } else {
            return Err(self.not_compared(sides.at));
        };
        let joins = if column.table == than.table {
            Vec::new()
        } else {
            let path = self.path(column.table, than.table, &[])?;
            if path.to_many {
                return Err(self.not_compared(sides.at));
            }
            path.steps
        };
        Ok((column.table, self.compared(column, operator, joins, than)))
    }

    fn compared(
        &self,
        column: ColumnId,
        operator: Comparison,
        joins: Vec<JoinStep>,
        other: ColumnId,
    ) -> Predicate {
        let (column, other) = (self.catalog.reference(column), self.catalog.reference(other));
        Predicate::AgainstColumn { column, operator, joins, other }
    }

    /// Whether each row of a table has at most one of another.
    fn is_one_for(&self, from: TableId, to: TableId) -> bool {
        from == to || self.schema.distance(from, to).is_some_and(|(_, to_many)| !to_many)
    }

    /// Join from a row to the one of the same table that its key refers to.
    pub(super) fn own_step(&self, key: ColumnId) -> Option<JoinStep> {
        let reference = self.catalog.reference(key);
        let keys = self.catalog.foreign_keys.iter().filter(|foreign| {
            foreign.from_table == reference.table
                && foreign.to_table == reference.table
                && foreign.from_columns == [reference.column.as_str()]
        });
        let step = keys.map(|foreign| JoinStep {
            from_table: foreign.from_table.clone(),
            from_columns: foreign.from_columns.clone(),
            to_table: foreign.to_table.clone(),
            to_columns: foreign.to_columns.clone(),
            outer: false,
        });
        step.into_iter().next()
    }

    /// Number of the same rows that is compared with a column: the stock with its reorder level, or what is decided.
    fn compared_with(&mut self, than: ColumnId, at: usize) -> Result<ColumnId, Failure> {
        let columns = 0..self.catalog.table_at(than.table).columns.len() as u16;
        let numbers: Vec<ColumnId> = columns
            .map(|column| ColumnId { table: than.table, column })
            .filter(|column| *column != than && is_number(self.catalog, *column))
            .filter(|column| !self.schema.has_role(*column, Role::Identifier))
            .collect();
        let of_role = |role: Role| {
            let mut held = numbers.iter().filter(|column| self.schema.has_role(**column, role));
            held.next().copied().filter(|_| held.next().is_none())
        };
        let level = self.schema.has_role(than, Role::ReorderLevel);
        let stock = of_role(Role::StockLevel).or_else(|| of_role(Role::Quantity));
        let known = stock.filter(|_| level).or(match numbers.as_slice() {
            [only] => Some(*only),
            _ => None,
        });
        let (severity, candidates) = match known {
            Some(known) => (Severity::Minor, vec![known]),
            None => (Severity::Critical, numbers),
        };
        if candidates.is_empty() {
            return Err(self.not_compared(at));
        }
        let options =
            candidates.iter().take(OPTIONS).map(|column| self.column_option(*column)).collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Column,
            severity,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "the words do not say what is compared".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        let column = match chosen {
            OptionBinding::Column { column } => self.column_id(&column),
            _ => None,
        };
        column.ok_or_else(|| self.not_compared(at))
    }

    /// The one date of a table that a mention may mean, whatever else it may.
    pub(super) fn only_date(&self, at: usize, head: TableId) -> Option<ColumnId> {
        let readings = &self.mentions.get(at)?.readings;
        let mut dates = readings.iter().filter_map(|reading| match reading.target {
            Target::Column(column)
                if column.table == head
                    && self.catalog.column_at(column).data_type.is_temporal() =>
            {
                Some(column)
            }
            _ => None,
        });
        dates.next().filter(|_| dates.next().is_none())
    }

    fn not_compared(&self, at: usize) -> Failure {
        self.fail(
            FailureCode::NotComposable,
            format!("it is not clear what “{}” compares", self.phrase(at)),
            "name two columns of the rows asked about",
            Some(at),
        )
    }
}

/// Whether a column holds numbers that are compared with others: no key, and no yes or no.
fn is_number(catalog: &Catalog, column: ColumnId) -> bool {
    let definition = catalog.column_at(column);
    let reference = catalog.reference(column);
    let foreign = catalog.foreign_keys.iter().any(|key| {
        key.from_table == reference.table && key.from_columns.contains(&reference.column)
    });
    definition.data_type.is_numeric() && !definition.unique && !definition.is_flag() && !foreign
}
