//! Parquet files as tables, and the CSV, TSV and XLSX files beside them, copied into a private DuckDB file that is served
//! read-only.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use tokio::sync::Mutex;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_sql::{CheckedSql, Dialect, ReadDialect};

use super::limits::MOST_TABLES;
use super::load::{TableNote, describe};
use super::names::{Names, table_name};
use super::read::sources_in;
use super::scratch::Scratch;
use super::{plain_copy, read, refused};
use crate::database::adbc::{Adbc, ImportedTable, TableContent, import_tables};
use crate::database::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Turn,
};

/// Parquet files as a database: one file, or all in a folder, with the CSV, TSV and XLSX files in it.
pub struct Parquet {
    path: PathBuf,
    driver: Option<PathBuf>,
    scratch: Arc<Scratch>,
    tables: Adbc,
    /// The files that the tables were read from.
    current: Mutex<Sources>,
    /// What was noted about tables of CSV, TSV and XLSX files when they were read.
    notes: Mutex<Vec<TableNote>>,
    is_loaded: AtomicBool,
}

/// The files of a database.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Sources {
    parquet: Vec<Source>,
    /// CSV, TSV and XLSX files in the same folder.
    others: Vec<read::Source>,
}

/// A Parquet file. Two that are equal have the same content.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Source {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Parquet {
    /// Whether a path names a Parquet file, or a folder with one.
    pub fn has_tables(path: &Path) -> bool {
        is_parquet(path)
            || std::fs::read_dir(path)
                .is_ok_and(|entries| entries.flatten().any(|entry| is_parquet(&entry.path())))
    }

    /// The files at a path, which are read on first use.
    pub fn new(
        path: impl Into<PathBuf>,
        driver: Option<&Path>,
        connections: u32,
    ) -> Result<Self, DatabaseError> {
        let scratch = Scratch::new().map_err(|error| scratch_failed(&error))?;
        Ok(Self {
            path: path.into(),
            driver: driver.map(Path::to_owned),
            tables: Adbc::duckdb(scratch.tables(), driver, connections),
            scratch: Arc::new(scratch),
            current: Mutex::default(),
            notes: Mutex::default(),
            is_loaded: AtomicBool::new(false),
        })
    }

    /// Reads the files, if they have changed since they were last read.
    async fn refresh(&self) -> Result<(), DatabaseError> {
        let mut current = self.current.lock().await;
        let (path, driver, scratch, before) =
            (self.path.clone(), self.driver.clone(), Arc::clone(&self.scratch), current.clone());
        let read = tokio::task::spawn_blocking(move || {
            let found = sources(&path)?;
            let mut notes = None;
            if found != before {
                let load = |next: &Path| {
                    notes = Some(load(&found, driver.as_deref(), next)?);
                    Ok(())
                };
                scratch.replace(load).map_err(|error: ReplaceError| error.0)?;
            }
            Ok::<_, DatabaseError>((found, notes))
        });
        let read = read.await.map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        let (found, notes) = read?;
        *current = found;
        if let Some(notes) = notes {
            *self.notes.lock().await = notes;
        }
        self.is_loaded.store(true, Ordering::Release);
        Ok(())
    }

    /// The tables, once they are read.
    fn tables(&self) -> Result<&Adbc, DatabaseError> {
        if self.is_loaded.load(Ordering::Acquire) {
            Ok(&self.tables)
        } else {
            Err(DatabaseError::Unavailable(format!("{} is not read yet", self.path.display())))
        }
    }
}

/// Why the scratch file was not replaced.
struct ReplaceError(DatabaseError);

impl From<std::io::Error> for ReplaceError {
    fn from(error: std::io::Error) -> Self {
        Self(scratch_failed(&error))
    }
}

fn scratch_failed(error: &std::io::Error) -> DatabaseError {
    DatabaseError::Unavailable(format!("cannot write the copy of the tables: {error}"))
}

fn is_parquet(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    !is_hidden && path.extension().is_some_and(|it| it.eq_ignore_ascii_case("parquet"))
}

/// The file at a path, or all Parquet files in the folder at it, in the order of their names.
fn sources(path: &Path) -> Result<Sources, DatabaseError> {
    let failed = |path: &Path, error: &std::io::Error| {
        DatabaseError::Unavailable(format!("{}: {error}", path.display()))
    };
    let unreadable = |path: &Path, what: &str| {
        Err(DatabaseError::UnreadableFile(format!("{}: {what}", path.display())))
    };
    let metadata = std::fs::metadata(path).map_err(|error| failed(path, &error))?;
    let mut paths = vec![path.to_owned()];
    if metadata.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| failed(path, &error))?;
        paths = entries.flatten().map(|entry| entry.path()).filter(|it| is_parquet(it)).collect();
        paths.sort();
    }
    if paths.is_empty() || paths.len() > MOST_TABLES {
        return unreadable(path, &format!("the folder must have 1 to {MOST_TABLES} Parquet files"));
    }
    let others = if metadata.is_dir() { sources_in(path) } else { Ok(Vec::new()) };
    let others = others.map_err(|error| refused(&error))?;
    let mut parquet = Vec::new();
    for file in paths {
        let metadata = std::fs::symlink_metadata(&file).map_err(|error| failed(&file, &error))?;
        // In a folder, a link could lead to any file; opening a pipe would wait for its other end.
        let is_link = metadata.is_symlink() && file != path;
        let metadata = std::fs::metadata(&file).map_err(|error| failed(&file, &error))?;
        if is_link || !metadata.is_file() {
            return unreadable(&file, "it is a link or no regular file");
        }
        let (bytes, modified) = (metadata.len(), metadata.modified().ok());
        parquet.push(Source { path: file, bytes, modified });
    }
    Ok(Sources { parquet, others })
}

