//! Rows that are added, and values that change places.

use anyhow::Result;
use rusqlite::Connection;
use rusqlite::types::Value;

use super::{Target, quoted};
use crate::score::draw;

/// Share of the rows that are copied.
const SHARE: f64 = 0.3;
/// Most rows that are copied of a table.
const MOST_ADDED: usize = 500;
/// Most rows of a table whose values change places, the first by their number.
const MOST_SHUFFLED: usize = 20_000;

/// Row numbers of a table, in order.
pub(super) fn numbers(connection: &Connection, table: &str) -> Result<Vec<i64>> {
    let sql = format!("SELECT rowid FROM {} ORDER BY rowid LIMIT {MOST_SHUFFLED}", quoted(table));
    let mut statement = connection.prepare(&sql)?;
    let numbers = statement.query_map((), |row| row.get(0))?;
    Ok(numbers.collect::<rusqlite::Result<_>>()?)
}

/// Adds copies of some rows, with fresh keys; a row that breaks a unique index is left out.
pub(super) fn add(connection: &Connection, target: &Target<'_>, stored: &[i64]) -> Result<()> {
    let table = &target.table.name;
    let fresh = |name: &str| target.is_identity(name) && !target.is_foreign(name);
    let columns: Vec<&str> = target.table.columns.iter().map(|column| &*column.name).collect();
    // Without a part of the key to change, a copy is the same row again.
    if columns.iter().any(|name| target.is_identity(name))
        && !columns.iter().any(|name| fresh(name))
    {
        return Ok(());
    }
    let outputs: Vec<String> = columns
        .iter()
        .map(|name| if fresh(name) { fresh_key(table, name) } else { quoted(name) })
        .collect();
    let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
    let sql = format!(
        "INSERT OR IGNORE INTO {table} ({}) SELECT {} FROM {table} WHERE rowid = ?1",
        names.join(", "),
        outputs.join(", "),
        table = quoted(table),
    );
    let mut statement = connection.prepare(&sql)?;
    let mut drawn: Vec<(f64, i64)> =
        stored.iter().map(|number| (draw(&format!("{table}+{number}")), *number)).collect();
    drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
    let most = (drawn.len() as f64 * SHARE).ceil() as usize;
    for (_, number) in drawn.into_iter().take(most.min(MOST_ADDED)) {
        // A computed column, or a constraint that no value meets: the table has its own rows only.
        if statement.execute([number]).is_err() {
            break;
        }
    }
    Ok(())
}

/// A key that no row has: the next number, or the text with a number behind it.
fn fresh_key(table: &str, column: &str) -> String {
    let (table, column) = (quoted(table), quoted(column));
    format!(
        "CASE WHEN typeof({column}) IN ('integer', 'real') \
         THEN (SELECT max({column}) + 1 FROM {table} WHERE typeof({column}) IN ('integer', 'real')) \
         WHEN {column} IS NULL THEN NULL \
         ELSE {column} || '-' || (SELECT count(*) FROM {table}) END"
    )
}

/// Lets the values of a column change places.
pub(super) fn shuffle(
    connection: &Connection,
    table: &str,
    column: &str,
    rows: &[i64],
) -> Result<()> {
    // A unique index allows no value twice, not even for a moment.
    if is_unique(connection, table, column)? {
        return Ok(());
    }
    let (named, name) = (quoted(table), quoted(column));
    let mut drawn: Vec<(f64, i64)> =
        rows.iter().map(|number| (draw(&format!("{table}.{column}/{number}")), *number)).collect();
    drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut read = connection.prepare(&format!("SELECT {name} FROM {named} WHERE rowid = ?1"))?;
    let values: Vec<Value> = drawn
        .iter()
        .map(|(_, number)| read.query_row([number], |row| row.get(0)))
        .collect::<rusqlite::Result<_>>()?;
    let mut write = connection
        .prepare(&format!("UPDATE OR IGNORE {named} SET {name} = ?1 WHERE rowid = ?2"))?;
    for (number, value) in rows.iter().zip(values) {
        // A computed column cannot be written.
        if write.execute((value, number)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Whether a unique index contains a column.
fn is_unique(connection: &Connection, table: &str, column: &str) -> Result<bool> {
    let sql = "SELECT count(*) FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS part \
               WHERE list.\"unique\" AND part.name = ?2 COLLATE NOCASE";
    Ok(connection.query_row(sql, (table, column), |row| row.get::<_, i64>(0))? > 0)
}
