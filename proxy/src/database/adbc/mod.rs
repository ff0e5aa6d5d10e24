//! Databases that are reached by an ADBC driver: a library, which runs in a process of its own.
//!
//! Statements are checked in PostgreSQL's dialect, as catalogs of such a database say, and are translated when they are
//! sent; see [`CheckedSql::for_duckdb`] and [`CheckedSql::for_spark`]. A [`Profile`](profile::Profile) says what is special about an engine.

mod address;
mod catalog;
mod child;
mod columnar;
mod connections;
mod described;
mod host;
mod import;
mod library;
mod place;
mod pool;
mod profile;
mod read;
mod rows;
mod running;
mod stream;
mod structure;
mod times;
mod unusable;
mod wire;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_sql::{CheckedSql, Dialect, NativeSql, ReadDialect};

pub(crate) use address::{AddressFault, DriverAddress, allowed_options};
pub use child::COMMAND;
pub use host::run as run_driver;
pub(crate) use import::{ImportedTable, TableContent, import_tables};
pub(crate) use place::Stamp;
pub use pool::Adbc;
pub(crate) use profile::is_duckdb;

use super::{
    ArrowStream, CellStream, Database, DatabaseAddress, DatabaseError, LoginFinding, LoginRisk,
    Plan, RunLimits, Turn, like_literal,
};
use place::{Place, View};
use profile::{Profile, Syntax};

/// Timeout of planning a statement.
const PLAN: Duration = Duration::from_secs(2);

impl Adbc {
    /// A DuckDB file, with the library of the driver or, if none is given, the driver that is installed.
    pub fn duckdb(path: impl Into<PathBuf>, driver: Option<&Path>, connections: u32) -> Self {
        Self::with(&profile::DUCKDB, Place::File(path.into()), driver, connections)
    }

    /// A text file as a view of DuckDB, opened by the path of the table.
    pub(crate) fn duckdb_view(
        file: &Path,
        table: &ImportedTable,
        driver: Option<&Path>,
        connections: u32,
    ) -> Self {
        let view = View { file: file.to_owned(), table: table.clone() };
        Self::with(&profile::DUCKDB, Place::View(view), driver, connections)
    }

    /// A server of Sail, with the library of the driver or, if none is given, the driver that is installed.
    pub fn sail(address: &DatabaseAddress, driver: Option<&Path>, connections: u32) -> Self {
        Self::with(&profile::SAIL, Place::Server(address.clone()), driver, connections)
    }

    /// A server of Apache Spark, with the library of the driver or, if none is given, the driver that is installed.
    pub fn spark(address: &DatabaseAddress, driver: Option<&Path>, connections: u32) -> Self {
        Self::with(&profile::SPARK, Place::Server(address.clone()), driver, connections)
    }

    /// The database of an address with a profile.
    pub(crate) fn at(address: DriverAddress, connections: u32) -> Self {
        let DriverAddress { profile, driver, place, options } = address;
        let mut database = Self::with(profile, place, Some(Path::new(&driver)), connections);
        database.extra = options;
        database
    }

    /// Lists values of the first rows of a table, as a part of all values.
    pub(crate) async fn read_sample(&self, table: &mut Table) -> Result<(), DatabaseError> {
        catalog::read_sample(self, table).await
    }

    /// Name of a table in quotes, with its schema.
    fn table_name(&self, table: &Table) -> String {
        let quoted = self.profile.syntax.name;
        match &table.schema {
            Some(schema) => format!("{}.{}", quoted(schema), quoted(&table.name)),
            None => quoted(&table.name),
        }
    }

    /// The statement in the dialect of the engine.
    async fn translated(&self, statement: &CheckedSql) -> Result<NativeSql, DatabaseError> {
        let known = catalog::known(self).await?;
        (self.profile.translate)(statement, &known)
            .map_err(|fault| DatabaseError::Refused(fault.message))
    }
}

/// A statement as a part of another, which can only be a query, with one row more than is wanted.
fn within(profile: &Profile, sql: &str, rows: Option<u32>) -> String {
    (profile.syntax.within)(sql, rows.map(|rows| u64::from(rows) + 1))
}

#[async_trait]
impl Database for Adbc {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn address(&self) -> String {
        self.place.to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        catalog::read_structure(self).await
    }

