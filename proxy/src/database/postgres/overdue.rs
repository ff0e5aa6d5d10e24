//! Backends that outlive their statement: they are cancelled, then terminated, and hold their place in the pool until
//! they are gone.
//!
//! PostgreSQL acts on a timeout, a cancel request or a termination only where its code checks for interrupts, which
//! some functions do not for minutes. A connection given up before that would leave a backend that no limit counts.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{CancelToken, Config, Row};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::lease::WAIT;
use crate::database::GivenUp;

/// Number of requests to cancel a statement before its backend is terminated, and the pause after each.
const CANCELS: u32 = 8;
const CANCEL_PAUSE: Duration = Duration::from_millis(250);
/// Pause after the first request to terminate a backend; it doubles up to the last one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);

const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2 AND usename = current_user";

/// A backend: another one can have its process id later, but was not started at the same time.
#[derive(Clone, Debug, Default)]
pub(super) struct Backend {
    pid: i32,
    /// Time at which it was started, in seconds since 1970 as the server writes them.
    started: String,
}

impl Backend {
    /// Reads the process id from a column of a row, and the start time from the column after it.
    pub(super) fn read(row: &Row, column: usize) -> Result<Self, tokio_postgres::Error> {
        let started: Option<String> = row.try_get(column + 1)?;
        Ok(Self { pid: row.try_get(column)?, started: started.unwrap_or_default() })
    }
}

/// Ends abandoned backends of one database.
pub(super) struct Overdue {
    login: Config,
    tls: MakeRustlsConnect,
    /// Held while the one connection that terminates backends is open, which is not part of the pool.
    control: tokio::sync::Mutex<()>,
}

impl Overdue {
    pub(super) fn new(login: Config, tls: MakeRustlsConnect) -> Self {
        Self { login, tls, control: tokio::sync::Mutex::default() }
    }

    /// Ends what a connection still runs, and closes it once its backend responds or is gone. The connection counts
    /// against the limit of the pool until then, which also bounds the number of these tasks, and its statement holds
    /// its turn.
    pub(super) async fn end(
        self: Arc<Self>,
        object: Object,
        backend: Backend,
        mut given_up: Option<GivenUp>,
    ) {
        let token = object.cancel_token();
        tokio::select! {
            // Completes after everything that was sent before it, or fails when the connection is closed.
            answer = object.query_typed("SELECT 1", &[]) => {
                let (backend, responds) = (backend.pid, answer.is_ok());
                tracing::debug!(backend, responds, "an abandoned connection is closed");
            }
            () = self.press(token, &backend, given_up.as_mut()) => {
                tracing::debug!(backend = backend.pid, "the connection of a backend that is gone is closed");
            }
        }
        drop(Object::take(object));
    }

    /// Cancels, then terminates, until the server no longer has the backend.
    async fn press(&self, token: CancelToken, backend: &Backend, given_up: Option<&mut GivenUp>) {
        // A cancel request that arrives before its statement starts has no effect, so it is repeated.
        for attempt in 1..=CANCELS {
            let sent = tokio::time::timeout(WAIT, token.cancel_query(self.tls.clone())).await;
            tracing::debug!(attempt, sent = sent.is_ok(), "the statement was cancelled");
            tokio::time::sleep(CANCEL_PAUSE).await;
        }
        tracing::warn!(
            backend = backend.pid,
            "a statement goes on although it was cancelled; its backend is terminated"
        );
        if let Some(given_up) = given_up {
            given_up.is_overdue();
        }
        let mut pause = FIRST_PAUSE;
        loop {
            match tokio::time::timeout(WAIT, self.terminate(backend)).await {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => return,
                Ok(Err(error)) => {
                    tracing::warn!(backend = backend.pid, %error, "cannot terminate the backend");
                }
                Err(_) => {
                    let backend = backend.pid;
                    tracing::warn!(backend, "cannot terminate the backend: no response");
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    /// Tells the server to terminate a backend. Returns `false` if it has none of this process id and start.
    async fn terminate(&self, backend: &Backend) -> Result<bool, tokio_postgres::Error> {
        let _one_at_a_time = self.control.lock().await;
        let (client, connection) = self.login.connect(self.tls.clone()).await?;
        let parameters: [(&(dyn ToSql + Sync), Type); 2] =
            [(&backend.pid, Type::INT4), (&backend.started, Type::TEXT)];
        let terminate = client.query_typed(TERMINATE, &parameters);
        tokio::select! {
            answer = terminate => answer.map(|found| !found.is_empty()),
            // The connection was lost before the answer.
            ended = connection => ended.map(|()| true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Postgres;
    use super::super::cluster::Cluster;
    use super::*;
    use crate::database::DatabaseAddress;

    #[tokio::test]
    async fn only_the_backend_that_was_started_at_the_same_time_is_terminated() {
        let Some(cluster) = Cluster::start() else { return };
        let database = Postgres::new(&DatabaseAddress::new(cluster.url("owner")), 1).unwrap();
        let lease = database.begin(WAIT).await.unwrap();
        let own = lease.backend.clone();
        let later = Backend { pid: own.pid, started: "1.5".to_owned() };
        assert!(!lease.overdue.terminate(&later).await.unwrap());
        lease.query("SELECT 1", &[]).await.unwrap();
        assert!(lease.overdue.terminate(&own).await.unwrap());
        lease.query("SELECT 1", &[]).await.unwrap_err();
    }
}
