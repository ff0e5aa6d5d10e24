//! Which columns have their distinct values listed in the catalog, and within which limits.

use std::time::Duration;

use wherefore_engine::catalog::{Coverage, DataType, ValueList};

/// Maximum number of listed values per column.
pub(crate) const LISTED_VALUES: usize = 500;
/// Time budget for the values of one column.
pub(crate) const COLUMN_BUDGET: Duration = Duration::from_millis(500);
/// Time budget of a statement that reads several small tables, in budgets of a column.
pub(crate) const TOGETHER: u32 = 4;
/// Time budget for the values of all columns together.
pub(crate) const VALUES_BUDGET: Duration = Duration::from_mins(1);
/// Average length, in characters, above which the values of a column are prose and not listed.
pub(crate) const PROSE_LENGTH: f64 = 120.0;
/// Maximum length of a listed value, in characters.
pub(crate) const LISTED_LENGTH: usize = 256;

/// Whether values of a column of this family are listed.
pub(crate) fn has_listed_values(data_type: DataType) -> bool {
    data_type == DataType::Text
}

/// A sorted list of up to 500 distinct values with its coverage; `None` if it is empty.
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
