//! Start dates for durations that end at another date of the same row.

use super::element::ColumnId;
use super::index::{Named, SchemaIndex};
use crate::catalog::Catalog;
use crate::data::Role;

/// Date columns of the same table that a duration up to `end` can start at, with the table's default date first.
pub(crate) fn start_dates(catalog: &Catalog, schema: &SchemaIndex, end: ColumnId) -> Vec<ColumnId> {
    let starts = |column: &ColumnId| {
        let is = |role: Role| schema.has_role(*column, role);
        let begins = is(Role::EventDate) || is(Role::CreatedDate);
        // What ends one step begins the next: shipped, then delivered.
        let step = column.column < end.column && schema.has_role(end, Role::ClosedDate);
        *column != end
            && catalog.column_at(*column).data_type.is_temporal()
            && !is(Role::BirthDate)
            && !is(Role::DueDate)
            && (begins || step || !is(Role::ClosedDate))
    };
    let profile = schema.profile(end.table);
    let own = profile.date.filter(starts);
    let others =
        profile.dates.iter().copied().filter(|column| Some(*column) != own && starts(column));
    own.into_iter().chain(others).collect()
}
