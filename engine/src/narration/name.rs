//! Names of tables and columns as words.

use wherefore_english::{name_words, plural, singular};

use crate::catalog::{Catalog, ColumnRef};
use crate::intent::JoinStep;

/// Names of columns that mean little without their table.
const NEED_TABLE: [&str; 5] = ["code", "description", "id", "name", "title"];

/// Words of a table's name: `order line` of `order_line`; of the key itself if the catalog has no such table.
fn table_name(catalog: &Catalog, key: &str) -> String {
    name_words(catalog.table(key).map_or(key, |table| &table.name))
}

/// Noun phrase for one row of a table: `order line`.
pub(crate) fn row(catalog: &Catalog, key: &str) -> String {
    singular(&table_name(catalog, key))
}

/// Noun phrase for the rows of a table: `order lines`.
pub(crate) fn rows(catalog: &Catalog, key: &str) -> String {
    plural(&table_name(catalog, key))
}

/// Noun phrases for the rows of the tables that joins connect, each once.
pub(crate) fn joined_tables(catalog: &Catalog, joins: &[JoinStep]) -> Vec<String> {
    let first = joins.first().map(|join| &join.from_table);
    let mut names: Vec<String> = Vec::new();
    for table in first.into_iter().chain(joins.iter().map(|join| &join.to_table)) {
        let rows = rows(catalog, table);
        if !names.contains(&rows) {
            names.push(rows);
        }
    }
    names
}

/// Words of a column's name: `billing city`; a name that means little alone follows its table's: `customer name`.
pub(crate) fn column(catalog: &Catalog, column: &ColumnRef) -> String {
    let words = name_words(&column.column);
    if NEED_TABLE.contains(&words.as_str()) {
        return format!("{} {words}", row(catalog, &column.table));
    }
    words
}

/// Words of a column's name with its table: `total amount of invoices`, `customer name`.
pub(crate) fn column_of_table(catalog: &Catalog, reference: &ColumnRef) -> String {
    let (own, words) = (name_words(&reference.column), column(catalog, reference));
    if words == own { format!("{words} of {}", rows(catalog, &reference.table)) } else { words }
}
