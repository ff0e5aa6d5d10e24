//! Data source of questions: an engine, and a database if there is one.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use wherefore_engine::catalog::Catalog;
#[cfg(test)]
use wherefore_engine::catalog::{Column, ForeignKey, Table};
use wherefore_engine::session::{FoundValues, ValueSearch};
use wherefore_engine::settings::Settings;
use wherefore_engine::{Engine, Knowledge};
use wherefore_proxy::database::Database;
use wherefore_proxy::database::sqlite::Sqlite;
use wherefore_proxy::values::{FOUND_VALUES, SEARCH_LENGTH};
use wherefore_sql::{Dialect, GuardLimits, check_text};

use super::changed;
use super::edit::Edit;
use super::rows::{Agreement, Cell, Rows};

/// A statement is aborted after this many SQLite VM steps; a step count, unlike a timeout, keeps runs reproducible.
const MOST_STEPS: usize = 30_000_000;
/// VM steps between two calls of the progress handler.
const STEPS: i32 = 10_000;
/// Maximum number of rows read from a result.
const MOST_ROWS: usize = 20_000;

/// An engine with its database connection, if there is one.
pub(crate) struct Source {
    /// The engine.
    pub(crate) engine: Engine,
    connection: Option<Connection>,
    /// Calls of the progress handler for the running statement.
    looks: Arc<AtomicUsize>,
    results: RefCell<BTreeMap<String, Option<Rc<Rows>>>>,
    /// The same database with changed rows; `None` when it cannot be made.
    copy: OnceCell<Option<Box<Source>>>,
}

/// Path of a database: `ID.sqlite` or `ID/ID.sqlite` in `folder`.
pub(crate) fn path_of(folder: &Path, id: &str) -> Result<PathBuf> {
    let file = format!("{id}.sqlite");
    [folder.join(&file), folder.join(id).join(&file)]
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| format!("no database {file} in {}", folder.display()))
}

/// Catalog of a database, as the proxy reads it.
pub(crate) fn read_catalog(path: &Path) -> Result<Catalog> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime
        .block_on(Sqlite::new(path, 1).read_catalog())
        .with_context(|| format!("cannot read the catalog of {}", path.display()))
}

impl Source {
    /// A source of a schema without rows.
    pub(crate) fn of_schema(catalog: Catalog) -> Self {
        let engine = Engine::new(Knowledge { catalog, ..Knowledge::default() });
        Self::of(engine, None)
    }

    /// The same source with a threshold of the confidence.
    pub(crate) fn asking_below(mut self, chance: Option<f64>) -> Self {
        if let Some(ask_below) = chance {
            let settings = Settings { ask_below, ..self.engine.settings().clone() };
            self.engine = self.engine.with_settings(settings);
        }
        self
    }

    /// Opens a database read-only, with an optional edit of its schema and rows.
    pub(crate) fn open(path: &Path, catalog: &Catalog, edit: Option<&Edit>) -> Result<Self> {
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        // Gold statements write strings in double quotes.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, true)?;
        connection.pragma_update(None, "temp_store", "memory")?;
        let mut catalog = catalog.clone();
        if let Some(edit) = edit {
            for sql in edit.statements(&catalog) {
                connection.execute_batch(&sql).with_context(|| sql.clone())?;
            }
            if !edit.apply(&mut catalog) {
                bail!("{} lacks what {edit:?} edits", path.display());
            }
        }
        let engine = Engine::new(Knowledge { catalog, ..Knowledge::default() });
        Self::limited(engine, connection)
    }

