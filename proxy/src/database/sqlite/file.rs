//! An SQLite file, and work on connections from its pool.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::authorizer::Scope;
use super::failure::failure;
use super::pool::{Pooled, WAIT, take};
use super::watch::{CancelOnDrop, Watch};
use crate::database::DatabaseError;

/// Virtual machine instructions of SQLite between two checks of the deadline, about 0.1 ms.
pub(super) const STEPS: i32 = 1_000;

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

    /// Runs a closure with a connection of the pool, on a thread for blocking work.
    pub(super) async fn with_connection<T: Send + 'static>(
        &self,
        budget: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
    ) -> Result<T, DatabaseError> {
        let watch = Watch::new(budget);
        let cancel = CancelOnDrop(Arc::clone(&watch));
        let result = self.start(watch, budget, work).await?.await;
        drop(cancel);
        result.unwrap_or_else(|error| Err(DatabaseError::Unavailable(error.to_string())))
    }

    /// Waits for a free connection and starts a closure with it, on a thread for blocking work.
    pub(super) async fn start<T: Send + 'static>(
        &self,
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
        Ok(tokio::task::spawn_blocking(move || {
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
