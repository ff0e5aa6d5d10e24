//! What every request shares.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use wherefore_engine::writing::WritingSettings;

use crate::model::Model;
use crate::source::Source;
use crate::store::Store;

/// Tenant of those who need not say who they are.
pub const DEFAULT_TENANT: &str = "default";

/// What every request shares.
#[derive(Clone)]
pub struct AppState {
    /// The language model, where one is configured.
    pub model: Option<Arc<dyn Model>>,
    /// How statements are written by it.
    pub writing: WritingSettings,
    /// Time that a clarification waits for its answer.
    pub session_lifetime: Duration,
    /// Sessions.
    pub store: Store,
    sources: Arc<BTreeMap<String, Arc<Source>>>,
}

impl AppState {
    /// State of these data sources, by tenant, without a model.
    pub fn new(sources: BTreeMap<String, Arc<Source>>, store: Store) -> Self {
        Self {
            model: None,
            writing: WritingSettings::default(),
            session_lifetime: Duration::from_mins(15),
            store,
            sources: Arc::new(sources),
        }
    }

    /// Data source of a tenant.
    pub fn source(&self, tenant: &str) -> Option<Arc<Source>> {
        self.sources.get(tenant).cloned()
    }

    /// Every data source, by tenant.
    pub fn sources(&self) -> &BTreeMap<String, Arc<Source>> {
        &self.sources
    }
}
