//! Reads the catalog (tables, columns, keys, listed values) of an SQLite file.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension};
use wherefore_engine::catalog::{
    Catalog, Column, Containment, DataType, ForeignKey, Table, TableKind, is_sensitive,
};
use wherefore_sql::Dialect;

use super::failure::failure;
use super::watch::Watch;
use crate::database::key_evidence::{Lookup, lookups};
use crate::database::listed_values::{
    COLUMN_BUDGET, LISTED_VALUES, PROSE_LENGTH, VALUES_BUDGET, has_listed_values, value_list,
};
use crate::database::{DatabaseError, quoted};

/// GLOB patterns of ISO dates.
const ISO_DATE: &str = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]";
const ISO_TIMESTAMP: &str = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-5][0-9]*";

/// Reads the catalog, and the names of all tables and views in the file.
pub(crate) fn read(
    connection: &Connection,
    watch: &Watch,
    path: &Path,
) -> Result<(Catalog, Vec<String>), DatabaseError> {
    let failed = |error: rusqlite::Error| failure(&error, VALUES_BUDGET);
    watch.allow(VALUES_BUDGET);
    let (names, stored) = names(connection).map_err(failed)?;
    if names.is_empty() {
        return Err(DatabaseError::NoTables(path.display().to_string()));
    }
    let mut reader = TableReader { connection, watch, until: Instant::now() + VALUES_BUDGET };
    let mut tables = Vec::with_capacity(names.len());
    for (name, kind) in names {
        match reader.table(&name, kind) {
            Ok(table) => tables.push(table),
            Err(error) => {
                tracing::warn!(table = name, %error, "cannot read a table; it is left out");
            }
        }
    }
    if tables.is_empty() {
        return Err(DatabaseError::NoTables(path.display().to_string()));
    }
    let foreign_keys = foreign_keys(connection, &tables).map_err(failed)?;
    let name =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut catalog = Catalog {
        name,
        dialect: Dialect::Sqlite,
        can_execute: true,
        tables,
        foreign_keys,
        ..Catalog::default()
    };
    catalog.containments = reader.containments(&catalog);
    Ok((catalog, stored))
}

type Names = Vec<(String, TableKind)>;

fn names(connection: &Connection) -> rusqlite::Result<(Names, Vec<String>)> {
    let mut statement = connection
        .prepare("SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name")?;
    let all = statement
        .query_map((), |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let readable = all
        .iter()
        .filter(|(name, kind)| !name.to_lowercase().starts_with("sqlite_") && kind != "shadow")
        .map(|(name, kind)| {
            (name.clone(), if kind == "view" { TableKind::View } else { TableKind::Table })
        })
        .collect();
    Ok((readable, all.into_iter().map(|(name, _)| name).collect()))
}

struct TableReader<'a> {
    connection: &'a Connection,
    watch: &'a Watch,
    until: Instant,
}

