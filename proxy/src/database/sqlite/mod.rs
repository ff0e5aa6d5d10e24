//! SQLite files, opened read-only with every other capability disabled.

mod authorizer;
mod failure;
mod file;
mod plan;
mod pool;
mod rows;
mod stream;
mod structure;
mod watch;

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_sql::{CheckedSql, Dialect};

use self::authorizer::Scope;
use self::failure::failure;
use self::file::STEPS;
pub use self::file::Sqlite;
use self::pool::{FileIdentity, WAIT, open};
pub(crate) use self::rows::refine_types;
use self::watch::{CancelOnDrop, Watch};
use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, LoginRisk, Plan, RunLimits,
    Turn, like_literal, quoted, quoted_table,
};

/// Timeout of a search for stored values.
const SEARCH: Duration = Duration::from_secs(2);
/// Timeout of planning a statement.
const PLAN: Duration = Duration::from_secs(2);

#[async_trait]
impl Database for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn address(&self) -> String {
        self.path.display().to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        let path = self.path.clone();
        let watch = Watch::new(Duration::from_secs(30));
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let read = tokio::task::spawn_blocking(move || {
            let mut connection = open(&path)?.connection;
            let clock = Arc::clone(&watch);
            connection
                .progress_handler(STEPS, Some(move || clock.is_over()))
                .map_err(|error| failure(&error, WAIT))?;
            structure::read(&connection, &watch, &path)
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        drop(cancel);
        let (catalog, stored) = read?;
        *self.scope.write().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(Scope::new(&catalog, stored));
        let sizes = catalog
            .tables
            .iter()
            .filter_map(|table| Some((table.name.to_lowercase(), f64::from(table.row_estimate?))));
        *self.sizes.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sizes.collect());
        Ok(catalog)
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        let path = self.path.clone();
        let writable = tokio::task::spawn_blocking(move || {
            FileIdentity::of(&path)?;
            // Opening for writing changes nothing; it tests permissions and mount options together.
            let opened = std::fs::OpenOptions::new().append(true).open(&path);
            Ok(opened.is_ok().then(|| path.display().to_string()))
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))??;
        Ok(writable
            .map(|path| LoginFinding::new(LoginRisk::FileIsWritable, "", &[path]))
            .into_iter()
            .collect())
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        let rows = run.map(|limits| limits.rows);
        let sizes = Arc::clone(&self.sizes.read().unwrap_or_else(PoisonError::into_inner));
        let statement = statement.clone();
        self.with_connection(turn, PLAN, move |connection| {
            plan::read(connection, &statement, rows, &sizes).map_err(|error| failure(&error, PLAN))
        })
        .await
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        stream::open(self, statement, limits, turn, stream::Cells).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        stream::open(self, statement, limits, turn, stream::Batches::default()).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let column = quoted(&column.name);
        let sql = format!(
            "SELECT DISTINCT CAST({column} AS TEXT) AS value FROM {} WHERE {column} IS NOT NULL ORDER BY value LIMIT ?1",
            quoted_table(table.schema.as_deref(), &table.name)
        );
        self.with_connection(turn, budget, move |connection| {
            let list = || {
                let mut statement = connection.prepare(&sql)?;
                let values = statement.query_map((limit,), |row| row.get::<_, String>(0))?;
                values.collect::<rusqlite::Result<Vec<String>>>()
            };
            list().map_err(|error| failure(&error, budget))
        })
        .await
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let column = quoted(&column.name);
        let sql = format!(
            "SELECT DISTINCT CAST({column} AS TEXT) AS value FROM {} \
             WHERE {column} LIKE ?1 ESCAPE '\\' \
             ORDER BY value LIKE ?2 ESCAPE '\\' DESC, value LIMIT ?3",
            quoted_table(table.schema.as_deref(), &table.name)
        );
        let text = like_literal(text);
        self.with_connection(turn, SEARCH, move |connection| {
            let search = || {
                let mut statement = connection.prepare(&sql)?;
                let rows = statement
                    .query_map((format!("%{text}%"), format!("{text}%"), limit), |row| {
                        row.get::<_, String>(0)
                    })?;
                rows.collect::<rusqlite::Result<Vec<String>>>()
            };
            search().map_err(|error| failure(&error, SEARCH))
        })
        .await
    }

