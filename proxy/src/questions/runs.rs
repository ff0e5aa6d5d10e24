//! Registry of the questions that run in this process, for event streams and cancellation.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::answer_summary::Ending;
use super::run::Run;
use crate::store::{RequestKey, Store};

/// Polling interval of cancellations that other proxies received. A question stops within twice this time.
const LOOK: Duration = Duration::from_millis(400);

/// Running questions, by request key.
#[derive(Debug, Default)]
pub struct Runs {
    live: Mutex<Live>,
}

#[derive(Debug, Default)]
struct Live {
    runs: BTreeMap<RequestKey, Arc<Run>>,
    /// Whether the polling task is running; it ends when no question runs.
    is_watched: bool,
}

/// Guard of a running question, which removes it from the registry when dropped.
pub(crate) struct LiveRun {
    runs: Arc<Runs>,
    key: RequestKey,
    pub(crate) run: Arc<Run>,
}

impl Runs {
    /// Registers a running question.
    pub(crate) fn begin(
        self: &Arc<Self>,
        store: &Store,
        key: RequestKey,
        run: Arc<Run>,
    ) -> LiveRun {
        let mut live = self.live();
        live.runs.insert(key.clone(), Arc::clone(&run));
        if !live.is_watched {
            live.is_watched = true;
            tokio::spawn(watch(Arc::clone(self), store.clone()));
        }
        drop(live);
        LiveRun { runs: Arc::clone(self), key, run }
    }

    /// The running question with this key, if it is in this process.
    pub(crate) fn get(&self, key: &RequestKey) -> Option<Arc<Run>> {
        self.live().runs.get(key).cloned()
    }

    /// Cancels a question. Returns `false` if it does not run in this process.
    pub(crate) fn cancel(&self, key: &RequestKey) -> bool {
        let run = self.get(key);
        run.inspect(|run| run.cancel()).is_some()
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        let mut live = self.runs.live();
        if live.runs.get(&self.key).is_some_and(|run| Arc::ptr_eq(run, &self.run)) {
            live.runs.remove(&self.key);
        }
        drop(live);
        // Ends the event streams if the run stopped without an outcome.
        self.run.end(Ending::default());
    }
}

/// Polls for cancellations that other proxies received, while any question runs.
async fn watch(runs: Arc<Runs>, store: Store) {
    loop {
        tokio::time::sleep(LOOK).await;
        {
            let mut live = runs.live();
            if live.runs.is_empty() {
                live.is_watched = false;
                return;
            }
        }
        let marked = match store.cancellations().await {
            Ok(marked) => marked,
            Err(error) => {
                tracing::debug!(%error, "cannot read the cancellations");
                continue;
            }
        };
        for key in marked {
            if runs.cancel(&key)
                && let Err(error) = store.forget_cancellation(&key).await
            {
                tracing::debug!(%error, "cannot delete a cancellation that was carried out");
            }
        }
    }
}
