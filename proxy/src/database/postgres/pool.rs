//! Connection pool of a PostgreSQL server; each connection is borrowed for one read-only transaction.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::types::Type;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::lease::{Lease, WAIT, failure};
use super::overdue::{Backend, Overdue};
use super::rights;
use crate::database::{DatabaseAddress, DatabaseError, Turn};
use crate::rights::Rights;

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const SETTINGS: &str = "SELECT set_config('statement_timeout', $1, true), \
     set_config('lock_timeout', '1000', true), \
     set_config('idle_in_transaction_session_timeout', '30000', true), \
     set_config('search_path', 'public', true), \
     set_config('datestyle', 'ISO, YMD', true), \
     set_config('intervalstyle', 'postgres', true), \
     set_config('bytea_output', 'hex', true), \
     set_config('extra_float_digits', '1', true), \
     pg_backend_pid(), \
     (SELECT extract(epoch FROM backend_start)::text FROM pg_stat_get_activity(pg_backend_pid())), \
     CASE WHEN current_setting('server_version_num')::int >= 140000 AND version() LIKE '%linux%' \
     THEN set_config('client_connection_check_interval', '1000', true) END";
/// Index of the process id of the backend in the row of [`SETTINGS`]; the time at which it was started follows.
const BACKEND: usize = 8;
/// Time after which a connection is given up if the server does not acknowledge what was sent.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);
/// Time after which an idle connection is probed; unanswered probes close it within another half minute.
const IDLE: Duration = Duration::from_secs(30);
const PROBE: Duration = Duration::from_secs(10);
const PROBES: u32 = 3;

/// A database of a PostgreSQL server.
pub struct Postgres {
    pub(super) pool: Pool,
    overdue: Arc<Overdue>,
    pub(super) rights: Option<Rights>,
    pub(super) address: DatabaseAddress,
    pub(super) name: String,
}

impl Postgres {
    /// The database at an address, with a limit on connections. It is connected on first use.
    pub fn new(address: &DatabaseAddress, connections: u32) -> Result<Self, DatabaseError> {
        let mut config = address.login().map_err(|error| {
            DatabaseError::Unavailable(format!("{address}: invalid address: {error}"))
        })?;
        config.application_name("wherefore").connect_timeout(WAIT);
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNACKNOWLEDGED);
        }
        config.keepalives_idle(config.get_keepalives_idle().min(IDLE));
        if config.get_keepalives_interval().is_none() {
            config.keepalives_interval(PROBE);
        }
        if config.get_keepalives_retries().is_none() {
            config.keepalives_retries(PROBES);
        }
        let name = config.get_dbname().or(config.get_user()).unwrap_or("postgres").to_owned();
        let tls = tls_connector();
        let overdue = Arc::new(Overdue::new(config.clone(), tls.clone()));
        let manager = Manager::from_config(
            config,
            tls,
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
        let (rights, address) = (None, address.clone());
        Ok(Self { pool, overdue, rights, address, name })
    }

    /// The same database and connections, on which each transaction begins with these rights. Of its rows, nothing is
    /// in the catalog.
    #[must_use]
    pub fn restricted(&self, rights: Rights) -> Self {
        let (pool, overdue) = (self.pool.clone(), Arc::clone(&self.overdue));
        let (address, name) = (self.address.clone(), self.name.clone());
        Self { pool, overdue, rights: Some(rights), address, name }
    }

    /// A connection in a new read-only transaction, with a timeout for each statement of the proxy's own.
    pub(crate) async fn begin(&self, timeout: Duration) -> Result<Lease, DatabaseError> {
        self.begin_for(None, timeout).await
    }

    /// Like [`Postgres::begin`], for a statement in this turn.
    pub(super) async fn begin_for(
        &self,
        turn: Option<&Turn>,
        timeout: Duration,
    ) -> Result<Lease, DatabaseError> {
        match self.try_begin(turn, timeout).await {
            // The server may have been restarted since the connection was opened.
            Err(DatabaseError::Unavailable(_)) => self.try_begin(turn, timeout).await,
            begun => begun,
        }
    }

    async fn try_begin(
        &self,
        turn: Option<&Turn>,
        timeout: Duration,
    ) -> Result<Lease, DatabaseError> {
        let object = self.pool.get().await.map_err(pool_failure)?;
        let overdue = Arc::clone(&self.overdue);
        let (turn, backend) = (turn.cloned(), Backend::default());
        let mut lease = Lease { object: Some(object), overdue, turn, backend, timeout };
        lease.query(BEGIN, &[]).await?;
        let timeout = timeout.as_millis().to_string();
        let settings = lease.query(SETTINGS, &[(&timeout, Type::TEXT)]).await?;
        let backend = settings.first().map(|row| Backend::read(row, BACKEND)).transpose();
        lease.backend = backend.map_err(|error| failure(&error, WAIT, ""))?.unwrap_or_default();
        if let Some(rights) = &self.rights {
            rights::take(&lease, rights).await?;
        }
        Ok(lease)
    }
}

pub(crate) fn tls_connector() -> MakeRustlsConnect {
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        tracing::debug!("a TLS crypto provider is already installed");
    }
    MakeRustlsConnect::with_native_certs().map_or_else(
        |errors| {
            tracing::warn!(
                ?errors,
                "no root certificates found; only unencrypted connections will work"
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
        PoolError::Backend(error) => failure(&error, WAIT, ""),
        PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => DatabaseError::Busy,
        PoolError::Timeout(_) => {
            DatabaseError::Unavailable("the server did not respond in time".into())
        }
        other => DatabaseError::Unavailable(other.to_string()),
    }
}
