//! The last or first of related rows as a condition: one of them is of the time, and none is later or earlier.

use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{DateRange, Predicate};
use crate::linking::{Named, TableId};

impl Composer<'_> {
    /// That the last of the rows of a table, or the first, lies in a range of days.
    ///
    /// # Errors
    ///
    /// Where the rows have no date, or no way leads to them.
    pub(super) fn end_within(
        &mut self,
        head: TableId,
        table: TableId,
        (last, range): (bool, &DateRange),
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let profile = self.schema.profile(table);
        let Some(date) = profile.date.or(profile.dates.first().copied()) else {
            let message = format!("{} have no date", self.table_rows(table));
            return Err(self.fail(
                FailureCode::NoDateColumn,
                message,
                "name a table with a date",
                Some(at),
            ));
        };
        let joins = self.path(head, table, &[])?.steps;
        let column = self.catalog.reference(date);
        let of = |range: DateRange, negated: bool| Predicate::Exists {
            joins: joins.clone(),
            conditions: vec![Predicate::InRange { column: column.clone(), range }],
            negated,
        };
        let beyond = if last {
            DateRange { start: range.end.clone(), end: None }
        } else {
            DateRange { start: None, end: range.start.clone() }
        };
        let open = beyond.start.is_none() && beyond.end.is_none();
        let mut conditions = vec![of(range.clone(), false)];
        if !open {
            conditions.push(of(beyond, true));
        }
        Ok((head, Predicate::All { conditions }))
    }
}