    fn reads_contents_apart(&self) -> bool {
        true
    }

    async fn read_contents(
        &self,
        tables: &mut [Table],
        until: Instant,
    ) -> Result<(), DatabaseError> {
        catalog::read_contents(self, tables, until).await
    }

    async fn read_containments(
        &self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
        until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        catalog::read_containments(self, catalog, pairs, until).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        let path = match &self.place {
            Place::File(path) => path.clone(),
            Place::View(_) => {
                self.ping().await?;
                return Ok(Vec::new());
            }
            Place::Server(address) => {
                self.ping().await?;
                let server = address.to_string();
                return Ok(vec![LoginFinding::new(LoginRisk::LoginIsUnchecked, "", &[server])]);
            }
        };
        let opened = tokio::task::spawn_blocking(move || {
            // Opening for writing changes nothing; it tests permissions and mount options together.
            let opened = std::fs::OpenOptions::new().append(true).open(&path);
            opened.is_ok().then(|| path.display().to_string())
        });
        let writable =
            opened.await.map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        self.ping().await?;
        let finding = |path| LoginFinding::new(LoginRisk::FileIsWritable, "", &[path]);
        Ok(writable.map(finding).into_iter().collect())
    }

    fn server_dialect(&self) -> ReadDialect {
        self.profile.dialect
    }

    async fn native_sql(&self, statement: &CheckedSql) -> Result<Option<String>, DatabaseError> {
        Ok(Some(self.translated(statement).await?.sql().to_owned()))
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        let native = self.translated(statement).await?;
        let Some(explained) = &self.profile.explained else { return Ok(Plan::default()) };
        let limit = run.map(|limits| limits.rows);
        let sql = (explained.statement)(&within(self.profile, native.sql(), limit));
        let rows = self.texts(&sql, Vec::new(), PLAN, turn).await?;
        let text = rows.first().and_then(|row| row.last().cloned().flatten());
        Ok(text.map(|text| (explained.plan)(&text, run.is_some())).unwrap_or_default())
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        let native = self.translated(statement).await?;
        stream::open::<stream::Cells>(self, native, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        let native = self.translated(statement).await?;
        stream::open::<stream::Batches>(self, native, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let Syntax { name: quoted, text, .. } = self.profile.syntax;
        let (name, from) = (quoted(&column.name), self.table_name(table));
        let sql = format!(
            "SELECT DISTINCT CAST({name} AS {text}) AS value FROM {from} WHERE {name} IS NOT NULL \
             ORDER BY value LIMIT {limit}"
        );
        Ok(catalog::firsts(self.texts(&sql, Vec::new(), budget, turn).await?))
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let Syntax { name: quoted, text: kind, literal, escape, .. } = self.profile.syntax;
        let (name, from) = (quoted(&column.name), self.table_name(table));
        let wanted = like_literal(text);
        let mut values = vec![format!("%{wanted}%"), format!("{wanted}%")];
        let [inside, first] = match literal {
            Some(literal) => [literal(&values[0]), literal(&values[1])],
            None => ["?".to_owned(), "?".to_owned()],
        };
        if literal.is_some() {
            values.clear();
        }
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT CAST({name} AS {kind}) AS value FROM {from}) AS found \
             WHERE value ILIKE {inside}{escape} ORDER BY value ILIKE {first}{escape} DESC, value LIMIT {limit}"
        );
        Ok(catalog::firsts(self.texts(&sql, values, self.profile.small, turn).await?))
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        // A process that has ended because it was not needed is not started for this.
        if self.is_known_good().await? {
            return Ok(());
        }
        match self.texts("SELECT 1", Vec::new(), self.profile.small, None).await {
            Err(DatabaseError::Timeout { seconds }) => Err(DatabaseError::Unavailable(format!(
                "it did not respond within {seconds} s; a server that has just started may need longer"
            ))),
            answered => answered.map(drop),
        }
    }

    fn connections_in_use(&self) -> u32 {
        self.in_flight()
    }
}

#[cfg(test)]
#[path = "../../../tests/suite/support/duckdb.rs"]
#[expect(dead_code, unreachable_pub, reason = "shared with the tests of the whole proxy")]
pub(crate) mod duckdb;

