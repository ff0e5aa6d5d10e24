//! A CSV or TSV file that is too large for a copy in SQLite: served at once as a view of DuckDB over the file, and later from
//! a private DuckDB file that is made of it in the background.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::{Mutex, RwLock};
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_sql::{CheckedSql, Dialect, ReadDialect};

use super::limits::MOST_TOTAL_BYTES;
use super::names::table_name;
use super::read::Format;
use super::scratch::Scratch;
use super::{refused, scratch_failed};
use crate::database::adbc::{Adbc, ImportedTable, Stamp, TableContent, import_tables};
use crate::database::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Turn,
};

/// Delay before the file is copied, so that the copy does not slow down the first questions.
const PAUSE: Duration = Duration::from_secs(10);
/// Longest time of reading what the copy holds.
const READING: Duration = Duration::from_mins(1);
/// Bytes of the file from which the number of its rows is estimated.
const ESTIMATED: u64 = 1 << 20;

/// A large CSV or TSV file as a database.
pub struct LargeFile {
    path: PathBuf,
    table: ImportedTable,
    driver: Option<PathBuf>,
    scratch: Arc<Scratch>,
    view: Adbc,
    copy: Adbc,
    /// Time from the first reading of the file until it is copied.
    pause: Duration,
    /// What is read.
    source: RwLock<Source>,
    /// Held while the file is copied.
    copying: Mutex<()>,
}

/// What is read.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Source {
    /// The file.
    File,
    /// The copy of this content of the file.
    Copy(Stamp),
    /// The file, since this content of it cannot be copied.
    NoCopy(Stamp),
}

impl LargeFile {
    /// Whether a path names a CSV or TSV file with more bytes than are copied into SQLite.
    pub fn is_at(path: &Path) -> bool {
        let is_text = matches!(Format::of(path), Some(Format::Commas | Format::Tabs));
        let is_large = |it: std::fs::Metadata| it.is_file() && it.len() > MOST_TOTAL_BYTES;
        is_text && std::fs::metadata(path).is_ok_and(is_large)
    }

    /// The file at a path, which is opened on first use.
    pub fn new(
        path: impl Into<PathBuf>,
        driver: Option<&Path>,
        connections: u32,
    ) -> Result<Self, DatabaseError> {
        let path = path.into();
        let failed = |error: std::io::Error| refused(&scratch_failed(&path, &error));
        let scratch = Scratch::new().map_err(failed)?;
        // The name of the file can have wildcards.
        let link = scratch.beside("file.csv");
        let target = path.canonicalize().map_err(failed)?;
        std::os::unix::fs::symlink(target, &link).map_err(failed)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let table =
            ImportedTable { name: table_name(&stem), path: link, content: TableContent::Sniffed };
        Ok(Self {
            view: Adbc::duckdb_view(&path, &table, driver, connections),
            copy: Adbc::duckdb(scratch.tables(), driver, connections),
            table,
            path,
            driver: driver.map(Path::to_owned),
            scratch: Arc::new(scratch),
            pause: PAUSE,
            source: RwLock::new(Source::File),
            copying: Mutex::default(),
        })
    }

    /// What is read now: the copy, unless there is none or the file has changed since.
    async fn tables(&self) -> &Adbc {
        match &*self.source.read().await {
            Source::Copy(content) if Stamp::of_file(&self.path).as_ref() == Ok(content) => {
                &self.copy
            }
            _ => &self.view,
        }
    }

