//! Start dates for durations that end at another date of the same row.

use super::index::{ColumnId, Named, SchemaIndex};
use crate::catalog::Catalog;

/// Date columns of the same table that a duration up to `end` can start at, with the table's default date first.
pub(crate) fn start_dates(catalog: &Catalog, schema: &SchemaIndex, end: ColumnId) -> Vec<ColumnId> {
    let starts = |column: &ColumnId| {
        let is = |role: &str| schema.has_role(*column, role);
        let begins = is("event_date") || is("created_date");
        *column != end
            && catalog.column_at(*column).data_type.is_temporal()
            && !is("birth_date")
            && (begins || !is("due_date") && !is("closed_date"))
    };
    let profile = schema.profile(end.table);
    let own = profile.date.filter(starts);
    let others =
        profile.dates.iter().copied().filter(|column| Some(*column) != own && starts(column));
    own.into_iter().chain(others).collect()
}
