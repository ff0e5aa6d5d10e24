//! What the users of each tenant choose, read from the store again when that costs little.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wherefore_engine::memory::Chosen;

use super::service::Questions;
use crate::caller::Caller;
use crate::store::Store;

/// How many times as long as reading took, the result is used. Reading then takes at most 1 % of the time.
const KEPT: u32 = 100;
/// Maximum time for which a result is used.
const LONGEST: Duration = Duration::from_mins(5);

/// Choices of each tenant, by its name.
#[derive(Debug, Default)]
pub struct Popular {
    known: Mutex<BTreeMap<String, Known>>,
}

#[derive(Clone, Debug)]
struct Known {
    chosen: Arc<[Chosen]>,
    until: Instant,
}

impl Questions {
    /// What the users of the caller's tenant chose most, for recommendations.
    ///
    /// Nothing if callers have rights, since what others chose can hold values that the caller may not see.
    pub(crate) async fn chosen_by_others(&self, caller: &Caller) -> Arc<[Chosen]> {
        if caller.rights.is_some() {
            return Arc::default();
        }
        self.popular.of(&self.store, &caller.identity.tenant).await
    }
}

impl Popular {
    /// What the users of a tenant chose most; nothing if the store fails.
    pub(super) async fn of(&self, store: &Store, tenant: &str) -> Arc<[Chosen]> {
        if let Some(known) = self.lock().get(tenant)
            && Instant::now() < known.until
        {
            return Arc::clone(&known.chosen);
        }
        let begun = Instant::now();
        let chosen: Arc<[Chosen]> = match store.chosen(tenant).await {
            Ok(chosen) => chosen.into(),
            Err(error) => {
                tracing::warn!(%error, "cannot read what was chosen; continuing without it");
                Arc::default()
            }
        };
        let until = Instant::now() + (begun.elapsed() * KEPT).min(LONGEST);
        let known = Known { chosen: Arc::clone(&chosen), until };
        self.lock().insert(tenant.to_owned(), known);
        chosen
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