    /// A source whose statements are aborted after a number of steps.
    fn limited(engine: Engine, mut connection: Connection) -> Result<Self> {
        let looks = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&looks);
        let most = MOST_STEPS / STEPS.unsigned_abs() as usize;
        connection.progress_handler(
            STEPS,
            Some(move || counted.fetch_add(1, Ordering::Relaxed) > most),
        )?;
        Ok(Self { looks, ..Self::of(engine, Some(connection)) })
    }

    fn of(engine: Engine, connection: Option<Connection>) -> Self {
        Self {
            engine,
            connection,
            looks: Arc::default(),
            results: RefCell::default(),
            copy: OnceCell::default(),
        }
    }

    /// The same database with changed rows, made when it is first needed; `None` when it cannot be made.
    pub(crate) fn changed(&self) -> Option<&Self> {
        let make = || {
            let catalog = self.engine.catalog().clone();
            let copy = changed::copy(self.connection.as_ref()?, &catalog).ok()?;
            let engine = Engine::new(Knowledge { catalog, ..Knowledge::default() });
            Self::limited(engine, copy).ok().map(Box::new)
        };
        self.copy.get_or_init(make).as_deref()
    }

    /// A source of a database that a script creates.
    #[cfg(test)]
    pub(crate) fn in_memory(script: &str) -> Result<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(script)?;
        let mut catalog = Catalog { name: "test".to_owned(), ..Catalog::default() };
        let list = "SELECT m.name, c.name, c.pk \
                    FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'";
        for row in query(&connection, list)?.rows {
            let [Cell::Text(table), Cell::Text(column), key] = row.as_slice() else { continue };
            if catalog.tables.last().is_none_or(|last| last.name != *table) {
                catalog.tables.push(Table { name: table.clone(), ..Table::default() });
            }
            let Some(last) = catalog.tables.last_mut() else { continue };
            let name = column.clone();
            last.columns.push(Column { name, nullable: true, ..Column::default() });
            if matches!(key, Cell::Number(number) if *number > 0.0) {
                last.primary_key.push(column.clone());
            }
        }
        let list = "SELECT m.name, f.\"from\", f.\"table\", f.\"to\" \
                    FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS f";
        for row in query(&connection, list)?.rows {
            let [Cell::Text(table), Cell::Text(from), Cell::Text(other), Cell::Text(to)] =
                row.as_slice()
            else {
                continue;
            };
            catalog.foreign_keys.push(ForeignKey {
                from_table: table.clone(),
                from_columns: vec![from.clone()],
                to_table: other.clone(),
                to_columns: vec![to.clone()],
                inferred: false,
            });
        }
        let engine = Engine::new(Knowledge { catalog, ..Knowledge::default() });
        Ok(Self::of(engine, Some(connection)))
    }

    /// Rows of a statement written by the engine, checked by the guard; `None` when it cannot be executed.
    pub(crate) fn run(&self, sql: &str) -> Option<Rc<Rows>> {
        let dialect = Dialect::Sqlite;
        let checked = check_text(
            sql,
            dialect.into(),
            self.engine.catalog(),
            dialect,
            &GuardLimits::default(),
        );
        self.rows(checked.ok()?.sql())
    }

    /// Rows of a gold statement; `None` when it cannot be executed.
    pub(crate) fn rows(&self, sql: &str) -> Option<Rc<Rows>> {
        if let Some(known) = self.results.borrow().get(sql) {
            return known.clone();
        }
        let connection = self.connection.as_ref()?;
        self.looks.store(0, Ordering::Relaxed);
        let rows = query(connection, sql).ok().map(Rc::new);
        self.results.borrow_mut().insert(sql.to_owned(), rows.clone());
        rows
    }

    /// Whether the rows of a statement depend on the storage order.
    pub(crate) fn is_unsettled(&self, sql: &str) -> bool {
        let Some(connection) = self.connection.as_ref() else { return false };
        let Some(rows) = self.rows(sql) else { return false };
        let reverse = |on: bool| connection.pragma_update(None, "reverse_unordered_selects", on);
        if reverse(true).is_err() {
            return false;
        }
        self.looks.store(0, Ordering::Relaxed);
        let reversed = query(connection, sql);
        let back = reverse(false);
        let differs = |again: Rows| again.agreement(&rows) != Some(Agreement::Same);
        back.is_ok() && reversed.is_ok_and(differs)
    }

    /// Performs value searches as the proxy does; a failed search finds nothing.
    pub(crate) fn search(&self, searches: Vec<ValueSearch>) -> Vec<FoundValues> {
        searches
            .into_iter()
            .map(|search| {
                let values = self.values(&search).unwrap_or_default();
                FoundValues { search, values }
            })
            .collect()
    }

    fn values(&self, search: &ValueSearch) -> Option<Vec<String>> {
        let connection = self.connection.as_ref()?;
        let column = self.engine.catalog().column(&search.column)?;
        if column.sensitive {
            return None;
        }
        let text: String = search.text.trim().chars().take(SEARCH_LENGTH).collect();
        let text =
            text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let (column, table) = (quoted(&column.name), quoted(&search.column.table));
        let sql = format!(
            "SELECT DISTINCT CAST({column} AS TEXT) AS value FROM {table} \
             WHERE {column} LIKE ?1 ESCAPE '\\' \
             ORDER BY value LIKE ?2 ESCAPE '\\' DESC, value LIMIT ?3"
        );
        self.looks.store(0, Ordering::Relaxed);
        let mut statement = connection.prepare_cached(&sql).ok()?;
        let found = statement
            .query_map((format!("%{text}%"), format!("{text}%"), FOUND_VALUES), |row| row.get(0))
            .ok()?;
        found.collect::<rusqlite::Result<_>>().ok()
    }
}

fn query(connection: &Connection, sql: &str) -> Result<Rows> {
    let mut statement = connection.prepare(sql)?;
    if !statement.readonly() {
        bail!("it does not only read");
    }
    let width = statement.column_count();
    let mut rows = Rows { width, rows: Vec::new() };
    let mut read = statement.query(())?;
    while let Some(row) = read.next()? {
        if rows.rows.len() == MOST_ROWS {
            bail!("more than {MOST_ROWS} rows");
        }
        let cells = (0..width).map(|index| row.get_ref(index).map(cell));
        rows.rows.push(cells.collect::<rusqlite::Result<_>>()?);
    }
    Ok(rows)
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Number(value as f64),
        ValueRef::Real(value) => Cell::Number(value),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Cell::Text(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}
