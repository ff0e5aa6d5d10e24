//! Constraints of corrections, as composing keeps them.

use super::context::Composer;
use crate::catalog::ColumnRef;
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::intent::JoinStep;
use crate::linking::{ColumnId, Named, TableId, Target};

/// What must be used, and what must not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    /// Tables and columns that must be used.
    pub(crate) selected: Vec<Target>,
    /// Tables and columns that must not be used.
    pub(crate) rejected: Vec<Target>,
    /// Pairs of columns that must be joined.
    pub(crate) joins: Vec<(ColumnRef, ColumnRef)>,
}

static NONE: Constraints =
    Constraints { selected: Vec::new(), rejected: Vec::new(), joins: Vec::new() };

impl Constraints {
    /// No constraints.
    pub(crate) fn none() -> &'static Self {
        &NONE
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.selected.is_empty() && self.rejected.is_empty() && self.joins.is_empty()
    }
}

impl Composer<'_> {
    /// Option that a correction selects, where one does.
    pub(super) fn corrected(&self, options: &[ClarificationOption]) -> Option<OptionBinding> {
        let wanted = options.iter().find(|option| match &option.binding {
            OptionBinding::Column { column } | OptionBinding::Value { column, .. } => self
                .column_id(column)
                .is_some_and(|column| self.constraints.selected.contains(&Target::Column(column))),
            OptionBinding::Table { table } => self
                .schema
                .table(table)
                .is_some_and(|table| self.constraints.selected.contains(&Target::Table(table))),
            OptionBinding::Join { joins } => {
                let keyed = |step: &JoinStep| {
                    self.constraints.joins.iter().any(|(left, right)| {
                        step_joins(step, left, right) || step_joins(step, right, left)
                    })
                };
                joins.iter().any(|step| keyed(step) || self.is_selected_key(step))
            }
            _ => false,
        })?;
        Some(wanted.binding.clone())
    }

    fn is_selected_key(&self, step: &JoinStep) -> bool {
        let from = step.from_columns.iter().map(|name| ColumnRef::new(&step.from_table, name));
        let to = step.to_columns.iter().map(|name| ColumnRef::new(&step.to_table, name));
        from.chain(to).filter_map(|column| self.column_id(&column)).any(|column| {
            !self.catalog.column_at(column).unique
                && self.constraints.selected.contains(&Target::Column(column))
        })
    }

    /// Whether a correction rejects a table.
    pub(super) fn is_rejected(&self, table: TableId) -> bool {
        self.constraints.rejected.contains(&Target::Table(table))
    }

    /// Whether a correction rejects a column.
    pub(super) fn is_rejected_column(&self, column: ColumnId) -> bool {
        self.constraints.rejected.contains(&Target::Column(column))
    }

    /// First of the columns that corrections select that passes a test.
    pub(super) fn corrected_column(&self, fits: impl Fn(ColumnId) -> bool) -> Option<ColumnId> {
        self.constraints.selected.iter().find_map(|target| match target {
            Target::Column(column) if fits(*column) => Some(*column),
            _ => None,
        })
    }

    /// Date column of a table that a correction selects.
    pub(super) fn corrected_date(&self, table: Option<TableId>) -> Option<ColumnId> {
        self.corrected_column(|column| {
            table.is_none_or(|table| column.table == table)
                && self.catalog.column_at(column).data_type.is_temporal()
        })
    }
}

/// Whether a join leads from one column to another.
pub(crate) fn step_joins(step: &JoinStep, left: &ColumnRef, right: &ColumnRef) -> bool {
    step.from_table == left.table
        && step.from_columns.contains(&left.column)
        && step.to_table == right.table
        && step.to_columns.contains(&right.column)
}
