//! A copy of a database with changed rows, on which a statement that was right by chance returns other rows than the
//! gold.
//!
//! Rows are copied with fresh keys and the same foreign keys, then the values of every other column change places.
//! A hash decides, so the same database always gives the same copy.

mod rows;

use anyhow::{Result, bail};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use wherefore_engine::catalog::{Catalog, ColumnRef, Table, TableKind};
use wherefore_engine::possible_keys;

/// A table with the columns that are no plain values.
struct Target<'a> {
    table: &'a Table,
    /// Columns that identify a row: the primary key, and what foreign keys refer to.
    identity: Vec<&'a str>,
    /// Columns of foreign keys, declared or likely.
    foreign: Vec<&'a str>,
}

/// Copies a database into memory and changes the rows of its tables.
pub(crate) fn copy(original: &Connection, catalog: &Catalog) -> Result<Connection> {
    let mut copy = Connection::open_in_memory()?;
    if !matches!(Backup::new(original, &mut copy)?.step(-1)?, StepResult::Done) {
        bail!("the database is in use");
    }
    copy.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, true)?;
    copy.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    copy.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false)?;
    copy.pragma_update(None, "ignore_check_constraints", true)?;
    let transaction = copy.unchecked_transaction()?;
    for target in targets(catalog) {
        // A table without row numbers stays as it is.
        let Ok(stored) = rows::numbers(&transaction, &target.table.name) else { continue };
        rows::add(&transaction, &target, &stored)?;
        let all = rows::numbers(&transaction, &target.table.name)?;
        for column in target.plain() {
            rows::shuffle(&transaction, &target.table.name, column, &all)?;
        }
    }
    transaction.commit()?;
    Ok(copy)
}

/// The tables of a catalog with their keys.
fn targets(catalog: &Catalog) -> Vec<Target<'_>> {
    let likely = possible_keys(catalog);
    let target = |table| {
        let mut target = Target { table, identity: Vec::new(), foreign: Vec::new() };
        target.identity.extend(table.primary_key.iter().map(String::as_str));
        for key in &catalog.foreign_keys {
            if key.to_table == table.name {
                target.identity.extend(key.to_columns.iter().map(String::as_str));
            }
            if key.from_table == table.name {
                target.foreign.extend(key.from_columns.iter().map(String::as_str));
            }
        }
        for column in &table.columns {
            let is = |end: &ColumnRef| end.table == table.name && end.column == column.name;
            if likely.iter().any(|(from, _)| is(from)) {
                target.foreign.push(&column.name);
            }
            if likely.iter().any(|(_, to)| is(to)) {
                target.identity.push(&column.name);
            }
        }
        target
    };
    catalog.tables.iter().filter(|table| table.kind != TableKind::View).map(target).collect()
}

impl Target<'_> {
    /// Whether a column is a foreign key; some databases declare names in another case.
    fn is_foreign(&self, column: &str) -> bool {
        self.foreign.iter().any(|other| other.eq_ignore_ascii_case(column))
    }

    /// Whether a column identifies a row.
    fn is_identity(&self, column: &str) -> bool {
        self.identity.iter().any(|other| other.eq_ignore_ascii_case(column))
    }

    /// Columns of plain values.
    fn plain(&self) -> impl Iterator<Item = &str> {
        let names = self.table.columns.iter().map(|column| column.name.as_str());
        names.filter(|name| !self.is_foreign(name) && !self.is_identity(name))
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    const SCRIPT: &str = "
        CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        CREATE TABLE orders (number TEXT PRIMARY KEY, shop_id REFERENCES shop (id), total);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
        INSERT INTO shop SELECT i, 'shop ' || i, 'city ' || i FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
        INSERT INTO orders SELECT 'A' || i, i, iif(i < 10, NULL, i * 1.5) FROM n;";

    /// The copy's answer to a query of one text or number.
    fn one(sql: &str) -> String {
        let original = Connection::open_in_memory().unwrap();
        original.execute_batch(SCRIPT).unwrap();
        let catalog = Source::in_memory(SCRIPT).unwrap().engine.catalog().clone();
        let copy = copy(&original, &catalog).unwrap();
        copy.query_row(&format!("SELECT CAST(({sql}) AS TEXT)"), (), |row| row.get(0)).unwrap()
    }

    #[test]
    fn values_change_places_and_none_is_lost_or_new() {
        assert_ne!(one("SELECT count(*) FROM shop WHERE name = 'shop ' || id"), "30");
        assert_eq!(one("SELECT count(DISTINCT name) FROM shop"), "30");
        assert_eq!(one("SELECT count(DISTINCT typeof(total)) FROM orders"), "2");
        assert_eq!(one("SELECT count(DISTINCT total) FROM orders"), "21");
    }

    #[test]
    fn columns_change_places_independently() {
        let kept = one("SELECT count(*) FROM shop WHERE substr(name, 6) = substr(city, 6)");
        assert!(kept.parse::<usize>().unwrap() < 15, "{kept}");
    }

    #[test]
    fn added_rows_have_fresh_keys_and_kept_foreign_keys() {
        let added = one("SELECT count(*) - 30 FROM orders");
        assert!((1..=30).contains(&added.parse::<usize>().unwrap()), "{added}");
        assert_eq!(one("SELECT count(*) - count(DISTINCT number) FROM orders"), "0");
        assert_eq!(one("SELECT count(*) FROM orders WHERE shop_id NOT BETWEEN 1 AND 30"), "0");
        assert_eq!(
            one("SELECT group_concat(shop_id) = group_concat(substr(number, 2)) \
                        FROM (SELECT * FROM orders LIMIT 30)"),
            "1"
        );
    }

    #[test]
    fn a_copy_is_always_the_same() {
        let all = "SELECT group_concat(number || shop_id || ifnull(total, '-')) FROM orders";
        assert_eq!(one(all), one(all));
    }
}
