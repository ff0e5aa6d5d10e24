//! A connection borrowed from the pool, and the classification of its errors.

use std::time::Duration;

use deadpool_postgres::Object;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::database::DatabaseError;

/// Timeout of waiting for a free connection, and of opening one.
pub(super) const WAIT: Duration = Duration::from_secs(5);
/// Timeout of a search for stored values.
pub(super) const SEARCH: Duration = Duration::from_secs(2);
/// Maximum number of requests to cancel one statement, and the pause between two of them.
const CANCELS: u32 = 20;
const CANCEL_PAUSE: Duration = Duration::from_millis(250);
/// Time beyond the statement timeout in which the server can report it, before the client gives up.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// A borrowed connection inside a transaction. If it is dropped without [`Lease::finish`], its statement is cancelled
/// and the connection closed.
pub(crate) struct Lease {
    pub(super) object: Option<Object>,
    pub(super) tls: MakeRustlsConnect,
    pub(super) timeout: Duration,
}

impl Lease {
    pub(super) fn client(&self) -> Result<&Client, DatabaseError> {
        self.object
            .as_ref()
            .map(|object| &***object)
            .ok_or_else(|| DatabaseError::Unavailable("the connection was closed".into()))
    }

    /// Rows of a constant statement with bound parameters, sent with the extended query protocol.
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

    /// Rolls back the transaction, resets the connection and returns it to the pool.
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
                // A cancel request that arrives before its statement starts has no effect, so it is repeated until the
                // connection responds.
                for attempt in 1..=CANCELS {
                    let sent = tokio::time::timeout(WAIT, token.cancel_query(tls.clone())).await;
                    tracing::debug!(attempt, sent = sent.is_ok(), "the statement was cancelled");
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

/// Maps an error of PostgreSQL to a [`DatabaseError`].
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
