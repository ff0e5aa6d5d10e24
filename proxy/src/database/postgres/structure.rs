//! Reads the catalog (tables, columns, keys, listed values) of a PostgreSQL database.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type};
use wherefore_engine::catalog::{
    Area, Catalog, Column, Containment, Coverage, DataType, ForeignKey, Table, TableKind,
    ValueList, is_sensitive,
};
use wherefore_sql::Dialect;

use super::pool::Postgres;
use crate::database::key_evidence::{Lookup, lookups};
use crate::database::listed_values::{
    COLUMN_BUDGET, LISTED_VALUES, PROSE_LENGTH, VALUES_BUDGET, has_listed_values, value_list,
};
use crate::database::{DatabaseError, quoted, quoted_table};
use crate::rights::without_rows;

const TABLES: &str = include_str!("../../../data/postgres_tables.sql");
const COLUMNS: &str = include_str!("../../../data/postgres_columns.sql");
const KEYS: &str = include_str!("../../../data/postgres_keys.sql");
const FOREIGN_KEYS: &str = include_str!("../../../data/postgres_foreign_keys.sql");
/// Schema whose tables are named without it.
const DEFAULT_SCHEMA: &str = "public";
/// Timeout of one statement that reads the schema.
const STRUCTURE_BUDGET: Duration = Duration::from_secs(30);

/// Reads the catalog of the database with this name.
pub(crate) async fn read(database: &Postgres, name: &str) -> Result<Catalog, DatabaseError> {
    let mut structure = read_structure(database, name).await?;
    let until = Instant::now() + VALUES_BUDGET;
    let is_restricted = database.rights.is_some();
    for (_, table, estimate) in structure.tables.iter_mut().filter(|_| !is_restricted) {
        let from = quoted_table(table.schema.as_deref(), &table.name);
        let mut sampler = TableSampler { database, until, from };
        table.row_estimate = match *estimate {
            Some(rows) if rows >= 0 => Some(u32::try_from(rows).unwrap_or(u32::MAX)),
            _ => sampler.count().await?,
        };
        sampler.ranges(&mut table.columns).await?;
        for column in &mut table.columns {
            if has_listed_values(column.data_type) && !column.sensitive && column.values.is_none() {
                column.values = sampler.values(&column.name).await?;
            }
        }
    }
    let mut tables: Vec<Table> = structure.tables.into_iter().map(|(_, table, _)| table).collect();
    tables.sort_by_key(Table::key);
    let areas = areas(&mut tables);
    let mut catalog = Catalog {
        name: name.to_owned(),
        dialect: Dialect::Postgres,
        can_execute: true,
        areas,
        tables,
        foreign_keys: structure.foreign_keys,
        ..Catalog::default()
    };
    if is_restricted {
        // Each caller may see other rows.
        without_rows(&mut catalog);
    } else {
        catalog.containments = containments(database, until, &catalog).await?;
    }
    Ok(catalog)
}

/// How many values of columns that may be undeclared keys are found in the other column.
async fn containments(
    database: &Postgres,
    until: Instant,
    catalog: &Catalog,
) -> Result<Vec<Containment>, DatabaseError> {
    let mut reader = TableSampler { database, until, from: String::new() };
    let mut distinct: BTreeMap<String, Option<(u32, u32)>> = BTreeMap::new();
    let mut held = Vec::new();
    for Lookup { from, to, distinct: key, found } in lookups(catalog, quoted, true) {
        let rows = match distinct.get(&key) {
            Some(rows) => *rows,
            None => reader.counts(&key).await?,
        };
        distinct.insert(key, rows);
        let Some((rows, different)) = rows else { continue };
        let Some((values, found)) = reader.counts(&found).await? else { continue };
        held.push(Containment { from, to, values, found, unique: rows == different });
    }
    Ok(held)
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

/// Reads row count, ranges and listed values of one table. What exceeds its time budget is left out.
struct TableSampler<'a> {
    database: &'a Postgres,
    until: Instant,
    from: String,
}

