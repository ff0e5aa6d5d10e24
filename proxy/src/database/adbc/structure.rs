//! Reads the tables, columns and keys of a database.

use std::collections::BTreeMap;
use std::time::Duration;

use wherefore_engine::catalog::{Catalog, Column, ForeignKey, Table, TableKind, is_sensitive};
use wherefore_sql::Dialect;

use super::Adbc;
use super::profile::{Listed, Structure};
use super::read::Texts;
use crate::database::DatabaseError;

/// Timeout of one statement that reads the schema.
const STRUCTURE_BUDGET: Duration = Duration::from_secs(30);

/// The catalog without stored values; row counts are estimates of the engine.
pub(super) async fn read(database: &Adbc) -> Result<Catalog, DatabaseError> {
    let mut tables = match &database.profile.structure {
        Structure::Listed(listed) => tables(database, listed).await?,
        Structure::Described => super::described::tables(database).await?,
    };
    tables.retain(|table| !table.columns.is_empty());
    if tables.is_empty() {
        return Err(DatabaseError::NoTables(format!("{} has none", database.place)));
    }
    let foreign_keys = match &database.profile.structure {
        Structure::Listed(listed) => {
            let keys = query(database, listed.keys).await?;
            add_keys(database, &mut tables, keys);
            foreign_keys(database, listed, &tables).await?
        }
        Structure::Described => Vec::new(),
    };
    Ok(Catalog {
        name: database.place.name(),
        dialect: Dialect::Postgres,
        can_execute: true,
        tables,
        foreign_keys,
        ..Catalog::default()
    })
}

pub(super) async fn query(database: &Adbc, sql: &str) -> Result<Vec<Texts>, DatabaseError> {
    database.texts(sql, Vec::new(), STRUCTURE_BUDGET, None).await
}

/// Name of a schema in the catalog, which leaves out the default one.
pub(super) fn schema(database: &Adbc, name: Option<String>) -> Option<String> {
    name.filter(|name| name != database.profile.default_schema)
}

async fn tables(database: &Adbc, listed: &Listed) -> Result<Vec<Table>, DatabaseError> {
    let rows = query(database, listed.tables).await?;
    let tables = rows.into_iter().filter_map(|row| {
        let [owner, name, kind, comment, estimate] = <[_; 5]>::try_from(row).ok()?;
        let rows = estimate.and_then(|rows| rows.parse::<u64>().ok());
        Some(Table {
            schema: schema(database, owner),
            name: name?,
            kind: if kind.as_deref() == Some("view") { TableKind::View } else { TableKind::Table },
            description: comment.unwrap_or_default(),
            row_estimate: rows.map(|rows| u32::try_from(rows).unwrap_or(u32::MAX)),
            ..Table::default()
        })
    });
    let mut tables = tables.collect::<Vec<_>>();
    let places = places(&tables);
    for row in query(database, listed.columns).await? {
        let Ok([owner, table, name, declared, nullable, comment]) = <[_; 6]>::try_from(row) else {
            continue;
        };
        let (Some(table), Some(name), Some(declared)) = (table, name, declared) else { continue };
        let owner = schema(database, owner);
        let Some(place) = places.get(&(owner, table)) else { continue };
        let data_type = (database.profile.family)(&declared);
        tables[*place].columns.push(Column {
            sensitive: is_sensitive(&name, data_type),
            name,
            data_type,
            declared_type: declared,
            nullable: nullable.as_deref() != Some("false"),
            description: comment.unwrap_or_default(),
            ..Column::default()
        });
    }
    Ok(tables)
}

/// Positions of tables by schema and name.
fn places(tables: &[Table]) -> BTreeMap<(Option<String>, String), usize> {
    let places = tables.iter().enumerate();
    places.map(|(place, table)| ((table.schema.clone(), table.name.clone()), place)).collect()
}

fn add_keys(database: &Adbc, tables: &mut [Table], rows: Vec<Texts>) {
    let mut keys: BTreeMap<(Option<String>, String, String, String), Vec<String>> = BTreeMap::new();
    for row in rows {
        let Ok([owner, Some(table), Some(number), Some(kind), Some(column)]) =
            <[_; 5]>::try_from(row)
        else {
            continue;
        };
        let key = (schema(database, owner), table, number, kind);
        keys.entry(key).or_default().push(column);
    }
    let places = places(tables);
    for ((owner, table, _, kind), names) in keys {
        let Some(place) = places.get(&(owner, table)) else { continue };
        let table = &mut tables[*place];
        if let [only] = &names[..]
            && let Some(column) = table.columns.iter_mut().find(|column| column.name == *only)
        {
            column.unique = true;
        }
        if kind == "primary" {
            table.primary_key = names;
        }
    }
}

async fn foreign_keys(
    database: &Adbc,
    listed: &Listed,
    tables: &[Table],
) -> Result<Vec<ForeignKey>, DatabaseError> {
    let mut keys: BTreeMap<(Option<String>, String, String), ForeignKey> = BTreeMap::new();
    let places = places(tables);
    for row in query(database, listed.foreign_keys).await? {
        let Ok([owner, Some(table), Some(number), Some(column), Some(to_table), Some(to_column)]) =
            <[_; 6]>::try_from(row)
        else {
            continue;
        };
        let owner = schema(database, owner);
        // A table and those that it refers to are in one schema.
        let table_key = |name: &str| {
            places.get(&(owner.clone(), name.to_owned())).map(|place| tables[*place].key())
        };
        let (Some(from_table), Some(to_table)) = (table_key(&table), table_key(&to_table)) else {
            continue;
        };
        let key = keys.entry((owner.clone(), table, number)).or_insert_with(|| ForeignKey {
            from_table,
            from_columns: Vec::new(),
            to_table,
            to_columns: Vec::new(),
            inferred: false,
        });
        key.from_columns.push(column);
        key.to_columns.push(to_column);
    }
    let mut keys: Vec<ForeignKey> = keys.into_values().collect();
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
