//! PostgreSQL, read in read-only transactions that are always rolled back.

mod arrow;
mod contents;
mod lease;
mod login;
mod overdue;
mod plan;
mod pool;
mod rights;
mod rows;
mod stream;
mod structure;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_sql::{CheckedSql, Dialect};

use lease::SEARCH;
pub use pool::Postgres;
pub(crate) use pool::tls_connector;

use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Turn,
    like_literal, quoted, quoted_table,
};
use crate::rights::Rights;

/// Timeout of planning a statement.
const PLAN: Duration = Duration::from_secs(2);

#[async_trait]
impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn address(&self) -> String {
        self.address.to_string()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        structure::read(self, &self.name).await
    }

    fn reads_contents_apart(&self) -> bool {
        self.rights.is_none()
    }

    async fn read_contents(
        &self,
        tables: &mut [Table],
        until: Instant,
    ) -> Result<(), DatabaseError> {
        contents::read_contents(self, tables, until).await
    }

    async fn read_containments(
        &self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
        until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        contents::read_containments(self, catalog, pairs, until).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        login::check(self).await
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        let lease = self.begin_for(turn, PLAN).await?;
        let sql = plan::explained(statement.sql(), run.map(|limits| limits.rows));
        let found = lease.query(&sql, &[]).await;
        let found = found.map_err(|error| error.within(&sql, statement.sql()))?;
        lease.finish().await;
        Ok(plan::read(&found))
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        stream::open::<rows::CellRows>(self, statement, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        stream::open::<arrow::ArrowRows>(self, statement, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT {column}::text AS value FROM {} WHERE {column} IS NOT NULL) AS listed \
             ORDER BY value COLLATE \"C\" LIMIT $1",
            quoted_table(table.schema.as_deref(), &table.name),
            column = quoted(&column.name)
        );
        let lease = self.begin_for(turn, budget).await?;
        let rows = lease.query(&sql, &[(&i64::from(limit), Type::INT8)]).await?;
        lease.finish().await;
        Ok(texts(&rows))
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT {column}::text AS value FROM {} WHERE {column}::text ILIKE $1) \
             AS found ORDER BY value ILIKE $2 DESC, value COLLATE \"C\" LIMIT $3",
            quoted_table(table.schema.as_deref(), &table.name),
            column = quoted(&column.name)
        );
        let text = like_literal(text);
        let (anywhere, start) = (format!("%{text}%"), format!("{text}%"));
        let lease = self.begin_for(turn, SEARCH).await?;
        let rows = lease
            .query(
                &sql,
                &[(&anywhere, Type::TEXT), (&start, Type::TEXT), (&i64::from(limit), Type::INT8)],
            )
            .await?;
        lease.finish().await;
        Ok(texts(&rows))
    }

    fn with_rights(&self, rights: &Rights) -> Option<Arc<dyn Database>> {
        Some(Arc::new(self.restricted(rights.clone())))
    }

    fn connections_in_use(&self) -> u32 {
        let status = self.pool.status();
        status.size.saturating_sub(status.available) as u32
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        let lease = self.begin(SEARCH).await?;
        lease.finish().await;
        Ok(())
    }
}

fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter().filter_map(|row| row.try_get::<_, Option<String>>(0).ok().flatten()).collect()
}

#[cfg(test)]
#[path = "../../../tests/suite/support/cluster.rs"]
#[expect(dead_code, unreachable_pub, reason = "shared with the tests of the whole proxy")]
pub(crate) mod cluster;

#[cfg(test)]
mod tests {
    use super::cluster::Cluster;
    use super::*;
    use crate::database::DatabaseAddress;

    const MINUTE: Duration = Duration::from_mins(1);

    async fn try_out(database: &Postgres, sql: &str) -> Result<Vec<Row>, DatabaseError> {
        let lease = database.begin(MINUTE).await?;
        let rows = lease.query(sql, &[]).await;
        lease.finish().await;
        rows
    }

    async fn text(database: &Postgres, sql: &str) -> String {
        try_out(database, sql).await.unwrap()[0].get(0)
    }

    #[tokio::test]
    async fn what_the_guard_would_miss_leaves_nothing_behind() {
        let Some(cluster) = Cluster::start() else { return };
        cluster.run("CREATE TABLE kept (id int); CREATE SEQUENCE counted");
        // With a single connection, anything left behind would be seen by the next borrower.
        let database = Postgres::new(&DatabaseAddress::new(cluster.url("owner")), 1).unwrap();
        for sql in [
            "DROP TABLE kept",
            "INSERT INTO kept VALUES (1)",
            "SELECT nextval('counted')",
            "CREATE TEMP TABLE t (id int)",
            "SELECT 1; DROP TABLE kept",
        ] {
            assert!(try_out(&database, sql).await.is_err(), "{sql}");
        }
        for sql in [
            "SELECT set_config('statement_timeout', '0', false)::text",
            "SELECT set_config('default_transaction_read_only', 'off', false)::text",
            "SELECT lo_creat(-1)::text",
            "SELECT pg_advisory_lock(7)::text",
            "PREPARE left_behind AS SELECT 1",
            "LISTEN something",
        ] {
            try_out(&database, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
        assert_eq!(cluster.run("SELECT count(*) FROM pg_largeobject_metadata"), "0");
        assert_eq!(cluster.run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), "0");
        assert_eq!(
            text(
                &database,
                "SELECT count(*)::text FROM pg_prepared_statements WHERE name = 'left_behind'"
            )
            .await,
            "0"
        );
        assert_eq!(text(&database, "SELECT current_setting('statement_timeout')").await, "1min");
        assert_eq!(text(&database, "SELECT current_setting('transaction_read_only')").await, "on");
        assert_eq!(cluster.run("SELECT count(*) FROM kept"), "0");
    }

    #[tokio::test]
    async fn a_transaction_that_is_ended_from_inside_stays_harmless() {
        let Some(cluster) = Cluster::start() else { return };
        cluster.run("CREATE TABLE kept (id int)");
        let database = Postgres::new(&DatabaseAddress::new(cluster.url("owner")), 1).unwrap();
        try_out(&database, "COMMIT").await.unwrap();
        let read_only = text(&database, "SELECT current_setting('transaction_read_only')").await;
        assert_eq!(read_only, "on", "the next borrower begins anew");
    }
}