impl TableReader<'_> {
    fn table(&mut self, name: &str, kind: TableKind) -> rusqlite::Result<Table> {
        self.watch.allow(VALUES_BUDGET);
        let unique = unique_columns(self.connection, name)?;
        let mut statement = self.connection.prepare(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid",
        )?;
        let read = statement
            .query_map([name], |row| {
                let declared: Option<String> = row.get(1)?;
                let declared = declared.unwrap_or_default();
                let key: u32 = row.get(3)?;
                let column = Column {
                    name: row.get(0)?,
                    data_type: DataType::from_declaration(&declared),
                    declared_type: declared,
                    nullable: row.get::<_, u32>(2)? == 0 && key == 0,
                    ..Column::default()
                };
                Ok((column, key))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut key: Vec<_> = read
            .iter()
            .filter(|(_, key)| *key > 0)
            .map(|(column, key)| (*key, column.name.clone()))
            .collect();
        key.sort_unstable();
        let primary_key: Vec<String> = key.into_iter().map(|(_, name)| name).collect();
        let mut columns: Vec<Column> = read.into_iter().map(|(column, _)| column).collect();
        for column in &mut columns {
            column.unique = unique.contains(&column.name) || primary_key == [column.name.as_str()];
            self.describe(name, column);
        }
        let count = format!("SELECT count(*) FROM {}", quoted(name));
        let rows: Option<i64> =
            self.bounded(|connection| connection.query_row(&count, (), |row| row.get(0)));
        Ok(Table {
            name: name.to_owned(),
            kind,
            row_estimate: rows.map(|rows| u32::try_from(rows).unwrap_or(u32::MAX)),
            columns,
            primary_key,
            ..Table::default()
        })
    }

    /// Completes a column from stored values: its type if none is declared, its range, its listed values.
    fn describe(&mut self, table: &str, column: &mut Column) {
        let (from, name) = (quoted(table), quoted(&column.name));
        if column.data_type == DataType::Other && column.declared_type.is_empty() {
            column.data_type = self.stored_type(&from, &name).unwrap_or(DataType::Text);
        }
        if column.data_type == DataType::Text || column.data_type.is_temporal() {
            column.data_type = self.text_type(&from, &name, column.data_type);
        }
        column.sensitive = is_sensitive(&column.name, column.data_type);
        if column.sensitive {
            return;
        }
        if column.data_type.is_numeric() || column.data_type.is_temporal() {
            let sql =
                format!("SELECT min({name}), max({name}) FROM {from} WHERE {name} IS NOT NULL");
            let range: Option<(Value, Value)> = self.bounded(|connection| {
                connection.query_row(&sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
            });
            if let Some((minimum, maximum)) = range {
                column.minimum = text_of(minimum);
                column.maximum = text_of(maximum);
            }
        } else if has_listed_values(column.data_type) {
            column.values = self.values(&from, &name);
        }
    }

    fn stored_type(&mut self, from: &str, name: &str) -> Option<DataType> {
        let sql = format!(
            "SELECT DISTINCT typeof(value) FROM (SELECT {name} AS value FROM {from} WHERE {name} IS NOT NULL LIMIT 1000)"
        );
        let mut types: Vec<String> = self.bounded(|connection| {
            connection.prepare(&sql)?.query_map((), |row| row.get(0))?.collect()
        })?;
        types.sort_unstable();
        match types.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => None,
            ["integer"] => Some(DataType::Integer),
            ["real"] | ["integer", "real"] => Some(DataType::Number),
            ["blob"] => Some(DataType::Binary),
            _ => Some(DataType::Text),
        }
    }

    /// Type of a text or date column by its values: text of ISO dates only is a date, and a declared date that holds
    /// none gets the stored type.
    fn text_type(&mut self, from: &str, name: &str, declared: DataType) -> DataType {
        let sql = format!(
            "SELECT count({name}), \
             sum(typeof({name}) = 'text' AND {name} GLOB ?1), \
             sum(typeof({name}) = 'text' AND {name} GLOB ?2), \
             sum(typeof({name}) = 'integer') FROM {from}"
        );
        let counts: Option<[i64; 4]> = self.bounded(|connection| {
            connection.query_row(&sql, (ISO_DATE, ISO_TIMESTAMP), |row| {
                let read = |index| row.get::<_, Option<i64>>(index).map(Option::unwrap_or_default);
                Ok([read(0)?, read(1)?, read(2)?, read(3)?])
            })
        });
        let Some([all, dates, timestamps, integers]) = counts else { return declared };
        if all == 0 {
            declared
        } else if dates == all {
            DataType::Date
        } else if dates + timestamps == all {
            DataType::Timestamp
        } else if !declared.is_temporal() {
            declared
        } else if integers == all {
            DataType::Integer
        } else {
            DataType::Text
        }
    }

    fn values(&mut self, from: &str, name: &str) -> Option<wherefore_engine::catalog::ValueList> {
        let average = format!(
            "SELECT avg(length(value)) FROM (SELECT {name} AS value FROM {from} WHERE {name} IS NOT NULL LIMIT 1000)"
        );
        let average: Option<f64> = self.bounded(|connection| {
            connection
                .query_row(&average, (), |row| row.get::<_, Option<f64>>(0))
                .optional()
                .map(Option::flatten)
        })?;
        if average.is_none_or(|average| average > PROSE_LENGTH) {
            return None;
        }
        let list = |source: &str| {
            format!(
                "SELECT DISTINCT CAST({name} AS TEXT) AS value FROM {source} WHERE {name} IS NOT NULL \
                 ORDER BY value LIMIT {}",
                LISTED_VALUES + 1
            )
        };
        let (all, sample) = (list(from), list(&format!("(SELECT {name} FROM {from} LIMIT 5000)")));
        let read = |sql: String| {
            move |connection: &Connection| -> rusqlite::Result<Vec<String>> {
                connection.prepare(&sql)?.query_map((), |row| row.get(0))?.collect()
            }
        };
        if let Some(values) = self.bounded(read(all)) {
            let complete = values.len() <= LISTED_VALUES;
            return value_list(values, complete);
        }
        value_list(self.bounded(read(sample))?, false)
    }

    /// How many values of columns that may be undeclared keys are found in the other column.
    fn containments(&mut self, catalog: &Catalog) -> Vec<Containment> {
        let mut distinct: BTreeMap<String, Option<(u32, u32)>> = BTreeMap::new();
        let mut held = Vec::new();
        for Lookup { from, to, distinct: key, found } in lookups(catalog, quoted) {
            let counts = |connection: &Connection, sql: &str| {
                connection.query_row(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))
            };
            let rows = match distinct.get(&key) {
                Some(rows) => *rows,
                None => self.bounded(|connection| counts(connection, &key)),
            };
            distinct.insert(key, rows);
            let Some((rows, different)) = rows else { continue };
            let Some((values, found)) = self.bounded(|connection| counts(connection, &found))
            else {
                continue;
            };
            held.push(Containment { from, to, values, found, unique: rows == different });
        }
        held
    }

    /// Result of a query within the time budget of a column; `None` if the budget ran out or the query failed.
    fn bounded<T>(&mut self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Option<T> {
        let left = self.until.checked_duration_since(Instant::now())?;
        self.watch.allow(COLUMN_BUDGET.min(left));
        query(self.connection).ok()
    }
}

fn text_of(value: Value) -> Option<String> {
    match value {
        Value::Null | Value::Blob(_) => None,
        Value::Integer(value) => Some(value.to_string()),
        Value::Real(value) => Some(value.to_string()),
        Value::Text(value) => Some(value),
    }
}

fn unique_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT max(info.name) FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info \
         WHERE list.\"unique\" = 1 AND list.partial = 0 GROUP BY list.name \
         HAVING count(*) = 1 AND max(info.name) IS NOT NULL ORDER BY 1",
    )?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