    /// Copies the file, unless it is or cannot be copied. Returns whether there is a copy.
    async fn copy(&self) -> bool {
        let _copying = self.copying.lock().await;
        let Ok(content) = Stamp::of_file(&self.path) else { return false };
        match &*self.source.read().await {
            Source::Copy(known) if *known == content => return true,
            Source::NoCopy(known) if *known == content => return false,
            _ => {}
        }
        tokio::time::sleep(self.pause).await;
        let next = self.scratch.beside("next.duckdb");
        drop(std::fs::remove_file(&next));
        let tables = std::slice::from_ref(&self.table);
        let copied = import_tables(self.driver.as_deref(), tables, &next).await;
        let copied = copied.map_err(|(_, error)| self.named(error).to_string());
        let renamed = || std::fs::rename(&next, self.scratch.tables());
        let source = match copied.and_then(|()| renamed().map_err(|error| error.to_string())) {
            // What was written while the file was read may be in the copy in part.
            Ok(()) if Stamp::of_file(&self.path).as_ref() != Ok(&content) => Source::File,
            Ok(()) => Source::Copy(content),
            Err(reason) => {
                tracing::warn!(reason, "a file is not copied, and read anew for each statement");
                drop(std::fs::remove_file(&next));
                Source::NoCopy(content)
            }
        };
        let is_copied = matches!(source, Source::Copy(_));
        *self.source.write().await = source;
        is_copied
    }

    /// The error with the path of the file instead of that of the link, and with a way out where there is no driver.
    fn named(&self, error: DatabaseError) -> DatabaseError {
        let (link, path) = (self.table.path.to_string_lossy(), self.path.to_string_lossy());
        match error {
            DatabaseError::Unavailable(text)
                if text.contains("is not installed") || text.contains("cannot be used") =>
            {
                DatabaseError::UnreadableFile(format!(
                    "{path}: files of more than {} MB are read by DuckDB: {text}; or load it into SQLite or \
                     PostgreSQL (files_too_large)",
                    MOST_TOTAL_BYTES / 1_000_000
                ))
            }
            DatabaseError::UnreadableFile(text) => {
                DatabaseError::UnreadableFile(text.replace(&*link, &path))
            }
            other => other,
        }
    }

    /// Number of rows by the length of the first.
    fn estimated_rows(&self) -> Option<u32> {
        let file = File::open(&self.path).ok()?;
        let bytes = file.metadata().ok()?.len();
        let mut first = Vec::new();
        file.take(ESTIMATED).read_to_end(&mut first).ok()?;
        let lines = first.split(|byte| *byte == b'\n').count() as u64;
        u32::try_from(bytes * lines / (first.len() as u64).max(1)).ok()
    }
}

