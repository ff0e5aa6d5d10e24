//! Connection pool of a MySQL or MariaDB server; each connection is borrowed for one read-only transaction.

use std::sync::Arc;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{
    self, Metrics, PoolError, RecycleError, RecycleResult, TimeoutType, Timeouts,
};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, DriverError, Error};
use wherefore_engine::catalog::Catalog;
use wherefore_sql::MysqlServer;

use super::failure::failure;
use super::lease::{Backend, Lease, WAIT};
use super::options::Login;
use super::overdue::Overdue;
use super::server;
use crate::database::{DatabaseAddress, DatabaseError, Turn};

/// An open connection of the pool.
pub(super) struct Link {
    /// `None` once the connection is given up.
    pub(super) connection: Option<Conn>,
    pub(super) server: MysqlServer,
    pub(super) backend: Backend,
}

/// Opens and checks connections.
#[derive(Clone, Debug)]
pub(super) struct Manager {
    login: Login,
}

pub(super) type Object = managed::Object<Manager>;

impl Manager {
    /// A new connection: encrypted if the server offers it, otherwise plain if that is allowed.
    pub(super) async fn connect(&self) -> Result<Conn, Error> {
        let Some(encrypted) = self.login.encrypted() else {
            let Some(plain) = self.login.plain() else {
                return Err(Error::Driver(DriverError::NoClientSslFlagFromServer));
            };
            return Conn::new(plain).await;
        };
        match (Conn::new(encrypted).await, self.login.plain()) {
            (Err(Error::Driver(DriverError::NoClientSslFlagFromServer)), Some(plain)) => {
                Conn::new(plain).await
            }
            (connected, _) => connected,
        }
    }
}

impl managed::Manager for Manager {
    type Type = Link;
    type Error = Error;

    async fn create(&self) -> Result<Link, Error> {
        let mut connection = self.connect().await?;
        let row: Option<(String, Option<String>)> = connection
            .exec_first(
                "SELECT version(), (SELECT host FROM information_schema.processlist \
                 WHERE id = connection_id())",
                (),
            )
            .await?;
        let (version, host) = row.unwrap_or_default();
        let backend = Backend { id: connection.id(), host: host.unwrap_or_default() };
        Ok(Link { connection: Some(connection), server: server::kind(&version), backend })
    }

    async fn recycle(&self, link: &mut Link, _: &Metrics) -> RecycleResult<Error> {
        match &mut link.connection {
            Some(connection) => connection.ping().await.map_err(RecycleError::Backend),
            None => Err(RecycleError::message("the connection was given up")),
        }
    }
}

/// A database of a MySQL or MariaDB server.
pub struct Mysql {
    pub(super) pool: managed::Pool<Manager>,
    overdue: Arc<Overdue>,
    pub(super) address: DatabaseAddress,
    pub(super) name: String,
    /// What statements are translated with, once it has been read.
    pub(super) known: tokio::sync::RwLock<Option<Arc<Known>>>,
}

/// What statements are translated with.
pub(super) struct Known {
    /// Tables and the types of their columns.
    pub(super) catalog: Catalog,
    pub(super) server: MysqlServer,
}

impl Mysql {
    /// The database at an address, with a limit on connections. It is connected on first use.
    pub fn new(address: &DatabaseAddress, connections: u32) -> Result<Self, DatabaseError> {
        let login = Login::of(address)?;
        let name = login.database.clone();
        let manager = Manager { login };
        let overdue = Arc::new(Overdue::new(manager.clone()));
        let pool = managed::Pool::builder(manager)
            .max_size(connections.max(1) as usize)
            .runtime(Runtime::Tokio1)
            .timeouts(Timeouts { wait: Some(WAIT), create: Some(WAIT), recycle: Some(WAIT) })
            .build()
            .map_err(|error| DatabaseError::Unavailable(error.to_string()))?;
        let known = tokio::sync::RwLock::default();
        Ok(Self { pool, overdue, address: address.clone(), name, known })
    }

    /// A connection in a new read-only transaction, with a timeout for each statement of the proxy's own.
    pub(super) async fn begin(&self, timeout: Duration) -> Result<Lease, DatabaseError> {
        self.begin_for(None, timeout, None).await
    }

    /// Like [`Mysql::begin`], for a statement in this turn with at most this number of rows.
    pub(super) async fn begin_for(
        &self,
        turn: Option<&Turn>,
        timeout: Duration,
        rows: Option<u32>,
    ) -> Result<Lease, DatabaseError> {
        match self.try_begin(turn, timeout, rows).await {
            // The server may have been restarted since the connection was opened.
            Err(DatabaseError::Unavailable(_)) => self.try_begin(turn, timeout, rows).await,
            begun => begun,
        }
    }

    async fn try_begin(
        &self,
        turn: Option<&Turn>,
        timeout: Duration,
        rows: Option<u32>,
    ) -> Result<Lease, DatabaseError> {
        let object = self.pool.get().await.map_err(pool_failure)?;
        let server = object.server;
        let mut lease = Lease {
            object: Some(object),
            overdue: Arc::clone(&self.overdue),
            turn: turn.cloned(),
            timeout,
        };
        let settings = server::settings(server, timeout, rows);
        for statement in [settings.as_str(), server::READ_ONLY, server::BEGIN] {
            lease.set(statement).await?;
        }
        Ok(lease)
    }
}

fn pool_failure(error: PoolError<Error>) -> DatabaseError {
    match error {
        PoolError::Backend(error) => failure(&error, WAIT),
        PoolError::Timeout(TimeoutType::Wait) => DatabaseError::Busy,
        PoolError::Timeout(_) => {
            DatabaseError::Unavailable("the server did not respond in time".into())
        }
        other => DatabaseError::Unavailable(other.to_string()),
    }
}
