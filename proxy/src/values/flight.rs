//! Reads that concurrent callers share.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use moka::future::Cache;

use crate::database::DatabaseError;

/// Number of reads of others that a caller waits for before it is refused as they are.
const FLIGHTS: usize = 3;

/// The cached value of a key, read by the first of those that ask for it at the same time.
///
/// The caller that reads may be refused a turn. That error is its own: the others try again, and each may read then.
pub(super) async fn shared<K, V, F>(
    cache: &Cache<K, V>,
    key: &K,
    read: impl Fn() -> F,
) -> Result<V, DatabaseError>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    F: Future<Output = Result<V, DatabaseError>>,
{
    let mut refused = DatabaseError::Busy;
    for _ in 0..FLIGHTS {
        let is_own = AtomicBool::new(false);
        let reading = cache.try_get_with(key.clone(), async {
            is_own.store(true, Ordering::Relaxed);
            read().await
        });
        let error: Arc<DatabaseError> = match reading.await {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        refused = DatabaseError::clone(&error);
        if is_own.load(Ordering::Relaxed) || !refused.is_of_caller() {
            break;
        }
    }
    Err(refused)
}
