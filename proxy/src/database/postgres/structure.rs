//! Reads the tables, columns and keys of a PostgreSQL database.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};
use wherefore_engine::catalog::{
    Area, Catalog, Column, Coverage, DataType, ForeignKey, Table, TableKind, ValueList,
    is_sensitive,
};
use wherefore_sql::Dialect;

use super::pool::Postgres;
use crate::database::DatabaseError;
use crate::database::listed_values::COLUMN_BUDGET;
use crate::rights::without_rows;

const TABLES: &str = include_str!("../../../data/postgres_tables.sql");
const COLUMNS: &str = include_str!("../../../data/postgres_columns.sql");
const KEYS: &str = include_str!("../../../data/postgres_keys.sql");
const SIZES: &str = include_str!("../../../data/postgres_sizes.sql");
const FOREIGN_KEYS: &str = include_str!("../../../data/postgres_foreign_keys.sql");
/// Schema whose tables are named without it.
const DEFAULT_SCHEMA: &str = "public";
/// Most bytes of a table whose rows are counted together with others.
const SMALL_BYTES: i64 = 1 << 20;
/// Bytes of a row, for estimates of small tables.
const ROW_BYTES: i64 = 128;
/// Timeout of one statement that reads the schema.
const STRUCTURE_BUDGET: Duration = Duration::from_secs(30);

/// Reads the catalog of the database with this name, without what its tables hold.
pub(crate) async fn read(database: &Postgres, name: &str) -> Result<Catalog, DatabaseError> {
    let Structure { tables, foreign_keys } = read_structure(database, name).await?;
    let is_restricted = database.rights.is_some();
    let sizes = if is_restricted { BTreeMap::new() } else { sizes(database, &tables).await };
    let estimated = tables.into_iter().map(|(id, table, estimate)| {
        let rows = estimate.filter(|rows| *rows >= 0).or_else(|| small(*sizes.get(&id)?));
        Table { row_estimate: rows.map(|rows| u32::try_from(rows).unwrap_or(u32::MAX)), ..table }
    });
    let mut tables: Vec<Table> = estimated.collect();
    tables.sort_by_key(Table::key);
    let areas = areas(&mut tables);
    let mut catalog = Catalog {
        name: name.to_owned(),
        dialect: Dialect::Postgres,
        can_execute: true,
        areas,
        tables,
        foreign_keys,
        ..Catalog::default()
    };
    if is_restricted {
        // Each caller may see other rows.
        without_rows(&mut catalog);
    }
    Ok(catalog)
}

/// Bytes of tables whose rows the server has not estimated, by object id; none where it does not tell them.
async fn sizes(database: &Postgres, tables: &[(u32, Table, Option<i64>)]) -> BTreeMap<u32, i64> {
    let ids = tables.iter().filter(|(_, _, estimate)| estimate.is_some_and(|rows| rows < 0));
    let ids: Vec<u32> = ids.map(|(id, _, _)| *id).collect();
    if ids.is_empty() {
        return BTreeMap::new();
    }
    let read = async {
        let lease = database.begin(COLUMN_BUDGET).await?;
        let rows = lease.query(SIZES, &[(&ids, Type::OID_ARRAY)]).await;
        lease.finish().await;
        rows?.iter().map(|row| Ok((cell(row, 0)?, cell(row, 1)?))).collect()
    };
    let read: Result<BTreeMap<u32, i64>, DatabaseError> = read.await;
    read.unwrap_or_else(|error| {
        tracing::debug!(%error, "the sizes of tables are not known");
        BTreeMap::new()
    })
}

/// An estimate for a table of these bytes, if it is so small that it is counted.
fn small(bytes: i64) -> Option<i64> {
    (bytes <= SMALL_BYTES).then_some(bytes / ROW_BYTES)
}

struct Structure {
    /// Object id, table and estimated row count.
    tables: Vec<(u32, Table, Option<i64>)>,
    foreign_keys: Vec<ForeignKey>,
}

