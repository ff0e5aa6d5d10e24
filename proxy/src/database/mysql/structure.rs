//! Reads the tables, columns and keys of a database from its `information_schema`.

use std::collections::BTreeMap;
use std::time::Duration;

use mysql_async::prelude::FromRow;
use mysql_async::{Row, from_row_opt};
use wherefore_engine::catalog::{
    Catalog, Column, Coverage, ForeignKey, Table, TableKind, ValueList, is_sensitive,
};
use wherefore_sql::Dialect;

use super::lease::Lease;
use super::pool::{Known, Mysql};
use super::types;
use crate::database::DatabaseError;

const TABLES: &str = include_str!("../../../data/mysql_tables.sql");
const COLUMNS: &str = include_str!("../../../data/mysql_columns.sql");
const KEYS: &str = include_str!("../../../data/mysql_keys.sql");
const FOREIGN_KEYS: &str = include_str!("../../../data/mysql_foreign_keys.sql");
/// Timeout of one statement that reads the schema.
const STRUCTURE_BUDGET: Duration = Duration::from_secs(30);

/// The catalog without stored values; row counts are the server's estimates.
pub(super) async fn read(database: &Mysql) -> Result<Known, DatabaseError> {
    let name = database.name.as_str();
    let mut lease = database.begin(STRUCTURE_BUDGET).await?;
    let mut tables = tables(&mut lease).await?;
    add_columns(&mut lease, &mut tables).await?;
    tables.retain(|table| !table.columns.is_empty());
    if tables.is_empty() {
        return Err(DatabaseError::NoTables(format!(
            "{name} has no table that this login may read"
        )));
    }
    add_keys(&mut lease, &mut tables).await?;
    let foreign_keys = foreign_keys(&mut lease, &tables).await?;
    let server = lease.server();
    lease.finish().await;
    let catalog = Catalog {
        name: name.to_owned(),
        dialect: Dialect::Postgres,
        can_execute: true,
        tables,
        foreign_keys,
        ..Catalog::default()
    };
    Ok(Known { catalog, server })
}

async fn tables(lease: &mut Lease) -> Result<Vec<Table>, DatabaseError> {
    let rows = lease.query(TABLES, ()).await?;
    rows.into_iter()
        .map(|row| {
            let (name, kind, estimate, comment): (String, String, Option<u64>, Option<String>) =
                cells(row)?;
            let view = kind.ends_with("VIEW");
            Ok(Table {
                name,
                kind: if view { TableKind::View } else { TableKind::Table },
                description: comment.filter(|_| !view).unwrap_or_default(),
                row_estimate: estimate.map(|rows| u32::try_from(rows).unwrap_or(u32::MAX)),
                ..Table::default()
            })
        })
        .collect()
}

async fn add_columns(lease: &mut Lease, tables: &mut [Table]) -> Result<(), DatabaseError> {
    let place: BTreeMap<String, usize> =
        tables.iter().enumerate().map(|(place, table)| (table.name.clone(), place)).collect();
    for row in lease.query(COLUMNS, ()).await? {
        let (table, name, kind, declared, nullable, comment): (
            String,
            String,
            String,
            String,
            String,
            Option<String>,
        ) = cells(row)?;
        if let Some(place) = place.get(&table) {
            let column = column(name, &kind, declared, nullable == "YES", comment);
            tables[*place].columns.push(column);
        }
    }
    Ok(())
}

fn column(
    name: String,
    kind: &str,
    declared: String,
    nullable: bool,
    comment: Option<String>,
) -> Column {
    let data_type = types::family(kind, &declared);
    let sensitive = is_sensitive(&name, data_type);
    let values = types::labels(&declared).filter(|_| !sensitive).map(|mut values| {
        values.sort_unstable();
        ValueList { values, coverage: Coverage::Complete }
    });
    Column {
        name,
        data_type,
        declared_type: declared,
        nullable,
        description: comment.unwrap_or_default(),
        sensitive,
        values,
        ..Column::default()
    }
}

async fn add_keys(lease: &mut Lease, tables: &mut [Table]) -> Result<(), DatabaseError> {
    let mut keys: BTreeMap<(String, String), Vec<Option<String>>> = BTreeMap::new();
    for row in lease.query(KEYS, ()).await? {
        let (table, key, column): (String, String, Option<String>) = cells(row)?;
        keys.entry((table, key)).or_default().push(column);
    }
    for ((name, key), columns) in keys {
        // A key with an expression or a prefix of a column has a part without a name.
        let Some(names) = columns.into_iter().collect::<Option<Vec<String>>>() else { continue };
        let Some(table) = tables.iter_mut().find(|table| table.name == name) else { continue };
        if let [only] = &names[..]
            && let Some(column) = table.columns.iter_mut().find(|column| column.name == *only)
        {
            column.unique = true;
        }
        let is_readable = |name: &String| table.columns.iter().any(|column| column.name == *name);
        if key == "PRIMARY" && names.iter().all(is_readable) {
            table.primary_key = names;
        }
    }
    Ok(())
}

async fn foreign_keys(
    lease: &mut Lease,
    tables: &[Table],
) -> Result<Vec<ForeignKey>, DatabaseError> {
    let mut keys: BTreeMap<(String, String), ForeignKey> = BTreeMap::new();
    for row in lease.query(FOREIGN_KEYS, ()).await? {
        let (table, name, column, to_table, to_column): (String, String, String, String, String) =
            cells(row)?;
        let key = keys.entry((table.clone(), name)).or_insert_with(|| ForeignKey {
            from_table: table,
            from_columns: Vec::new(),
            to_table,
            to_columns: Vec::new(),
            inferred: false,
        });
        key.from_columns.push(column);
        key.to_columns.push(to_column);
    }
    let has = |name: &str, columns: &[String]| {
        let table = tables.iter().find(|table| table.name == name);
        table.is_some_and(|table| {
            columns.iter().all(|name| table.columns.iter().any(|column| column.name == *name))
        })
    };
    let mut keys: Vec<ForeignKey> = keys
        .into_values()
        .filter(|key| {
            has(&key.from_table, &key.from_columns) && has(&key.to_table, &key.to_columns)
        })
        .collect();
    keys.sort_by(|left, right| {
        (&left.from_table, &left.from_columns, &left.to_table).cmp(&(
            &right.from_table,
            &right.from_columns,
            &right.to_table,
        ))
    });
    keys.dedup();
    Ok(keys)
}

/// The cells of a row of the `information_schema`.
pub(super) fn cells<T: FromRow>(row: Row) -> Result<T, DatabaseError> {
    from_row_opt(row)
        .map_err(|error| DatabaseError::Unavailable(format!("cannot read the catalog: {error}")))
}
