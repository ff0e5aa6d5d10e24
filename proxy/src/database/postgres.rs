//! PostgreSQL, read in transactions that are read-only and always rolled back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use futures_util::{StreamExt, pin_mut};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use tokio_postgres_rustls::MakeRustlsConnect;
use wherefore_engine::catalog::{Catalog, Column, Table};
use wherefore_engine::session::ResultSet;
use wherefore_engine::sql::CheckedSql;
use wherefore_engine::sql::Dialect;

use super::limits::CappedResult;
use super::{
    Database, DatabaseError, RunLimits, like_literal, postgres_rows, quoted, quoted_table,
};
use crate::catalog::postgres as introspection;
use crate::config::DatabaseAddress;

/// Longest wait for a free connection, and for making one.
const WAIT: Duration = Duration::from_secs(5);
/// Most requests to cancel one statement, and the pause between two of them.
const CANCELS: u32 = 20;
const CANCEL_PAUSE: Duration = Duration::from_millis(250);
/// Longest time of a search for stored values.
const SEARCH: Duration = Duration::from_secs(2);
/// Time that the server gets to keep its own timeout before the client gives up.
const GRACE: Duration = Duration::from_secs(2);

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

    async fn run(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
    ) -> Result<ResultSet, DatabaseError> {
        let lease = self.begin(limits.timeout).await?;
        let rows =
            tokio::time::timeout(limits.timeout + GRACE, lease.rows(statement.sql(), limits))
                .await
                .unwrap_or(Err(DatabaseError::Timeout { seconds: limits.timeout.as_secs() }));
        // A stream that was not read to its end leaves a statement running: dropping the lease cancels it.
        match rows {
            Ok((result, true)) => {
                lease.finish().await;
                Ok(result)
            }
            Ok((result, false)) => Ok(result),
            Err(error) => Err(error),
        }
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
        Ok(rows
            .iter()
            .filter_map(|row| row.try_get::<_, Option<String>>(0).ok().flatten())
            .collect())
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

/// A borrowed connection inside a transaction; unless it is finished, its statement is cancelled and
/// the connection closed.
pub(crate) struct Lease {
    object: Option<Object>,
    tls: MakeRustlsConnect,
    timeout: Duration,
}

impl Lease {
    fn client(&self) -> Result<&Client, DatabaseError> {
        self.object
            .as_ref()
            .map(|object| &***object)
            .ok_or_else(|| DatabaseError::Unavailable("connection was closed".into()))
    }

    /// Rows of a constant statement with bound parameters, sent by the extended protocol.
    pub(crate) async fn query(
        &self,
        sql: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, DatabaseError> {
        tokio::time::timeout(self.timeout + GRACE, self.client()?.query_typed(sql, parameters))
            .await
            .map_err(|_| DatabaseError::Timeout { seconds: self.timeout.as_secs().max(1) })?
            .map_err(|error| failure(&error, self.timeout))
    }

    /// Rows within the limits, and whether the statement has come to its end.
    async fn rows(&self, sql: &str, limits: RunLimits) -> Result<(ResultSet, bool), DatabaseError> {
        let start = Instant::now();
        let failed = |error: tokio_postgres::Error| failure(&error, limits.timeout);
        let client = self.client()?;
        let described = client.prepare(sql).await.map_err(failed)?;
        let columns = postgres_rows::columns(&described);
        let formats = postgres_rows::formats(&described);
        let mut result = CappedResult::new(columns, limits)?;
        let wrapped = postgres_rows::as_text(sql, &described, limits.cell_bytes);
        let stream = client
            .query_typed_raw(&wrapped, [(i64::from(limits.rows) + 1, Type::INT8)])
            .await
            .map_err(failed)?;
        pin_mut!(stream);
        let mut ended = true;
        while let Some(row) = stream.next().await {
            if !result.push(postgres_rows::cells(&row.map_err(failed)?, &formats).map_err(failed)?)
            {
                ended = false;
                break;
            }
        }
        // The row beyond the limit is the last one that was asked for.
        if !ended && result.result_mut().rows.len() == limits.rows as usize {
            ended = stream.next().await.is_none();
        }
        Ok((result.finish(start.elapsed()), ended))
    }

    /// Ends the transaction, and gives the connection back as it was when new.
    pub(crate) async fn finish(mut self) {
        let Some(object) = self.object.take() else { return };
        let restored = async {
            object.query_typed("ROLLBACK", &[]).await?;
            object.query_typed("DISCARD ALL", &[]).await
        };
        if matches!(tokio::time::timeout(WAIT, restored).await, Ok(Ok(_))) {
            object.clear_type_cache();
        } else {
            drop(Object::take(object));
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(object) = self.object.take() else { return };
        let client = Object::take(object);
        let (token, tls) = (client.cancel_token(), self.tls.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // A request that arrives just before its statement starts cancels nothing: it is sent again until
                // the connection answers.
                for attempt in 1..=CANCELS {
                    let sent = tokio::time::timeout(WAIT, token.cancel_query(tls.clone())).await;
                    tracing::debug!(attempt, sent = sent.is_ok(), "statement was cancelled");
                    let idle = client.query_typed("SELECT 1", &[]);
                    if tokio::time::timeout(CANCEL_PAUSE, idle).await.is_ok() {
                        break;
                    }
                }
                drop(client);
            });
        }
    }
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

/// What a failure of PostgreSQL means to the asker.
pub(crate) fn failure(error: &tokio_postgres::Error, timeout: Duration) -> DatabaseError {
    let Some(server) = error.as_db_error() else {
        let mut reason = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            reason = format!("{reason}: {inner}");
            source = inner.source();
        }
        return DatabaseError::Unavailable(reason);
    };
    let message = server.message().to_owned();
    let code = server.code();
    if *code == SqlState::QUERY_CANCELED {
        DatabaseError::Timeout { seconds: timeout.as_secs().max(1) }
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE || code.code().starts_with("28") {
        DatabaseError::PermissionDenied(message)
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        DatabaseError::Refused(message)
    } else if ["08", "3D", "53", "57", "58", "XX"]
        .iter()
        .any(|class| code.code().starts_with(class))
    {
        DatabaseError::Unavailable(message)
    } else {
        DatabaseError::Statement(message)
    }
}

#[cfg(test)]
#[path = "../../tests/support/cluster.rs"]
#[expect(unreachable_pub, reason = "shared with the tests of the whole proxy")]
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
