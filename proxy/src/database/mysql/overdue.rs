//! Statements that are given up: a second connection kills them, and they hold their place in the pool until the server
//! has ended them.

use std::sync::Arc;
use std::time::Duration;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, DriverError, Error};

use super::failure::is_unknown_thread;
use super::lease::{Backend, WAIT, tell};
use super::pool::{Manager, Object};
use crate::database::GivenUp;

/// Number of requests to kill a statement before its connection is killed, and the pause after each.
const KILLS: u32 = 8;
const KILL_PAUSE: Duration = Duration::from_millis(250);
/// Pause after the first request to kill a connection; it doubles up to the last one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);

/// A connection of the login that runs a statement.
const RUNNING: &str = "SELECT id FROM information_schema.processlist \
     WHERE id = ? AND host = ? AND command <> 'Sleep'";

/// What the server is told to end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kill {
    Query,
    Connection,
}

/// Ends abandoned statements of one database.
pub(super) struct Overdue {
    manager: Manager,
    /// Held while the one connection that kills others is open, which is not part of the pool.
    control: tokio::sync::Mutex<()>,
}

impl Overdue {
    pub(super) fn new(manager: Manager) -> Self {
        Self { manager, control: tokio::sync::Mutex::default() }
    }

    /// Ends what a connection still runs, and closes it once the server has ended it. The connection counts against the
    /// limit of the pool until then, which also bounds the number of these tasks, and its statement holds its turn.
    pub(super) async fn end(self: Arc<Self>, mut object: Object, mut given_up: Option<GivenUp>) {
        let backend = object.backend.clone();
        if let Some(connection) = object.connection.take() {
            tokio::select! {
                () = answered(connection) => {
                    tracing::debug!(backend = backend.id, "an abandoned connection is closed");
                }
                () = self.press(&backend, given_up.as_mut()) => {
                    tracing::debug!(backend = backend.id, "the connection of an ended statement is closed");
                }
            }
        }
        drop(Object::take(object));
    }

    /// Kills the statement, then the connection, until the server runs nothing on it.
    async fn press(&self, backend: &Backend, given_up: Option<&mut GivenUp>) {
        // A request that arrives before the statement starts has no effect, so it is repeated; that nothing runs counts
        // the second time.
        let mut idle = 0;
        for attempt in 1..=KILLS {
            match tokio::time::timeout(WAIT, self.kill(backend, Kill::Query)).await {
                Ok(Ok(false)) if idle > 0 => return,
                Ok(Ok(false)) => idle += 1,
                sent => tracing::debug!(attempt, sent = sent.is_ok(), "the statement was killed"),
            }
            tokio::time::sleep(KILL_PAUSE).await;
        }
        tracing::warn!(
            backend = backend.id,
            "a statement goes on although it was killed; its connection is killed"
        );
        if let Some(given_up) = given_up {
            given_up.is_overdue();
        }
        let mut pause = FIRST_PAUSE;
        loop {
            match tokio::time::timeout(WAIT, self.kill(backend, Kill::Connection)).await {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => return,
                Ok(Err(error)) => {
                    tracing::warn!(backend = backend.id, %error, "cannot kill the connection");
                }
                Err(_) => {
                    tracing::warn!(backend = backend.id, "cannot kill the connection: no response");
                }
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    /// Tells the server to end what a connection runs. Returns `false` if it runs nothing.
    async fn kill(&self, backend: &Backend, what: Kill) -> Result<bool, Error> {
        let _one_at_a_time = self.control.lock().await;
        let mut control = self.manager.connect().await?;
        let running: Option<u64> =
            control.exec_first(RUNNING, (backend.id, backend.host.as_str())).await?;
        let is_running = running.is_some();
        if is_running {
            let what = match what {
                Kill::Query => "QUERY",
                Kill::Connection => "CONNECTION",
            };
            match tell(&mut control, &format!("KILL {what} {}", backend.id)).await {
                Err(error) if is_unknown_thread(&error) => {}
                sent => sent?,
            }
        }
        control.disconnect().await?;
        Ok(is_running)
    }
}

/// Completes after everything that was sent on a connection, or when the server has closed it.
async fn answered(mut connection: Conn) {
    match tell(&mut connection, "DO 0").await {
        Ok(()) | Err(Error::Io(_) | Error::Driver(DriverError::ConnectionClosed)) => {}
        // The answer belongs to a statement that was given up while it was being sent.
        Err(_) => std::future::pending().await,
    }
}