#[cfg(test)]
mod tests {
    use super::duckdb::DuckDb;
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    // Promise: dialects.duckdb-read-only
    #[tokio::test]
    async fn what_the_guard_would_miss_changes_nothing() {
        let Some(file) = DuckDb::new("CREATE TABLE kept (id INTEGER)") else { return };
        let before = std::fs::read(&file.path).unwrap();
        let stolen = file.folder.path().join("stolen");
        let database = Adbc::duckdb(&file.path, Some(&file.driver), 1);
        for sql in [
            "INSERT INTO kept VALUES (1)",
            "DROP TABLE kept",
            "CREATE TABLE other (id INTEGER)",
            "ATTACH 'STOLEN'",
            "COPY kept TO 'STOLEN'",
            "EXPORT DATABASE 'STOLEN'",
            "SELECT * FROM read_csv('/etc/hostname')",
            "SELECT content FROM read_text('/etc/hostname')",
            "SELECT * FROM '/etc/hostname'",
            "SELECT * FROM glob('/*')",
            "SET enable_external_access = true",
            "RESET lock_configuration",
            "INSTALL httpfs",
            "LOAD httpfs",
        ] {
            let sql = sql.replace("STOLEN", &stolen.to_string_lossy());
            for sent in [within(database.profile, &sql, None), sql] {
                let error = database.texts(&sent, Vec::new(), MINUTE, None).await.unwrap_err();
                assert!(matches!(error, DatabaseError::Statement { .. }), "{sent}: {error:?}");
            }
        }
        for sql in [
            "SELECT 1; SELECT 2",
            "SELECT 1) AS a; DROP TABLE kept; SELECT * FROM (SELECT 1",
            "CREATE TEMP TABLE other (id INTEGER)",
            "PRAGMA database_list",
            "CHECKPOINT",
        ] {
            let sent = within(database.profile, sql, None);
            database.texts(&sent, Vec::new(), MINUTE, None).await.unwrap_err();
        }
        assert_eq!(std::fs::read(&file.path).unwrap(), before);
        assert!(!stolen.exists());
    }

    // Promise: files.large-read-only
    #[tokio::test]
    async fn a_view_of_a_file_reads_no_other_file_and_writes_none() {
        let Some(driver) = duckdb::library() else { return };
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a*b.csv"), folder.path().join("file.csv"));
        let (other, stolen) = (folder.path().join("other.csv"), folder.path().join("stolen"));
        let content = "id,name\n1,Ada\n2,Bo\n";
        std::fs::write(&file, content).unwrap();
        std::fs::write(&other, content).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let content_of = TableContent::Sniffed;
        let table =
            ImportedTable { name: "people".to_owned(), path: link.clone(), content: content_of };
        let database = Adbc::duckdb_view(&file, &table, Some(&driver), 1);
        let rows = database.texts("SELECT name FROM people", Vec::new(), MINUTE, None).await;
        assert_eq!(catalog::firsts(rows.unwrap()), ["Ada", "Bo"]);
        for sql in [
            "SELECT * FROM read_csv('OTHER')",
            "SELECT * FROM 'OTHER'",
            "SELECT * FROM read_text('/etc/hostname')",
            "SELECT * FROM glob('/*')",
            "COPY people TO 'STOLEN'",
            "ATTACH 'STOLEN'",
            "EXPORT DATABASE 'STOLEN'",
            "SET allowed_paths = ['OTHER']",
            "SET enable_external_access = true",
            "RESET lock_configuration",
        ] {
            let sql = sql.replace("OTHER", &other.to_string_lossy());
            let sql = sql.replace("STOLEN", &stolen.to_string_lossy());
            for sent in [within(database.profile, &sql, None), sql] {
                let error = database.texts(&sent, Vec::new(), MINUTE, None).await.unwrap_err();
                assert!(matches!(error, DatabaseError::Statement { .. }), "{sent}: {error:?}");
            }
        }
        // The file itself is allowed, so that only the form of a query keeps it from being written.
        let copy = format!("COPY (SELECT 1) TO '{}'", link.display());
        let sent = within(database.profile, &copy, None);
        database.texts(&sent, Vec::new(), MINUTE, None).await.unwrap_err();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
        assert!(!stolen.exists());
    }
}
