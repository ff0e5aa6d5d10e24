//! Loads rows into a SQLite file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use rusqlite::types::{ToSqlOutput, Value as SqliteValue, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params_from_iter};

use crate::ddl::{self, Comments};
use crate::error::{Error, Result};
use crate::generate::generate;
use crate::load::{Progress, Summary, TableSummary};
use crate::schema::schema;
use crate::value::Value;

/// Value of `PRAGMA application_id` that identifies files of this loader.
const APPLICATION_ID: i32 = 0x5766_5361;

pub(super) fn load(path: &Path, today: Date, progress: Progress<'_>) -> Result<Summary> {
    if path.exists() && !is_sample(path) {
        return Err(Error::NotASample(path.to_owned()));
    }
    let partial = beside(path, ".partial");
    remove(&partial)?;
    let loaded = fill(&partial, today, progress);
    if loaded.is_err() {
        remove(&partial)?;
    }
    let summary = loaded?;
    // A write-ahead log of the replaced file must not be applied to the new one.
    remove(&beside(path, "-wal"))?;
    remove(&beside(path, "-shm"))?;
    fs::rename(&partial, path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    Ok(summary)
}

fn fill(path: &Path, today: Date, progress: Progress<'_>) -> Result<Summary> {
    let schema = schema()?;
    let comments = Comments::read()?;
    let data = generate(today)?;
    let mut connection = Connection::open(path)?;
    // An incomplete file is deleted, so durability is not needed.
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
         PRAGMA application_id = {APPLICATION_ID};"
    ))?;
    let transaction = connection.transaction()?;
    let mut summary = Summary::default();
    for table in &schema.tables {
        transaction.execute_batch(&ddl::sqlite_table(&schema, table, &comments))?;
        let mut count = 0;
        if let Some(rows) = data.rows(&table.name) {
            let columns: Vec<String> = rows.columns.iter().map(|name| ddl::quote(name)).collect();
            let mut insert = transaction.prepare(&format!(
                "INSERT INTO {} ({}) VALUES ({})",
                ddl::quote(&table.name),
                columns.join(", "),
                vec!["?"; columns.len()].join(", "),
            ))?;
            for row in &rows.rows {
                insert.execute(params_from_iter(row))?;
            }
            count = rows.rows.len();
        }
        for index in ddl::indexes(table, &ddl::quote(&table.name)) {
            transaction.execute_batch(&index)?;
        }
        let done =
            TableSummary { area: table.area.to_owned(), table: table.name.clone(), rows: count };
        progress(&done);
        summary.tables.push(done);
    }
    transaction.execute_batch("ANALYZE")?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(summary)
}

fn is_sample(path: &Path) -> bool {
    let open = || -> rusqlite::Result<i32> {
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?.query_row(
            "PRAGMA application_id",
            [],
            |row| row.get(0),
        )
    };
    open().is_ok_and(|id| id == APPLICATION_ID)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(Error::File { path: path.to_owned(), source }),
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Boolean(value) => ToSqlOutput::Owned(SqliteValue::Integer(i64::from(*value))),
            Self::Decimal(value) => ToSqlOutput::Owned(SqliteValue::Real(
                value.units as f64 / 10_f64.powi(value.scale.cast_signed()),
            )),
            Self::Integer(value) => ToSqlOutput::Owned(SqliteValue::Integer(*value)),
            Self::Null => ToSqlOutput::Owned(SqliteValue::Null),
            Self::Text(value) => ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())),
            Self::Date(_) | Self::Time(_) | Self::Timestamp(_) => {
                ToSqlOutput::Owned(SqliteValue::Text(self.to_string()))
            }
        })
    }
}
