//! The rows of an edited schema. Temporary tables shadow the stored ones, so the database file stays unchanged.
//!
//! The second copy of a column, and the non-key columns of a second table, get the values of other rows, so that two
//! interpretations return different results.

use wherefore_engine::catalog::{Catalog, Column, Table};

use super::{Edit, find, precomputed_name};

/// Name of the column that numbers the stored rows.
const PLACE: &str = "\"place of the row\"";
/// Values are moved by at most this many rows.
const SHIFTS: usize = 3;

impl Edit {
    /// Statements that create the edited tables; `catalog` is the catalog before the edit.
    pub(crate) fn statements(&self, catalog: &Catalog) -> Vec<String> {
        let (Self::Column { table, .. }
        | Self::Precomputed { table, .. }
        | Self::Table { table, .. }) = self;
        let Some(table) = find(catalog, table) else { return Vec::new() };
        let plain = |column: &Column| taken(&column.name, None);
        match self {
            Self::Column { column, names: [first, second], .. } => {
                let outputs = table.columns.iter().map(|other| {
                    let name = plain(other);
                    if other.name.eq_ignore_ascii_case(column) {
                        let moved = taken(&other.name, Some(1));
                        format!("{name} AS {}, {moved} AS {}", quoted(first), quoted(second))
                    } else {
                        name
                    }
                });
                vec![create(&table.name, &table.name, outputs.collect(), 1)]
            }
            Self::Table { names: [first, second], .. } => {
                let copied = table.columns.iter().map(plain).collect();
                let other = table.columns.iter().enumerate().map(|(index, column)| {
                    if is_key(catalog, table, column) {
                        plain(column)
                    } else {
                        let moved = taken(&column.name, Some(index + 1));
                        format!("{moved} AS {}", quoted(&column.name))
                    }
                });
                // One row fewer, so that counts differ too.
                let other = create(second, &table.name, other.collect(), 2);
                vec![create(first, &table.name, copied, 1), other]
            }
            Self::Precomputed { column, aggregates, .. } => {
                let mut outputs: Vec<String> = table
                    .columns
                    .iter()
                    .filter(|other| !other.name.eq_ignore_ascii_case(column))
                    .map(plain)
                    .collect();
                outputs.extend(aggregates.iter().enumerate().map(|(index, name)| {
                    format!("{} AS {}", taken(column, Some(index + 1)), quoted(name))
                }));
                vec![create(&precomputed_name(table, column), &table.name, outputs, 1)]
            }
        }
    }
}

/// Statement that copies a stored table into a temporary one, from row number `from` on.
///
/// Each row is joined with the rows 1 to [`SHIFTS`] further on, under the aliases `moved_1`, `moved_2`, ….
fn create(name: &str, of: &str, outputs: Vec<String>, from: usize) -> String {
    let of = quoted(of);
    let beside: Vec<String> = (1..=SHIFTS)
        .map(|by| {
            format!(
                "LEFT JOIN stored AS moved_{by} ON moved_{by}.{PLACE} = \
                 (edited.{PLACE} - 1 + {by}) % (SELECT count(*) FROM main.{of}) + 1"
            )
        })
        .collect();
    format!(
        "CREATE TEMP TABLE {} AS WITH stored AS MATERIALIZED \
         (SELECT *, row_number() OVER () AS {PLACE} FROM main.{of}) \
         SELECT {} FROM stored AS edited {} \
         WHERE edited.{PLACE} >= {from} OR (SELECT count(*) FROM main.{of}) = 1",
        quoted(name),
        outputs.join(", "),
        beside.join(" ")
    )
}

/// A column of the same row, or of the row `by` rows further on; the last row is followed by the first.
fn taken(column: &str, by: Option<usize>) -> String {
    let column = quoted(column);
    by.map_or_else(
        || format!("edited.{column}"),
        |by| format!("moved_{}.{column}", (by - 1) % SHIFTS + 1),
    )
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn is_key(catalog: &Catalog, table: &Table, column: &Column) -> bool {
    table.primary_key.contains(&column.name)
        || catalog.foreign_keys.iter().any(|key| {
            key.from_table == table.name && key.from_columns.contains(&column.name)
                || key.to_table == table.name && key.to_columns.contains(&column.name)
        })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{catalog, pair};
    use super::*;

    #[test]
    fn edited_rows_differ_between_the_copies() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE orders (id, shop_id, total); \
                 INSERT INTO orders VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30); \
                 CREATE TABLE shop (id, name); INSERT INTO shop VALUES (1, 'a'), (2, 'b'), (3, 'c');",
            )
            .unwrap();
        let edits = [
            Edit::Column {
                table: "orders".into(),
                column: "total".into(),
                names: pair("sum", "amount"),
            },
            Edit::Table { table: "shop".into(), names: pair("store", "outlet") },
        ];
        for edit in edits {
            for sql in edit.statements(&catalog()) {
                connection.execute_batch(&sql).unwrap();
            }
        }
        let one =
            |sql: &str| -> String { connection.query_row(sql, (), |row| row.get(0)).unwrap() };
        assert_eq!(one("SELECT group_concat(sum) FROM orders"), "10,20,30");
        assert_eq!(one("SELECT group_concat(amount) FROM orders"), "20,30,10");
        assert_eq!(one("SELECT group_concat(id || name) FROM store"), "1a,2b,3c");
        assert_eq!(one("SELECT group_concat(id || name) FROM outlet"), "2a,3b");
    }
}
