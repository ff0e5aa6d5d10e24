//! Which columns have their distinct values listed in the catalog, and within which limits.

use std::time::Duration;

use wherefore_engine::catalog::{Coverage, DataType, ValueList};

/// Most distinct values of a column that are listed.
pub(crate) const LISTED_VALUES: usize = 500;
/// Longest time spent on the values of one column.
pub(crate) const COLUMN_BUDGET: Duration = Duration::from_millis(500);
/// Longest time spent on the values of all columns together.
pub(crate) const VALUES_BUDGET: Duration = Duration::from_mins(1);
/// Average length, in characters, beyond which a column holds prose, not values.
pub(crate) const PROSE_LENGTH: f64 = 120.0;
/// Longest value that is listed, in characters.
const LISTED_LENGTH: usize = 256;

/// Whether values of a column of this family are listed.
pub(crate) fn has_listed_values(data_type: DataType) -> bool {
    data_type == DataType::Text
}

/// A list in ascending order of distinct values, at most 500 of them, and whether that is all.
pub(crate) fn value_list(mut values: Vec<String>, complete: bool) -> Option<ValueList> {
    let found = values.len();
    values.sort_unstable();
    values.truncate(LISTED_VALUES);
    values.retain(|value| value.chars().count() <= LISTED_LENGTH);
    let complete = complete && values.len() == found;
    (!values.is_empty()).then_some(ValueList {
        values,
        coverage: if complete { Coverage::Complete } else { Coverage::Partial },
    })
}
