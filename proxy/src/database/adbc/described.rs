//! Reads tables and columns by `SHOW TABLES` and `DESCRIBE`.

use wherefore_engine::catalog::{Column, Table, TableKind, is_sensitive};

use super::Adbc;
use super::read::Texts;
use super::structure::{query, schema};
use crate::database::DatabaseError;

/// Most tables that are described, each by a statement of its own.
const MOST_TABLES: usize = 2_000;

/// The tables of all schemas, with their columns. Tables of a session are left out.
pub(super) async fn tables(database: &Adbc) -> Result<Vec<Table>, DatabaseError> {
    let quoted = database.profile.syntax.name;
    let mut tables = Vec::new();
    for owner in query(database, "SHOW DATABASES").await? {
        let Some(owner) = owner.into_iter().next().flatten() else { continue };
        for row in query(database, &format!("SHOW TABLES IN {}", quoted(&owner))).await? {
            let Ok([_, Some(name), temporary]) = <[_; 3]>::try_from(row) else { continue };
            if temporary.as_deref() != Some("false") || tables.len() >= MOST_TABLES {
                continue;
            }
            let sql = format!("DESCRIBE TABLE EXTENDED {}.{}", quoted(&owner), quoted(&name));
            match query(database, &sql).await {
                Ok(rows) => {
                    let schema = schema(database, Some(owner.clone()));
                    let table = Table { schema, name, ..Table::default() };
                    tables.push(described(table, rows, database));
                }
                Err(error @ DatabaseError::Unavailable(_)) => return Err(error),
                // It was dropped since, or its files are gone.
                Err(error) => tracing::warn!("table {owner}.{name} cannot be described: {error}"),
            }
        }
    }
    Ok(tables)
}

/// Adds the columns, which come first, and the kind and comment of a table.
fn described(mut table: Table, rows: Vec<Texts>, database: &Adbc) -> Table {
    let mut is_column = true;
    for row in rows {
        let Ok([Some(name), Some(value), comment]) = <[_; 3]>::try_from(row) else { continue };
        is_column &= !name.is_empty() && !name.starts_with("# ");
        match name.as_str() {
            _ if is_column => {
                let data_type = (database.profile.family)(&value);
                table.columns.push(Column {
                    sensitive: is_sensitive(&name, data_type),
                    name,
                    data_type,
                    declared_type: value,
                    nullable: true,
                    description: comment.unwrap_or_default(),
                    ..Column::default()
                });
            }
            "Type" if value == "VIEW" => table.kind = TableKind::View,
            "Comment" => table.description = value,
            _ => {}
        }
    }
    table
}