async fn read_structure(database: &Postgres, name: &str) -> Result<Structure, DatabaseError> {
    let lease = database.begin(STRUCTURE_BUDGET).await?;
    let found = lease.query(TABLES, &[]).await?;
    if found.is_empty() {
        return Err(DatabaseError::NoTables(name.to_owned()));
    }
    let mut tables = Vec::new();
    for row in &found {
        if !cell::<bool>(row, 6)? {
            continue;
        }
        let (schema, kind): (String, String) = (cell(row, 1)?, cell(row, 3)?);
        let view = kind == "v" || kind == "m";
        let table = Table {
            schema: (schema != DEFAULT_SCHEMA).then_some(schema),
            name: cell(row, 2)?,
            kind: if view { TableKind::View } else { TableKind::Table },
            description: cell::<Option<String>>(row, 5)?.unwrap_or_default(),
            ..Table::default()
        };
        let estimate = if kind == "v" { None } else { Some(cell::<i64>(row, 4)?) };
        tables.push((cell::<u32>(row, 0)?, table, estimate));
    }
    if tables.is_empty() {
        return Err(DatabaseError::PermissionDenied(format!(
            "this login cannot read any of the {} tables of {name}",
            found.len()
        )));
    }
    let ids: Vec<u32> = tables.iter().map(|(id, _, _)| *id).collect();
    let place: BTreeMap<u32, usize> =
        ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    for row in lease.query(COLUMNS, &[(&ids, Type::OID_ARRAY)]).await? {
        if let Some(place) = place.get(&cell(&row, 0)?) {
            tables[*place].1.columns.push(column(&row)?);
        }
    }
    for row in lease.query(KEYS, &[(&ids, Type::OID_ARRAY)]).await? {
        let Some(place) = place.get(&cell(&row, 0)?) else { continue };
        let table = &mut tables[*place].1;
        let (primary, names): (bool, Vec<String>) = (cell(&row, 1)?, cell(&row, 2)?);
        if let [only] = &names[..]
            && let Some(column) = table.columns.iter_mut().find(|column| column.name == *only)
        {
            column.unique = true;
        }
        if primary {
            table.primary_key = names;
        }
    }
    let mut foreign_keys = Vec::new();
    for row in lease.query(FOREIGN_KEYS, &[(&ids, Type::OID_ARRAY)]).await? {
        let ends = (place.get(&cell(&row, 0)?), place.get(&cell(&row, 1)?));
        if let (Some(from), Some(to)) = ends {
            foreign_keys.push(ForeignKey {
                from_table: tables[*from].1.key(),
                from_columns: cell(&row, 2)?,
                to_table: tables[*to].1.key(),
                to_columns: cell(&row, 3)?,
                inferred: false,
            });
        }
    }
    lease.finish().await;
    foreign_keys.sort_by(|left, right| {
        (&left.from_table, &left.from_columns, &left.to_table).cmp(&(
            &right.from_table,
            &right.from_columns,
            &right.to_table,
        ))
    });
    foreign_keys.dedup();
    Ok(Structure { tables, foreign_keys })
}

fn column(row: &Row) -> Result<Column, DatabaseError> {
    let (name, declared, base): (String, String, String) =
        (cell(row, 1)?, cell(row, 2)?, cell(row, 3)?);
    let (category, kind): (String, String) = (cell(row, 4)?, cell(row, 5)?);
    let data_type = match (kind.as_str(), category.as_str()) {
        ("e", _) | (_, "S") => DataType::Text,
        ("c" | "r" | "m", _) | (_, "A" | "G" | "R" | "T") => DataType::Other,
        _ => DataType::from_declaration(&base),
    };
    let labels: Option<Vec<String>> = cell(row, 8)?;
    let sensitive = is_sensitive(&name, data_type);
    Ok(Column {
        data_type,
        declared_type: declared,
        nullable: cell(row, 6)?,
        description: cell::<Option<String>>(row, 7)?.unwrap_or_default(),
        sensitive,
        values: labels.filter(|_| !sensitive).map(|mut values| {
            values.sort_unstable();
            ValueList { values, coverage: Coverage::Complete }
        }),
        name,
        ..Column::default()
    })
}

/// One area per schema if there are several; each table is assigned to its area.
fn areas(tables: &mut [Table]) -> Vec<Area> {
    let mut names: Vec<String> = tables
        .iter()
        .map(|table| table.schema.clone().unwrap_or_else(|| DEFAULT_SCHEMA.to_owned()))
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return Vec::new();
    }
    for table in tables {
        table.area = Some(table.schema.clone().unwrap_or_else(|| DEFAULT_SCHEMA.to_owned()));
    }
    names.into_iter().map(|name| Area { title: name.clone(), name, ..Area::default() }).collect()
}

pub(super) fn cell<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, DatabaseError> {
    row.try_get(index)
        .map_err(|error| DatabaseError::Unavailable(format!("cannot read the catalog: {error}")))
}