/// Copies the files into a new DuckDB file. Returns what was noted about them.
fn load(
    sources: &Sources,
    driver: Option<&Path>,
    next: &Path,
) -> Result<Vec<TableNote>, ReplaceError> {
    // DuckDB makes the file itself; nobody else can enter the folder.
    std::fs::remove_file(next)?;
    let folder = tempfile::tempdir_in(next.parent().unwrap_or(next))?;
    let mut names = Names::default();
    let mut tables = Vec::new();
    for (place, source) in sources.parquet.iter().enumerate() {
        // The name of a file can have wildcards.
        let path = folder.path().join(format!("{place}.parquet"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(source.path.canonicalize()?, &path)?;
        let stem = source.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = names.unique(&table_name(&stem), &format!("table_{}", place + 1));
        tables.push(ImportedTable { name, path, content: TableContent::Parquet });
    }
    let others = plain_copy::copy(&sources.others, &mut names, folder.path());
    let (others, notes) = others.map_err(|error| ReplaceError(refused(&error)))?;
    tables.extend(others);
    let import = import_tables(driver, &tables, next);
    tokio::runtime::Handle::current().block_on(import).map_err(|(place, error)| {
        ReplaceError(
            match place.and_then(|place| Some((sources.parquet.get(place)?, tables.get(place)?))) {
                Some((source, table)) => {
                    let (link, path) =
                        (table.path.to_string_lossy(), source.path.to_string_lossy());
                    let message = error.to_string().replace(&*link, &path);
                    // What follows is the statement.
                    let message = message.lines().next().unwrap_or_default();
                    if let Some(told) = damaged(&path, message) {
                        return ReplaceError(DatabaseError::UnreadableFile(told));
                    }
                    let named = if message.contains(&*path) {
                        message.to_owned()
                    } else {
                        format!("{path}: {message}")
                    };
                    DatabaseError::UnreadableFile(named)
                }
                None => error,
            },
        )
    })?;
    Ok(notes)
}

/// What is wrong with a Parquet file that has no end or no valid description, from the message of DuckDB.
fn damaged(path: &str, message: &str) -> Option<String> {
    let words = [
        "No magic bytes found",
        "too small to be a Parquet file",
        "Footer length error",
        "TProtocolException",
    ];
    words.iter().any(|words| message.contains(words)).then(|| {
        format!(
            "{path}: the Parquet file is cut off, or is none ({message}); write or copy it again"
        )
    })
}

#[async_trait]
impl Database for Parquet {
    fn dialect(&self) -> Dialect {
        self.tables.dialect()
    }

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        self.refresh().await?;
        let mut catalog = self.tables()?.read_structure().await?;
        let name = self.path.file_stem().or(self.path.file_name()).unwrap_or_default();
        catalog.name = name.to_string_lossy().into_owned();
        describe(&mut catalog, &self.notes.lock().await);
        Ok(catalog)
    }

    fn reads_contents_apart(&self) -> bool {
        self.tables.reads_contents_apart()
    }

    async fn read_contents(
        &self,
        tables: &mut [Table],
        until: Instant,
    ) -> Result<(), DatabaseError> {
        self.tables()?.read_contents(tables, until).await
    }

    async fn read_containments(
        &self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
        until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        self.tables()?.read_containments(catalog, pairs, until).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        // Only the copy is opened, which belongs to this process alone.
        Ok(Vec::new())
    }

    fn server_dialect(&self) -> ReadDialect {
        self.tables.server_dialect()
    }

    async fn native_sql(&self, statement: &CheckedSql) -> Result<Option<String>, DatabaseError> {
        self.tables()?.native_sql(statement).await
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        self.tables()?.plan(statement, run, turn).await
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        self.tables()?.open_cells(statement, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        self.tables()?.open_record_batches(statement, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.tables()?.list_values(table, column, limit, budget, turn).await
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.tables()?.search_values(table, column, text, limit, turn).await
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        if !self.is_loaded.load(Ordering::Acquire) {
            self.refresh().await?;
        }
        self.tables.ping().await
    }

    fn connections_in_use(&self) -> u32 {
        self.tables.connections_in_use()
    }
}