fn foreign_keys(connection: &Connection, tables: &[Table]) -> rusqlite::Result<Vec<ForeignKey>> {
    let find = |name: &str| tables.iter().find(|table| table.name.eq_ignore_ascii_case(name));
    let mut keys: Vec<ForeignKey> = Vec::new();
    for table in tables.iter().filter(|table| table.kind == TableKind::Table) {
        let mut statement = connection.prepare(
            "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq",
        )?;
        let rows = statement
            .query_map([&table.name], |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, Option<String>>(3)?,
                ))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        for group in rows.chunk_by(|left, right| left.0 == right.0) {
            let Some(target) = find(&group[0].1) else { continue };
            let stored = |table: &Table, name: &str| {
                table
                    .columns
                    .iter()
                    .find(|column| column.name.eq_ignore_ascii_case(name))
                    .map(|column| column.name.clone())
            };
            let from: Option<Vec<String>> = group.iter().map(|row| stored(table, &row.2)).collect();
            // A foreign key without target columns refers to the primary key.
            let to: Option<Vec<String>> = group
                .iter()
                .enumerate()
                .map(|(index, row)| match &row.3 {
                    Some(name) => stored(target, name),
                    None => target.primary_key.get(index).cloned(),
                })
                .collect();
            if let (Some(from_columns), Some(to_columns)) = (from, to) {
                keys.push(ForeignKey {
                    from_table: table.key(),
                    from_columns,
                    to_table: target.key(),
                    to_columns,
                    inferred: false,
                });
            }
        }
    }
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