impl TableSampler<'_> {
    async fn count(&mut self) -> Result<Option<u32>, DatabaseError> {
        let sql = format!("SELECT count(*) FROM {}", self.from);
        let rows = self.bounded(&sql).await?;
        let count =
            rows.as_deref().and_then(<[Row]>::first).map(|row| cell::<i64>(row, 0)).transpose()?;
        Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// The two counts that a statement returns.
    async fn counts(&mut self, sql: &str) -> Result<Option<(u32, u32)>, DatabaseError> {
        let rows = self.bounded(sql).await?;
        let Some(row) = rows.as_deref().and_then(<[Row]>::first) else { return Ok(None) };
        let count =
            |index| cell::<i64>(row, index).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Ok(Some((count(0)?, count(1)?)))
    }

    async fn ranges(&mut self, columns: &mut [Column]) -> Result<(), DatabaseError> {
        for column in columns.iter_mut() {
            let ranged = column.data_type.is_numeric() || column.data_type.is_temporal();
            if !ranged || column.sensitive {
                continue;
            }
            let name = quoted(&column.name);
            let sql = format!("SELECT min({name})::text, max({name})::text FROM {}", self.from);
            if let Some(row) = self.bounded(&sql).await?.as_deref().and_then(<[Row]>::first) {
                column.minimum = cell(row, 0)?;
                column.maximum = cell(row, 1)?;
            }
        }
        Ok(())
    }

    async fn values(&mut self, column: &str) -> Result<Option<ValueList>, DatabaseError> {
        let (name, from) = (quoted(column), self.from.clone());
        let average = format!(
            "SELECT avg(length(value))::float8 FROM (SELECT {name}::text AS value FROM {from} \
             WHERE {name} IS NOT NULL LIMIT 1000) AS sample"
        );
        let Some(rows) = self.bounded(&average).await? else { return Ok(None) };
        let average = rows.first().map(|row| cell::<Option<f64>>(row, 0)).transpose()?.flatten();
        if average.is_none_or(|average| average > PROSE_LENGTH) {
            return Ok(None);
        }
        let list = |source: &str| {
            format!(
                "SELECT value FROM (SELECT DISTINCT {name}::text AS value FROM {source} \
                 WHERE {name} IS NOT NULL) AS listed ORDER BY value COLLATE \"C\" LIMIT {}",
                LISTED_VALUES + 1
            )
        };
        let texts = |rows: Vec<Row>| {
            rows.iter().map(|row| cell::<String>(row, 0)).collect::<Result<Vec<_>, _>>()
        };
        if let Some(rows) = self.bounded(&list(&from)).await? {
            let complete = rows.len() <= LISTED_VALUES;
            return Ok(value_list(texts(rows)?, complete));
        }
        let sample = format!("(SELECT {name} FROM {from} LIMIT 5000) AS sample");
        Ok(match self.bounded(&list(&sample)).await? {
            Some(rows) => value_list(texts(rows)?, false),
            None => None,
        })
    }

    /// Rows of a query within the time budget of a column; `None` if the budget ran out or the query failed.
    async fn bounded(&mut self, sql: &str) -> Result<Option<Vec<Row>>, DatabaseError> {
        let Some(left) = self.until.checked_duration_since(Instant::now()) else { return Ok(None) };
        let lease =
            self.database.begin(COLUMN_BUDGET.min(left).max(Duration::from_millis(1))).await?;
        match lease.query(sql, &[]).await {
            Ok(rows) => {
                lease.finish().await;
                Ok(Some(rows))
            }
            Err(error @ DatabaseError::Unavailable(_)) => Err(error),
            Err(_) => {
                lease.finish().await;
                Ok(None)
            }
        }
    }
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

fn cell<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, DatabaseError> {
    row.try_get(index)
        .map_err(|error| DatabaseError::Unavailable(format!("cannot read the catalog: {error}")))
}
