//! Files as tables: CSV, TSV and XLSX files, copied into a private SQLite file that is served read-only.

mod dates;
mod delimiter;
mod encoding;
mod error;
mod header;
#[cfg(unix)]
mod large;
mod limits;
mod load;
mod names;
mod numbers;
#[cfg(unix)]
mod parquet;
#[cfg(unix)]
mod plain_copy;
mod read;
mod records;
mod scratch;
mod survey;
mod types;
mod workbook;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Mutex;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_sql::{CheckedSql, Dialect};

#[cfg(unix)]
pub use self::large::LargeFile;
#[cfg(unix)]
pub use self::parquet::Parquet;

use self::error::{Fault, FileError, Located};
use self::load::TableNote;
use self::read::{Format, Source, sources};
use self::scratch::Scratch;
use crate::database::sqlite::Sqlite;
use crate::database::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Turn,
};

/// CSV, TSV and XLSX files as a database: one file, or all in a folder.
pub struct Files {
    path: PathBuf,
    scratch: Arc<Scratch>,
    sqlite: Sqlite,
    /// The files that the tables were read from.
    current: Mutex<Vec<Source>>,
    /// What was noted about the tables when they were read.
    notes: Mutex<Vec<TableNote>>,
    is_loaded: AtomicBool,
}

impl Files {
    /// Whether a path names a file of tables or a folder.
    pub fn has_tables(path: &Path) -> bool {
        Format::of(path).is_some() || path.is_dir()
    }

    /// The files at a path, which are read on first use.
    pub fn new(path: impl Into<PathBuf>, connections: u32) -> Result<Self, DatabaseError> {
        let path = path.into();
        let scratch = Scratch::new().map_err(|error| refused(&scratch_failed(&path, &error)))?;
        Ok(Self {
            sqlite: Sqlite::new(scratch.tables(), connections),
            path,
            scratch: Arc::new(scratch),
            current: Mutex::default(),
            notes: Mutex::default(),
            is_loaded: AtomicBool::new(false),
        })
    }

    /// Reads the files, if they have changed since they were last read.
    async fn refresh(&self) -> Result<(), DatabaseError> {
        let mut current = self.current.lock().await;
        let (path, scratch, before) =
            (self.path.clone(), Arc::clone(&self.scratch), current.clone());
        let read = tokio::task::spawn_blocking(move || -> Result<_, FileError> {
            let found = sources(&path)?;
            let mut notes = None;
            if found != before {
                scratch
                    .replace(|next| {
                        notes = Some(load::load(&found, next).map_err(ReplaceError::File)?);
                        Ok(())
                    })
                    .map_err(|error| match error {
                        ReplaceError::File(error) => error,
                        ReplaceError::Scratch(error) => scratch_failed(&path, &error),
                    })?;
            }
            Ok((found, notes))
        });
        // Only a defect of a library that reads workbooks ends the task early.
        let read = read.await.map_err(|_| {
            let fault = Fault::Workbook("its content is invalid".to_owned());
            refused(&Located::from(fault).within(&self.path, None))
        })?;
        let (found, notes) = read.map_err(|error| refused(&error))?;
        *current = found;
        if let Some(notes) = notes {
            *self.notes.lock().await = notes;
        }
        self.is_loaded.store(true, Ordering::Release);
        Ok(())
    }

    /// The tables, once they are read.
    fn tables(&self) -> Result<&Sqlite, DatabaseError> {
        if self.is_loaded.load(Ordering::Acquire) {
            Ok(&self.sqlite)
        } else {
            Err(DatabaseError::Unavailable(format!("{} is not read yet", self.path.display())))
        }
    }
}

/// Why the scratch file was not replaced.
enum ReplaceError {
    File(FileError),
    Scratch(std::io::Error),
}

impl From<std::io::Error> for ReplaceError {
    fn from(error: std::io::Error) -> Self {
        Self::Scratch(error)
    }
}

fn scratch_failed(path: &Path, error: &std::io::Error) -> FileError {
    Located::from(Fault::Scratch(error.to_string())).within(path, None)
}

/// A file that is missing may come back; what is wrong with its content does not change by itself.
fn refused(error: &FileError) -> DatabaseError {
    match error.fault {
        Fault::Missing => DatabaseError::Unavailable(error.to_string()),
        _ => DatabaseError::UnreadableFile(error.to_string()),
    }
}

#[async_trait]
impl Database for Files {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        self.refresh().await?;
        let mut catalog = self.tables()?.read_structure().await?;
        let name = self.path.file_stem().or(self.path.file_name()).unwrap_or_default();
        catalog.name = name.to_string_lossy().into_owned();
        load::describe(&mut catalog, &self.notes.lock().await);
        Ok(catalog)
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        // Only the copy is opened, which belongs to this process alone.
        Ok(Vec::new())
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
        self.sqlite.ping().await
    }

    fn connections_in_use(&self) -> u32 {
        self.sqlite.connections_in_use()
    }
}