#[async_trait]
impl Database for LargeFile {
    fn dialect(&self) -> Dialect {
        self.view.dialect()
    }

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        let read = self.view.read_structure().await;
        let mut catalog = read.map_err(|error| self.named(error))?;
        for table in &mut catalog.tables {
            table.kind = wherefore_engine::catalog::TableKind::Table;
            table.row_estimate = self.estimated_rows();
            self.view.read_sample(table).await?;
        }
        Ok(catalog)
    }

    fn reads_contents_apart(&self) -> bool {
        true
    }

    fn reads_contents_late(&self) -> bool {
        true
    }

    async fn read_contents(
        &self,
        tables: &mut [Table],
        _until: Instant,
    ) -> Result<(), DatabaseError> {
        if !self.copy().await {
            return Ok(());
        }
        for table in tables.iter_mut() {
            for column in &mut table.columns {
                column.values = None;
            }
        }
        self.copy.read_contents(tables, Instant::now() + READING).await
    }

    async fn read_containments(
        &self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
        until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        match &*self.source.read().await {
            Source::Copy(_) => self.copy.read_containments(catalog, pairs, until).await,
            _ => Ok(Vec::new()),
        }
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        // Only the own copy is ever written.
        Ok(Vec::new())
    }

    fn server_dialect(&self) -> ReadDialect {
        self.view.server_dialect()
    }

    async fn native_sql(&self, statement: &CheckedSql) -> Result<Option<String>, DatabaseError> {
        self.tables().await.native_sql(statement).await
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        self.tables().await.plan(statement, run, turn).await
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        self.tables().await.open_cells(statement, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        self.tables().await.open_record_batches(statement, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.tables().await.list_values(table, column, limit, budget, turn).await
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.tables().await.search_values(table, column, text, limit, turn).await
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        self.tables().await.ping().await.map_err(|error| self.named(error))
    }

    fn connections_in_use(&self) -> u32 {
        self.view.connections_in_use() + self.copy.connections_in_use()
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::{Coverage, DataType};

    use super::*;
    use crate::database::adbc::duckdb::library;

    const MINUTE: Duration = Duration::from_mins(1);

    /// A file in a folder, served by the driver of the tests, and copied without a pause.
    fn served(content: &str) -> Option<(LargeFile, tempfile::TempDir)> {
        let driver = library()?;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sales.csv");
        std::fs::write(&path, content).unwrap();
        let mut file = LargeFile::new(path, Some(&driver), 2).unwrap();
        file.pause = Duration::ZERO;
        Some((file, folder))
    }

    fn coverage(table: &Table, column: usize) -> Coverage {
        table.columns[column].values.as_ref().unwrap().coverage
    }

    // Promise: files.large
    #[tokio::test]
    async fn a_file_is_served_as_a_view_and_then_from_its_copy() {
        let rows = "1,open,2024-05-01,12.50\n2,sent,2024-05-02,3.00\n";
        let Some((file, _folder)) = served(&format!("id,status,day,price\n{rows}")) else { return };
        let mut catalog = file.read_structure().await.unwrap();
        let table = &catalog.tables[0];
        assert_eq!((table.name.as_str(), coverage(table, 1)), ("sales", Coverage::Partial));
        let types: Vec<DataType> = table.columns.iter().map(|column| column.data_type).collect();
        let expected = [DataType::Integer, DataType::Text, DataType::Date, DataType::Number];
        assert_eq!(types, expected);
        assert!(std::ptr::eq(file.tables().await, &raw const file.view));
        file.read_contents(&mut catalog.tables, Instant::now() + MINUTE).await.unwrap();
        assert!(std::ptr::eq(file.tables().await, &raw const file.copy));
        let table = &catalog.tables[0];
        assert_eq!((table.row_estimate, coverage(table, 1)), (Some(2), Coverage::Complete));
        assert_eq!(table.columns[0].maximum.as_deref(), Some("2"));
        let values = |budget| file.list_values(table, &table.columns[1], 10, budget, None);
        assert_eq!(values(MINUTE).await.unwrap(), ["open", "sent"]);
        // The copy is of what the file was.
        std::fs::write(&file.path, "id,status,day,price\n7,late,2024-05-03,1.00\n").unwrap();
        assert_eq!(values(MINUTE).await.unwrap(), ["late"]);
        assert!(std::ptr::eq(file.tables().await, &raw const file.view));
    }

    // Promise: files.large
    #[tokio::test]
    async fn a_file_is_copied_once_for_all_who_wait_for_its_copy() {
        let Some((file, _folder)) = served("id,status\n1,open\n2,sent\n") else { return };
        let copied = tokio::join!(file.copy(), file.copy(), file.copy());
        assert_eq!(copied, (true, true, true));
        assert!(matches!(*file.source.read().await, Source::Copy(_)));
    }

    // Promise: files.large
    #[tokio::test]
    async fn a_file_that_cannot_be_copied_stays_a_view() {
        // The types are those of the first 20,480 rows.
        let rows = "7,1\n".repeat(300_000);
        let Some((file, _folder)) = served(&format!("id,price\n{rows}300000,many\n")) else {
            return;
        };
        let mut catalog = file.read_structure().await.unwrap();
        file.read_contents(&mut catalog.tables, Instant::now() + MINUTE).await.unwrap();
        assert!(matches!(*file.source.read().await, Source::NoCopy(_)));
        assert!(std::ptr::eq(file.tables().await, &raw const file.view));
    }

    #[tokio::test]
    async fn without_the_driver_the_error_says_how_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sales.csv");
        std::fs::write(&path, "id\n1\n").unwrap();
        let file = LargeFile::new(&path, Some(Path::new("/no/libduckdb.so")), 1).unwrap();
        let error = file.ping().await.unwrap_err().to_string();
        for words in ["sales.csv", "200 MB", "@duckdb/node-bindings", "files_too_large"] {
            assert!(error.contains(words), "{words} is missing in: {error}");
        }
    }
}
