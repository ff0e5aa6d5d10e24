//! An SQLite file, and work on connections from its pool.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::authorizer::Scope;
use super::failure::failure;
use super::pool::{Pooled, WAIT, take};
use super::watch::{CancelOnDrop, Watch};
use crate::database::{DatabaseError, Turn};

/// Virtual machine instructions of SQLite between two checks of the deadline, about 0.01 ms. A single instruction on
/// long texts can take milliseconds.
pub(super) const STEPS: i32 = 100;
/// Time beyond its deadline in which a statement can end before its caller no longer waits for it, and time after that
/// in which it can end before it is overdue.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// An SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    pub(super) path: PathBuf,
    pub(super) connections: u32,
    pub(super) permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Pooled>>>,
    pub(super) scope: RwLock<Arc<Scope>>,
    /// Row count of each table, by its name in lower case.
    pub(super) sizes: RwLock<Arc<BTreeMap<String, f64>>>,
}

impl Sqlite {
    /// The file at a path, with a limit on connections. It is opened on first use.
    pub fn new(path: impl Into<PathBuf>, connections: u32) -> Self {
        Self {
            path: path.into(),
            connections: connections.max(1),
            permits: Arc::new(Semaphore::new(connections.max(1) as usize)),
            idle: Arc::default(),
            scope: RwLock::default(),
            sizes: RwLock::default(),
        }
    }

    /// Runs a closure with a connection of the pool, on a thread for blocking work. If the closure cannot be interrupted,
    /// the caller waits only a little longer than the budget.
    pub(super) async fn with_connection<T: Send + 'static>(
        &self,
        turn: Option<&Turn>,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let watch = Watch::new(budget);
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let working = self.start(turn, watch, budget, work).await?;
        let result = tokio::time::timeout(budget + GRACE, working).await;
        drop(cancel);
        let late = || DatabaseError::Timeout { seconds: budget.as_secs().max(1) };
        let result = result.map_err(|_| late())?;
        result.unwrap_or_else(|error| Err(DatabaseError::Unavailable(error.to_string())))
    }

    /// Waits for a free connection and starts a closure with it, on a thread for blocking work. The closure holds the
    /// turn until it ends.
    pub(super) async fn start<T: Send + 'static>(
        &self,
        turn: Option<&Turn>,
        watch: Arc<Watch>,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<JoinHandle<Result<T, DatabaseError>>, DatabaseError> {
        let permit = tokio::time::timeout(WAIT, Arc::clone(&self.permits).acquire_owned())
            .await
            .map_err(|_| DatabaseError::Busy)?
            .map_err(|_| DatabaseError::Busy)?;
        let (path, idle) = (self.path.clone(), Arc::clone(&self.idle));
        let scope = Arc::clone(&self.scope.read().unwrap_or_else(PoisonError::into_inner));
        let (running, ended) = oneshot::channel::<()>();
        if let Some(turn) = turn.cloned() {
            tokio::spawn(supervise(turn, Arc::clone(&watch), ended));
        }
        Ok(tokio::task::spawn_blocking(move || {
            // Dropped in reverse order: the turn ends last.
            let _running = running;
            let _permit = permit;
            let mut pooled = take(&path, &idle)?;
            let connection = &mut pooled.connection;
            let allowed = Arc::clone(&scope);
            connection
                .authorizer(Some(move |context: rusqlite::hooks::AuthContext<'_>| {
                    allowed.decide(&context)
                }))
                .and_then(|()| connection.progress_handler(STEPS, Some(move || watch.is_over())))
                .map_err(|error| failure(&error, budget))?;
            let result = work(connection);
            let healthy = !matches!(result, Err(DatabaseError::Unavailable(_)));
            if healthy && connection.progress_handler(0, None::<fn() -> bool>).is_ok() {
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(pooled);
            }
            result
        }))
    }
}

/// Holds the turn of a statement until it has ended, and marks it if it goes on after its caller has gone away.
async fn supervise(turn: Turn, watch: Arc<Watch>, mut ended: oneshot::Receiver<()>) {
    tokio::select! {
        biased;
        _ = &mut ended => return,
        () = watch.given_up() => {}
    }
    let mut given_up = turn.give_up();
    if tokio::time::timeout(GRACE, &mut ended).await.is_err() {
        tracing::warn!("a statement goes on although it was interrupted");
        given_up.is_overdue();
        let _ = ended.await;
    }
}
