//! PostgreSQL, read in transactions that are read-only and always rolled back.

mod arrow;
mod lease;
mod login;
mod plan;
mod rows;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Row;
use tokio_postgres::types::Type;
use tokio_postgres_rustls::MakeRustlsConnect;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_engine::sql::CheckedSql;
use wherefore_engine::sql::Dialect;

pub(crate) use lease::Lease;

use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, like_literal,
    quoted, quoted_table,
};
use crate::catalog::postgres as introspection;
use crate::config::DatabaseAddress;
use lease::failure;

/// Longest wait for a free connection, and for making one.
const WAIT: Duration = Duration::from_secs(5);
/// Longest time of a search for stored values.
const SEARCH: Duration = Duration::from_secs(2);
/// Longest time that a statement may be planned.
const PLAN: Duration = Duration::from_secs(2);

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const SETTINGS: &str = "SELECT set_config('statement_timeout', $1, true), \
     set_config('lock_timeout', '1000', true), \
     set_config('idle_in_transaction_session_timeout', '30000', true), \
     set_config('search_path', 'public', true), \
     set_config('datestyle', 'ISO, YMD', true), \
     set_config('intervalstyle', 'postgres', true), \
     set_config('bytea_output', 'hex', true), \
     set_config('extra_float_digits', '1', true)";

/// A database of a PostgreSQL server.
pub struct Postgres {
    pool: Pool,
    tls: MakeRustlsConnect,
    address: DatabaseAddress,
    name: String,
}

impl Postgres {
    /// The database at an address, read with at most this many connections; it is reached on first use.
    pub fn new(address: &DatabaseAddress, connections: u32) -> Result<Self, DatabaseError> {
        let mut config = address.login().map_err(|error| {
            DatabaseError::Unavailable(format!("{address}: address cannot be read: {error}"))
        })?;
        config.application_name("wherefore").connect_timeout(WAIT);
        let name = config.get_dbname().or(config.get_user()).unwrap_or("postgres").to_owned();
        let tls = tls_connector();
        let manager = Manager::from_config(
            config,
            tls.clone(),
            ManagerConfig { recycling_method: RecyclingMethod::Verified },
        );
        let pool = Pool::builder(manager)
            .max_size(connections.max(1) as usize)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .recycle_timeout(Some(WAIT))
            .build()
            .map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        Ok(Self { pool, tls, address: address.clone(), name })
    }

    /// A connection in a read-only transaction of its own, whose statements may run this long.
    pub(crate) async fn begin(&self, timeout: Duration) -> Result<Lease, DatabaseError> {
        match self.try_begin(timeout).await {
            // The server may have been restarted since the connection was made.
            Err(DatabaseError::Unavailable(_)) => self.try_begin(timeout).await,
            begun => begun,
        }
    }

    async fn try_begin(&self, timeout: Duration) -> Result<Lease, DatabaseError> {
        let object = self.pool.get().await.map_err(pool_failure)?;
        let lease = Lease { object: Some(object), tls: self.tls.clone(), timeout };
        lease.query(BEGIN, &[]).await?;
        lease.query(SETTINGS, &[(&timeout.as_millis().to_string(), Type::TEXT)]).await?;
        Ok(lease)
    }
}

#[async_trait]
impl Database for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn address(&self) -> String {
        self.address.to_string()
    }

    async fn read_catalog(&self) -> Result<Catalog, DatabaseError> {
        introspection::read(self, &self.name).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        login::check(self).await
    }

    async fn plan(&self, statement: &CheckedSql, rows: Option<u32>) -> Result<Plan, DatabaseError> {
        let lease = self.begin(PLAN).await?;
        let sql = plan::explained(statement.sql(), rows);
        let found = lease.query(&sql, &[]).await?;
        lease.finish().await;
        Ok(plan::read(&found))
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<CellStream, DatabaseError> {
        stream::open::<rows::CellRows>(self, statement, limits).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ArrowStream, DatabaseError> {
        stream::open::<arrow::ArrowRows>(self, statement, limits).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
    ) -> Result<Vec<String>, DatabaseError> {
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT {column}::text AS value FROM {} WHERE {column} IS NOT NULL) AS listed \
             ORDER BY value COLLATE \"C\" LIMIT $1",
            quoted_table(table.schema.as_deref(), &table.name),
            column = quoted(&column.name)
        );
        let lease = self.begin(budget).await?;
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
    ) -> Result<Vec<String>, DatabaseError> {
        let sql = format!(
            "SELECT value FROM (SELECT DISTINCT {column}::text AS value FROM {} WHERE {column}::text ILIKE $1) \
             AS found ORDER BY value ILIKE $2 DESC, value COLLATE \"C\" LIMIT $3",
            quoted_table(table.schema.as_deref(), &table.name),
            column = quoted(&column.name)
        );
        let text = like_literal(text);
        let (anywhere, start) = (format!("%{text}%"), format!("{text}%"));
        let lease = self.begin(SEARCH).await?;
        let rows = lease
            .query(
                &sql,
                &[(&anywhere, Type::TEXT), (&start, Type::TEXT), (&i64::from(limit), Type::INT8)],
            )
            .await?;
        lease.finish().await;
        Ok(texts(&rows))
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

pub(crate) fn tls_connector() -> MakeRustlsConnect {
    // Fails where the process has a provider already, which then is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    MakeRustlsConnect::with_native_certs().map_or_else(
        |errors| {
            tracing::warn!(
                ?errors,
                "no root certificates were found: only unencrypted connections will work"
            );
            let config = ClientConfig::builder()
                .with_root_certificates(Arc::new(RootCertStore::empty()))
                .with_no_client_auth();
            MakeRustlsConnect::new(config)
        },
        |(connector, _)| connector,
    )
}

fn pool_failure(error: PoolError) -> DatabaseError {
    match error {
        PoolError::Backend(error) => failure(&error, WAIT),
        PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => DatabaseError::Busy,
        PoolError::Timeout(_) => DatabaseError::Unavailable("it did not answer in time".into()),
        other => DatabaseError::Unavailable(other.to_string()),
    }
}

#[cfg(test)]
#[path = "../../../tests/suite/support/cluster.rs"]
#[expect(dead_code, unreachable_pub, reason = "shared with the tests of the whole proxy")]
pub(crate) mod cluster;

#[cfg(test)]
mod tests {
    use super::cluster::Cluster;
    use super::*;

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
        // One connection: whatever stayed would be met by the next borrower.
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
