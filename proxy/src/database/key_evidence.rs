//! Statements that look up the values of a column in another, as evidence of keys that are not declared.

use wherefore_engine::catalog::{Catalog, ColumnRef, Table};
use wherefore_engine::possible_keys;

/// Most rows of a table whose values are looked up.
const MOST_ROWS: u32 = 1_000_000;
/// Most distinct values that are looked up.
const MOST_VALUES: u32 = 1_000;

/// A lookup of the values of one column in another.
pub(super) struct Lookup {
    /// The column whose values are looked up.
    pub(super) from: ColumnRef,
    /// The column that they are looked up in.
    pub(super) to: ColumnRef,
    /// Counts the rows and the distinct values of `to`.
    pub(super) distinct: String,
    /// Counts distinct values of `from`, and those that `to` has.
    pub(super) found: String,
}

/// All lookups of a catalog in which a subquery can stand after IN.
pub(super) fn lookups(catalog: &Catalog, quoted: fn(&str) -> String) -> Vec<Lookup> {
    lookups_of(catalog, &possible_keys(catalog), quoted, true)
}

/// The lookups of pairs of columns, with a way of quoting names; none for tables that are empty or too large. For engines
/// that allow no `IN (SELECT …)` within an aggregate, the lookup is a join.
pub(super) fn lookups_of(
    catalog: &Catalog,
    pairs: &[(ColumnRef, ColumnRef)],
    quoted: fn(&str) -> String,
    has_in_query: bool,
) -> Vec<Lookup> {
    let lookups = pairs.iter().filter_map(|(from, to)| {
        let (source, target) = (table(catalog, from, quoted)?, table(catalog, to, quoted)?);
        let (column, key) = (quoted(&from.column), quoted(&to.column));
        let distinct = format!("SELECT count(*), count(DISTINCT {key}) FROM {target}");
        let values = format!(
            "(SELECT DISTINCT {column} AS value FROM {source} \
             WHERE {column} IS NOT NULL LIMIT {MOST_VALUES}) AS looked_up"
        );
        let found = if has_in_query {
            format!(
                "SELECT count(*), count(CASE WHEN value IN (SELECT {key} FROM {target}) THEN 1 END) \
                 FROM {values}"
            )
        } else {
            format!(
                "SELECT count(*), count(known) FROM {values} \
                 LEFT JOIN (SELECT DISTINCT {key} AS known FROM {target}) AS keys ON known = value"
            )
        };
        Some(Lookup { from: from.clone(), to: to.clone(), distinct, found })
    });
    lookups.collect()
}

/// Quoted name of the table of a column, if its values are looked up.
fn table(catalog: &Catalog, column: &ColumnRef, quoted: fn(&str) -> String) -> Option<String> {
    let table: &Table = catalog.table(&column.table)?;
    let rows = table.row_estimate?;
    let schema = table.schema.as_deref().map(|schema| quoted(schema) + ".");
    (1..=MOST_ROWS).contains(&rows).then(|| schema.unwrap_or_default() + &quoted(&table.name))
}
