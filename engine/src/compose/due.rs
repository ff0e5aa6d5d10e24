//! What is due: the date on which it was done.

use super::context::Composer;
use crate::catalog::DataType;
use crate::data::Role;
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Named, TableId};
use crate::reading::{Frame, Group, Share};
use crate::text::akin;

/// Words in names of dates that only say that they are dates.
const DATE_WORDS: [&str; 6] = ["at", "date", "day", "dt", "on", "time"];

impl Composer<'_> {
    /// The rows that an "on time rate" is of, where no word names them: the only ones with a due date and a date on which
    /// they were done, of which each belongs to one of every group.
    pub(super) fn rows_of_rate(&self, frame: &Frame, share: &Share) -> Option<(TableId, usize)> {
        let vague = frame.vague.iter().find(|term| share.part == [term.at])?;
        let term = self.dictionary.terms.get(vague.term)?;
        if frame.head.is_some() || share.noun != share.at || term.roles != [Role::DueDate] {
            return None;
        }
        let groups: Vec<TableId> = frame
            .groups
            .iter()
            .filter_map(|group| match group {
                Group::Table(table, _) => Some(*table),
                Group::Thing(at) => self.target(*at)?.table(),
                Group::Period { .. } => None,
            })
            .collect();
        let fits = |table: &TableId| {
            let dates = self.schema.profile(*table).dates.iter();
            let done = dates.copied().any(|date| {
                self.schema.has_role(date, Role::DueDate) && self.ended_after(date).is_some()
            });
            let reaches = |group: &TableId| {
                self.schema.distance(*table, *group).is_some_and(|(_, to_many)| !to_many)
            };
            done && groups.iter().all(reaches)
        };
        let mut tables = (0..self.catalog.tables.len())
            .map(|table| TableId(u16::try_from(table).unwrap_or(u16::MAX)))
            .filter(fits);
        tables.next().filter(|_| tables.next().is_none()).map(|table| (table, vague.at))
    }

    /// Condition that rows were done after they were due, or by then.
    pub(super) fn after_due(&self, done: ColumnId, late: bool) -> Option<Predicate> {
        let due = self.with_role(done.table, Role::DueDate, &[]).filter(|due| *due != done)?;
        // What is due on a day may still be done at any time of that day.
        let of_day = self.catalog.column_at(due).data_type == DataType::Date
            && self.catalog.column_at(done).data_type == DataType::Timestamp;
        let (operator, value) = match (late, of_day) {
            (true, true) => (Comparison::GreaterOrEqual, "1"),
            (true, false) => (Comparison::Greater, "0"),
            (false, true) => (Comparison::Less, "1"),
            (false, false) => (Comparison::LessOrEqual, "0"),
        };
        let (from, to) = (self.catalog.reference(due), self.catalog.reference(done));
        Some(Predicate::Compare {
            left: Expression::Days { from, to },
            operator,
            right: Literal::Number { value: value.to_owned() },
        })
    }

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
            words.iter().any(|word| {
                !DATE_WORDS.contains(&word.as_str()) && named.iter().any(|other| akin(word, other))
            })
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
