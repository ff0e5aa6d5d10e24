//! MySQL and MariaDB, read in read-only transactions that are always rolled back.
//!
//! Statements are checked in PostgreSQL's dialect, as catalogs of such a database say, and are translated when they are
//! sent; see [`CheckedSql::for_mysql`].

mod catalog;
mod failure;
mod form;
mod grants;
mod lease;
mod login;
mod options;
mod overdue;
mod plan;
mod pool;
mod quoting;
mod rows;
mod server;
mod stream;
mod structure;
mod types;

use std::time::Duration;

use async_trait::async_trait;
use mysql_async::Row;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_sql::{CheckedSql, Dialect, NativeSql, ReadDialect};

use lease::SEARCH;
pub use pool::Mysql;
use quoting::{quoted, text};

use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Turn,
    like_literal,
};

/// Timeout of planning a statement.
const PLAN: Duration = Duration::from_secs(2);

impl Mysql {
    /// The statement in the dialect of the server.
    async fn translated(&self, statement: &CheckedSql) -> Result<NativeSql, DatabaseError> {
        let known = catalog::known(self).await?;
        statement
            .for_mysql(&known.catalog, known.server)
            .map_err(|fault| DatabaseError::Refused(fault.message))
    }
}

#[async_trait]
impl Database for Mysql {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn address(&self) -> String {
        self.address.to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        catalog::read(self).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        login::check(self).await
    }

    fn server_dialect(&self) -> ReadDialect {
        ReadDialect::Mysql
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
        let stored = statement.output_columns().iter().all(|column| column.source.is_some());
        let statement = self.translated(statement).await?;
        let mut lease = self.begin_for(turn, PLAN, run.map(|limits| limits.rows)).await?;
        let found = lease.query(&plan::explained(statement.sql()), ()).await?;
        lease.finish().await;
        let stops = run.is_some() && stored;
        Ok(texts(found).first().map(|text| plan::read(text, stops)).unwrap_or_default())
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        let statement = self.translated(statement).await?;
        stream::open::<form::Cells>(self, statement, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        let statement = self.translated(statement).await?;
        stream::open::<form::Batches>(self, statement, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let mut lease = self.begin_for(turn, budget, None).await?;
        let sql = format!(
            "SELECT DISTINCT {} AS value FROM {} WHERE {} IS NOT NULL ORDER BY value LIMIT ?",
            text(&column.name, lease.server().exact_collation()),
            quoted(&table.name),
            quoted(&column.name)
        );
        let rows = lease.query(&sql, (limit,)).await?;
        lease.finish().await;
        Ok(texts(rows))
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        searched: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let mut lease = self.begin_for(turn, SEARCH, None).await?;
        let value = text(&column.name, lease.server().exact_collation());
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT {value} AS value FROM {} WHERE lower({value}) LIKE lower(?)) AS found \
             ORDER BY lower(value) LIKE lower(?) DESC, value LIMIT ?",
            quoted(&table.name),
        );
        let searched = like_literal(searched);
        let (anywhere, start) = (format!("%{searched}%"), format!("{searched}%"));
        let rows = lease.query(&sql, (anywhere, start, limit)).await?;
        lease.finish().await;
        Ok(texts(rows))
    }

    fn connections_in_use(&self) -> u32 {
        let status = self.pool.status();
        status.size.saturating_sub(status.available) as u32
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        self.begin(SEARCH).await?.finish().await;
        Ok(())
    }
}

fn texts(rows: Vec<Row>) -> Vec<String> {
    rows.into_iter().filter_map(|mut row| row.take_opt(0)?.ok()).collect()
}

#[cfg(test)]
#[path = "../../../tests/suite/support/mariadb.rs"]
#[expect(dead_code, unreachable_pub, reason = "shared with the tests of the whole proxy")]
pub(crate) mod mariadb;

#[cfg(test)]
mod tests {
    use super::mariadb::MariaDb;
    use super::*;
    use crate::database::DatabaseAddress;

    const MINUTE: Duration = Duration::from_mins(1);

    fn database(server: &MariaDb, user: &str) -> Mysql {
        // With a single connection, anything left behind would be seen by the next borrower.
        Mysql::new(&DatabaseAddress::new(server.url(user)), 1).unwrap()
    }