    fn connections_in_use(&self) -> u32 {
        self.connections.saturating_sub(self.permits.available_permits() as u32)
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        let path = self.path.clone();
        tokio::task::spawn_blocking(move || {
            let connection = open(&path)?.connection;
            connection
                .query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))
                .map_err(|error| failure(&error, SEARCH))
        })
        .await
        .map_err(|error| DatabaseError::Unavailable(error.to_string()))?
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;
    use wherefore_engine::session::ResultSet;

    use super::*;
    use crate::connections::Peer;
    use crate::database::Turns;
    use crate::holder::Holder;

    #[expect(clippy::disallowed_methods, reason = "a test's own statements")]
    fn file_of(sql: &str) -> (tempfile::TempDir, Sqlite) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        (folder, Sqlite::new(path, 1))
    }

    fn file() -> (tempfile::TempDir, Sqlite) {
        file_of("CREATE TABLE seen (id); INSERT INTO seen VALUES (1); CREATE TABLE hidden (id);")
    }

    async fn run(database: &Sqlite, sql: &str) -> Result<ResultSet, DatabaseError> {
        let limits = RunLimits { timeout: Duration::from_secs(1), ..RunLimits::default() };
        stream::open_text(database, sql.to_owned(), limits, None, stream::Cells)
            .await?
            .collect()
            .await
    }

    #[tokio::test]
    async fn values_are_looked_up_where_no_key_is_declared() {
        let (_folder, database) = file_of(
            "CREATE TABLE depot (depot_id INTEGER, town TEXT);
             CREATE TABLE van (depot_id INTEGER, seats INTEGER);
             INSERT INTO depot VALUES (1, 'Ulm'), (2, 'Bonn'), (3, 'Kiel');
             INSERT INTO van VALUES (1, 2), (1, 3), (3, 5), (9, 2);",
        );
        let catalog = database.read_catalog().await.unwrap();
        let held: Vec<String> = catalog
            .containments
            .iter()
            .map(|held| {
                let (found, values) = (held.found, held.values);
                format!("{} in {}: {found}/{values}, {}", held.from, held.to, held.unique)
            })
            .collect();
        assert_eq!(held, ["van.depot_id in depot.depot_id: 2/3, true"]);
    }

    #[tokio::test]
    async fn what_the_guard_would_miss_is_refused_by_the_database() {
        let (_folder, database) = file();
        let mut catalog = database.read_catalog().await.unwrap();
        catalog.tables.retain(|table| table.name == "seen");
        let stored = ["seen", "hidden"].map(str::to_owned);
        *database.scope.write().unwrap() = Arc::new(Scope::new(&catalog, stored));
        for sql in [
            "DELETE FROM seen",
            "INSERT INTO seen VALUES (2)",
            "CREATE TABLE more (id)",
            "ATTACH DATABASE ':memory:' AS other",
            "PRAGMA query_only = 0",
            "BEGIN",
            "SELECT load_extension('x')",
            "SELECT id FROM hidden",
            "SELECT name FROM sqlite_schema",
            "SELECT name FROM pragma_table_info('seen')",
            "SELECT sqlite_version()",
        ] {
            let error = run(&database, sql).await.unwrap_err();
            assert!(matches!(error, DatabaseError::Refused(_)), "{sql}: {error}");
        }
        for sql in [
            "SELECT id FROM seen",
            "WITH cte AS (SELECT id FROM seen) SELECT id FROM cte",
            "SELECT value FROM json_each('[1]')",
        ] {
            run(&database, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    }

    #[tokio::test]
    async fn a_statement_that_cannot_be_interrupted_counts_for_its_caller_until_it_ends() {
        let (_folder, database) = file();
        let turns = Arc::new(Turns::new(2));
        let ann = Holder::Peer(Peer::default());
        let turn = turns.query(&ann).await.unwrap();
        let (release, held) = std::sync::mpsc::channel::<()>();
        let work = move |_: &mut Connection| {
            held.recv().ok();
            Ok(())
        };
        let waited = database.with_connection(Some(&turn), Duration::ZERO, work).await;
        assert_eq!(waited.unwrap_err(), DatabaseError::Timeout { seconds: 1 });
        drop(turn);
        assert_eq!(turns.query(&ann).await.unwrap_err(), DatabaseError::Overdue);
        assert_eq!((turns.overdue(), database.connections_in_use()), (1, 1));
        drop(release);
        while turns.overdue() > 0 {
            tokio::task::yield_now().await;
        }
        turns.query(&ann).await.unwrap();
    }

    #[tokio::test]
    async fn a_statement_without_an_end_is_stopped_and_the_connection_goes_on() {
        let (_folder, database) = file();
        *database.scope.write().unwrap() = Arc::new(Scope::new(&Catalog::default(), []));
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";
        assert_eq!(
            run(&database, endless).await.unwrap_err(),
            DatabaseError::Timeout { seconds: 1 }
        );
        run(&database, "SELECT 1").await.unwrap();
    }
}
