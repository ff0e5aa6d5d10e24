//! What is due: the date on which it was done.

use super::context::Composer;
use crate::data::Role;
use crate::linking::{ColumnId, Named};
use crate::text::akin;

impl Composer<'_> {
    /// The date on which rows were done that were due on another date: the one with an akin name (`delivered_at` beside
    /// `estimated_delivery`), else the first that says so by its role, else the next date that may be empty
    /// (`received_on` behind `expected_on`).
    pub(super) fn ended_after(&self, due: ColumnId) -> Option<ColumnId> {
        let is = |column: ColumnId, role| self.schema.has_role(column, role);
        let dates: Vec<ColumnId> = self
            .schema
            .profile(due.table)
            .dates
            .iter()
            .copied()
            .filter(|column| {
                *column != due
                    && !is(*column, Role::DueDate)
                    && !is(*column, Role::BirthDate)
                    && !self.is_rejected_column(*column)
            })
            .collect();
        let named = self.schema.words_of(due);
        let alike = |column: &ColumnId| {
            let words = self.schema.words_of(*column);
            words.iter().any(|word| named.iter().any(|other| akin(word, other)))
        };
        let closed: Vec<ColumnId> =
            dates.iter().copied().filter(|column| is(*column, Role::ClosedDate)).collect();
        let next = || {
            let behind = |column: &&ColumnId| {
                column.column > due.column && self.catalog.column_at(**column).nullable
            };
            dates.iter().find(behind).copied()
        };
        closed.iter().copied().find(alike).or_else(|| closed.first().copied()).or_else(next)
    }
}
