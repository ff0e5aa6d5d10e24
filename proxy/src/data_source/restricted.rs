//! Data sources as callers with different rights see them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use moka::sync::Cache;

use super::{DataSource, Held};
use crate::knowledge::Knowledge;
use crate::problem::Problem;
use crate::rights::Rights;
use crate::values::{ValueSettings, Values};

/// Maximum number of different rights whose values are cached.
const RIGHTS: u64 = 100;
/// Time after which the values of rights that nobody uses are forgotten.
const IDLE: Duration = Duration::from_mins(30);
/// Maximum number of cached lists of values, for each of the rights.
const LISTS: u64 = 100;
/// Maximum number of cached searches, for each of the rights.
const SEARCHES: u64 = 200;

/// A data source for each of the rights in use, with caches of its own.
pub(super) struct Restricted {
    settings: ValueSettings,
    roles: BTreeMap<String, Held>,
    sources: Cache<Rights, Arc<DataSource>>,
}

impl Restricted {
    /// No data source yet; caches of values have these settings, and hold less. `roles` has the engine of each role.
    pub(super) fn new(settings: ValueSettings, roles: BTreeMap<String, Knowledge>) -> Self {
        let held = |(role, knowledge)| (role, Held::new(RwLock::new(Arc::new(knowledge))));
        let roles = roles.into_iter().map(held).collect();
        let sources = Cache::builder().max_capacity(RIGHTS).time_to_idle(IDLE).build();
        let kept_lists = settings.kept_lists.min(LISTS);
        let kept_searches = settings.kept_searches.min(SEARCHES);
        let settings = ValueSettings { kept_lists, kept_searches, ..settings };
        Self { settings, roles, sources }
    }

    /// The data source of rights, made with empty caches where there is none.
    pub(super) fn source(
        &self,
        rights: &Rights,
        made: impl FnOnce(Values) -> Option<DataSource>,
    ) -> Result<Arc<DataSource>, Problem> {
        if let Some(known) = self.sources.get(rights) {
            return Ok(known);
        }
        let Some(source) = made(Values::new(self.settings)) else {
            return Err(Problem::internal("the database does not know rights"));
        };
        Ok(self.sources.get_with(rights.clone(), || Arc::new(source)))
    }

    /// Engine of a role; `None` if no claim is mapped to it.
    pub(super) fn role(&self, name: &str) -> Option<&Held> {
        self.roles.get(name)
    }

    /// Forgets all values, after the catalog was refreshed.
    pub(super) fn clear(&self) {
        self.sources.invalidate_all();
    }
}

impl fmt::Debug for Restricted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Restricted").finish_non_exhaustive()
    }
}
