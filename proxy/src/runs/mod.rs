//! Questions under way in this process: what they have passed, and how they are told to stop.

mod run;
mod told;

pub(crate) use run::{News, Run};
pub(crate) use told::{End, Told};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::store::{RequestKey, Store};

/// Time between two looks at what other proxies were asked to stop; a question stops within twice that.
const LOOK: Duration = Duration::from_millis(400);

/// Questions under way, by who asked them and under which id.
#[derive(Debug, Default)]
pub struct Runs {
    live: Mutex<Live>,
}

#[derive(Debug, Default)]
struct Live {
    runs: BTreeMap<RequestKey, Arc<Run>>,
    /// Whether a task looks for what is to stop; it ends when nothing is under way.
    is_watched: bool,
}

/// A question under way; it is over when this is dropped.
pub(crate) struct LiveRun {
    runs: Arc<Runs>,
    key: RequestKey,
    pub(crate) run: Arc<Run>,
}

impl Runs {
    /// A question that is now under way.
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

    /// The question of this key, while it is under way here.
    pub(crate) fn get(&self, key: &RequestKey) -> Option<Arc<Run>> {
        self.live().runs.get(key).cloned()
    }

    /// Stops a question; false where it is not under way here.
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
        // Nobody waits for a question whose work ended without an answer.
        self.run.end(End::default());
    }
}

/// Stops what another proxy was asked to stop, as long as anything is under way.
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
                tracing::debug!(%error, "what is to stop is not known");
                continue;
            }
        };
        for key in marked {
            if runs.cancel(&key)
                && let Err(error) = store.forget_cancellation(&key).await
            {
                tracing::debug!(%error, "a mark that was heeded stays");
            }
        }
    }
}
