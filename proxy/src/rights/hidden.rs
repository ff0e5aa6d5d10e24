//! Catalogs that hold nothing of rows, since each caller may see other rows.

use wherefore_engine::catalog::Catalog;

/// Removes everything that was read from rows, and keys of columns that may not be read.
pub(crate) fn without_rows(catalog: &mut Catalog) {
    without_values(catalog);
    catalog.containments = Vec::new();
    for table in &mut catalog.tables {
        if !table.primary_key.iter().all(|name| table.column(name).is_some()) {
            table.primary_key = Vec::new();
        }
    }
    let mut keys = std::mem::take(&mut catalog.foreign_keys);
    keys.retain(|key| {
        has_columns(catalog, &key.from_table, &key.from_columns)
            && has_columns(catalog, &key.to_table, &key.to_columns)
    });
    catalog.foreign_keys = keys;
}

/// Whether a table has all of these columns.
fn has_columns(catalog: &Catalog, table: &str, columns: &[String]) -> bool {
    catalog
        .table(table)
        .is_some_and(|table| columns.iter().all(|name| table.column(name).is_some()))
}

/// Removes lists of values, ranges and numbers of rows.
pub(crate) fn without_values(catalog: &mut Catalog) {
    for table in &mut catalog.tables {
        table.row_estimate = None;
        for column in &mut table.columns {
            column.values = None;
            column.minimum = None;
            column.maximum = None;
        }
    }
}
