//! Backends that outlive their statement: they are cancelled, then terminated, and hold their place in the pool until
//! they are gone.
//!
//! PostgreSQL acts on a timeout, a cancel request or a termination only where its code checks for interrupts, which
//! some functions do not for minutes. A connection given up before that would leave a backend that no limit counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::Object;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{CancelToken, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::lease::WAIT;
use crate::database::StatementOwner;

/// Number of requests to cancel a statement before its backend is terminated, and the pause after each.
const CANCELS: u32 = 8;
const CANCEL_PAUSE: Duration = Duration::from_millis(250);
/// Pause after the first request to terminate a backend; it doubles up to the last one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);

const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE pid = $1 AND usename = current_user";

/// Ends abandoned backends of one database, and counts those that are not gone yet by the owners of their statements.
pub(super) struct Overdue {
    login: Config,
    tls: MakeRustlsConnect,
    /// Held while the one connection that terminates backends is open, which is not part of the pool.
    control: tokio::sync::Mutex<()>,
    owners: Mutex<BTreeMap<StatementOwner, u32>>,
}

impl Overdue {
    pub(super) fn new(login: Config, tls: MakeRustlsConnect) -> Self {
        Self { login, tls, control: tokio::sync::Mutex::default(), owners: Mutex::default() }
    }

    /// Whether a statement of this owner still runs although it was cancelled.
    pub(super) fn holds(&self, owner: StatementOwner) -> bool {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&owner)
    }

    /// Ends what a connection still runs, and closes it once its backend responds or is gone. The connection counts
    /// against the limit of the pool until then, which also bounds the number of these tasks.
    pub(super) async fn end(
        self: Arc<Self>,
        object: Object,
        backend: i32,
        owner: Option<StatementOwner>,
    ) {
        let token = object.cancel_token();
        tokio::select! {
            // Completes after everything that was sent before it, or fails when the connection is closed.
            answer = object.query_typed("SELECT 1", &[]) => {
                tracing::debug!(backend, responds = answer.is_ok(), "an abandoned connection is closed");
            }
            () = self.press(token, backend, owner) => {}
        }
        drop(Object::take(object));
    }

    /// Cancels, then terminates, without an end.
    async fn press(&self, token: CancelToken, backend: i32, owner: Option<StatementOwner>) {
        // A cancel request that arrives before its statement starts has no effect, so it is repeated.
        for attempt in 1..=CANCELS {
            let sent = tokio::time::timeout(WAIT, token.cancel_query(self.tls.clone())).await;
            tracing::debug!(attempt, sent = sent.is_ok(), "the statement was cancelled");
            tokio::time::sleep(CANCEL_PAUSE).await;
        }
        tracing::warn!(
            backend,
            "a statement goes on although it was cancelled; its backend is terminated"
        );
        let _counted = owner.map(|owner| Counted::new(self, owner));
        let mut pause = FIRST_PAUSE;
        loop {
            match tokio::time::timeout(WAIT, self.terminate(backend)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(backend, %error, "cannot terminate the backend"),
                Err(_) => tracing::warn!(backend, "cannot terminate the backend: no response"),
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }

    async fn terminate(&self, backend: i32) -> Result<(), tokio_postgres::Error> {
        let _one_at_a_time = self.control.lock().await;
        let (client, connection) = self.login.connect(self.tls.clone()).await?;
        let parameters: [(&(dyn ToSql + Sync), Type); 1] = [(&backend, Type::INT4)];
        let terminate = client.query_typed(TERMINATE, &parameters);
        tokio::select! {
            answer = terminate => answer.map(drop),
            ended = connection => ended,
        }
    }
}

/// One backend that counts for the owner of its statement until it is dropped.
struct Counted<'a> {
    overdue: &'a Overdue,
    owner: StatementOwner,
}

impl<'a> Counted<'a> {
    fn new(overdue: &'a Overdue, owner: StatementOwner) -> Self {
        let mut owners = overdue.owners.lock().unwrap_or_else(PoisonError::into_inner);
        *owners.entry(owner).or_default() += 1;
        Self { overdue, owner }
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let mut owners = self.overdue.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = owners.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                owners.remove(&self.owner);
            }
        }
    }
}
