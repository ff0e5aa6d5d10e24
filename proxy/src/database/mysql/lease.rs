//! A connection borrowed from the pool.

use std::sync::Arc;
use std::time::Duration;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Params, Row};
use wherefore_sql::MysqlServer;

use super::failure::failure;
use super::overdue::Overdue;
use super::pool::Object;
use crate::database::{DatabaseError, Turn};

/// Timeout of waiting for a free connection, and of opening one.
pub(super) const WAIT: Duration = Duration::from_secs(5);
/// Timeout of a search for stored values.
pub(super) const SEARCH: Duration = Duration::from_secs(2);
/// Time beyond the statement timeout in which the server can report it, before the client gives up.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The connection as the server knows it. Another one can have its id after a restart, but not from the same port.
#[derive(Clone, Debug, Default)]
pub(super) struct Backend {
    pub(super) id: u32,
    /// Host and port of the client.
    pub(super) host: String,
}

/// A borrowed connection inside a transaction. If it is dropped without [`Lease::finish`], its statement is killed and the
/// connection closed once the server has ended it. Its turn ends when the connection is free.
pub(super) struct Lease {
    pub(super) object: Option<Object>,
    pub(super) overdue: Arc<Overdue>,
    pub(super) turn: Option<Turn>,
    pub(super) timeout: Duration,
}

impl Lease {
    pub(super) fn connection(&mut self) -> Result<&mut Conn, DatabaseError> {
        self.object
            .as_mut()
            .and_then(|object| object.connection.as_mut())
            .ok_or_else(|| DatabaseError::Unavailable("the connection was closed".into()))
    }

    /// Kind of the server.
    pub(super) fn server(&self) -> MysqlServer {
        self.object.as_ref().map_or(MysqlServer::Mysql, |object| object.server)
    }

    /// Runs a constant statement without rows.
    pub(super) async fn set(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let (timeout, work) = (self.timeout, tell(self.connection()?, sql));
        bounded(timeout, work).await
    }

    /// Rows of a constant statement that not every server can prepare.
    #[expect(clippy::disallowed_methods, reason = "statements of this crate")]
    pub(super) async fn show(&mut self, sql: &str) -> Result<Vec<Row>, DatabaseError> {
        let (timeout, work) = (self.timeout, self.connection()?.query(sql));
        bounded(timeout, work).await
    }

    /// Rows of one statement with bound parameters, which is prepared: the server accepts only one at a time.
    pub(super) async fn query(
        &mut self,
        sql: &str,
        parameters: impl Into<Params> + Send,
    ) -> Result<Vec<Row>, DatabaseError> {
        let (timeout, parameters) = (self.timeout, parameters.into());
        let work = self.connection()?.exec(sql, parameters);
        bounded(timeout, work).await
    }

    /// Closes the connection, on which nothing runs.
    pub(super) fn close(mut self) {
        if let Some(object) = self.object.take() {
            drop(Object::take(object));
        }
    }

    /// Rolls back the transaction, resets the session and returns the connection to the pool.
    pub(super) async fn finish(mut self) {
        let Ok(connection) = self.connection() else { return };
        if matches!(tokio::time::timeout(WAIT, connection.reset()).await, Ok(Ok(true))) {
            drop(self.object.take());
        }
    }
}

/// Runs a statement of this crate without rows, which the server need not be able to prepare.
#[expect(clippy::disallowed_methods, reason = "statements of this crate")]
pub(super) async fn tell(connection: &mut Conn, sql: &str) -> mysql_async::Result<()> {
    connection.query_drop(sql).await
}

async fn bounded<T>(
    timeout: Duration,
    work: impl Future<Output = mysql_async::Result<T>>,
) -> Result<T, DatabaseError> {
    tokio::time::timeout(timeout + GRACE, work)
        .await
        .map_err(|_| DatabaseError::Timeout { seconds: timeout.as_secs().max(1) })?
        .map_err(|error| failure(&error, timeout))
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(object) = self.object.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let overdue = Arc::clone(&self.overdue);
                let given_up = self.turn.as_ref().map(Turn::give_up);
                runtime.spawn(overdue.end(object, given_up));
            }
            Err(_) => drop(Object::take(object)),
        }
    }
}