    async fn try_out(database: &Mysql, sql: &str) -> Result<Vec<Row>, DatabaseError> {
        let mut lease = database.begin(MINUTE).await?;
        let rows = lease.query(sql, ()).await;
        lease.finish().await;
        rows
    }

    async fn text(database: &Mysql, sql: &str) -> String {
        texts(try_out(database, sql).await.unwrap()).remove(0)
    }

    // Promise: dialects.mariadb-read-only
    #[tokio::test]
    async fn what_the_guard_would_miss_changes_nothing() {
        let Some(server) = MariaDb::start() else { return };
        server.run(
            "CREATE TABLE kept (id int) ENGINE = InnoDB; CREATE TABLE old (id int) ENGINE = MyISAM",
        );
        let database = database(&server, "owner");
        for sql in [
            "DROP TABLE kept",
            "INSERT INTO kept VALUES (1)",
            "INSERT INTO old VALUES (1)",
            "DELETE FROM kept",
            "CREATE TABLE other (id int)",
            "TRUNCATE TABLE kept",
        ] {
            let error = try_out(&database, sql).await.unwrap_err();
            assert!(matches!(error, DatabaseError::Refused(_)), "{sql}: {error:?}");
        }
        let two = try_out(&database, "SELECT 1; DROP TABLE kept").await.unwrap_err();
        assert!(matches!(two, DatabaseError::Statement { .. }), "one statement at a time: {two:?}");
        for sql in [
            "SET SESSION TRANSACTION READ WRITE",
            "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'",
            "SELECT GET_LOCK('left_behind', 0)",
            "SELECT @left_behind := 7",
        ] {
            try_out(&database, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        assert_eq!(text(&database, "SELECT CAST(IS_FREE_LOCK('left_behind') AS CHAR)").await, "1");
        assert_eq!(text(&database, "SELECT COALESCE(@left_behind, 'nothing')").await, "nothing");
        assert!(!text(&database, "SELECT @@sql_mode").await.contains("NO_BACKSLASH_ESCAPES"));
        try_out(&database, "INSERT INTO kept VALUES (1)").await.unwrap_err();
        assert_eq!(server.run("SELECT count(*) FROM kept"), "0");
    }

    #[tokio::test]
    async fn a_transaction_that_is_ended_from_inside_stays_read_only() {
        let Some(server) = MariaDb::start() else { return };
        server.run("CREATE TABLE kept (id int)");
        let database = database(&server, "owner");
        let mut lease = database.begin(MINUTE).await.unwrap();
        lease.query("COMMIT", ()).await.unwrap();
        let error = lease.query("INSERT INTO kept VALUES (1)", ()).await.unwrap_err();
        assert!(matches!(error, DatabaseError::Refused(_)), "{error:?}");
        lease.finish().await;
        assert_eq!(server.run("SELECT count(*) FROM kept"), "0");
    }

    #[tokio::test]
    async fn a_file_of_the_client_is_never_sent() {
        let Some(server) = MariaDb::start() else { return };
        server.run("CREATE TABLE kept (line text); SET GLOBAL local_infile = 1");
        let database = database(&server, "owner");
        let mut lease = database.begin(MINUTE).await.unwrap();
        let connection = lease.connection().unwrap();
        lease::tell(connection, "SET SESSION TRANSACTION READ WRITE").await.unwrap();
        lease::tell(connection, "COMMIT").await.unwrap();
        let load = "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE kept";
        lease::tell(connection, load).await.unwrap_err();
        drop(lease);
        assert_eq!(server.run("SELECT count(*) FROM kept"), "0");
    }

    #[tokio::test]
    async fn an_abandoned_statement_is_killed_and_its_connection_is_replaced() {
        let Some(server) = MariaDb::start() else { return };
        let database = database(&server, "asker");
        let mut lease = database.begin(MINUTE).await.unwrap();
        let running = "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%SLEEP(50)%' AND info NOT LIKE '%processlist%'";
        {
            let mut waiting = Box::pin(lease.query("SELECT SLEEP(50)", ()));
            while server.run(running) == "0" {
                let _ = tokio::time::timeout(Duration::from_millis(20), &mut waiting).await;
            }
        }
        drop(lease);
        while server.run(running) != "0" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(text(&database, "SELECT 'free'").await, "free");
    }
}
