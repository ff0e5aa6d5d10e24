//! What every request shares.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use wherefore_engine::writing::WritingSettings;

use crate::access::Access;
use crate::experiment::Experiment;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::model::Model;
use crate::runs::Runs;
use crate::source::Source;
use crate::store::Store;

/// Tenant of those who need not say who they are.
pub const DEFAULT_TENANT: &str = "default";

/// What every request shares; a copy is a pointer.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl From<Shared> for AppState {
    fn from(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

/// What [`AppState`] points to.
#[derive(Clone)]
pub struct Shared {
    /// The experiment that users take part in, where there is one.
    pub experiment: Option<Arc<Experiment>>,
    /// Who may ask.
    pub access: Access,
    /// How much may be asked.
    pub limits: Arc<Limits>,
    /// Figures of the process.
    pub metrics: Arc<Metrics>,
    /// Days that history is kept; 0 keeps none.
    pub history_days: u32,
    /// The language model, where one is configured.
    pub model: Option<Arc<dyn Model>>,
    /// How statements are written by it.
    pub writing: WritingSettings,
    /// Questions under way in this process.
    pub runs: Arc<Runs>,
    /// Time that a clarification waits for its answer.
    pub session_lifetime: Duration,
    /// Whether what is to be remembered may hold for everyone of a tenant.
    pub shared_memory: bool,
    /// Cancelled when the proxy stops; event streams are ended by then without their doing.
    pub stopping: CancellationToken,
    /// Sessions, history, memory and figures.
    pub store: Store,
    sources: Arc<BTreeMap<String, Arc<Source>>>,
}

impl Shared {
    /// State of these data sources, by tenant, without a model; nobody has to say who they are.
    pub fn new(sources: BTreeMap<String, Arc<Source>>, store: Store) -> Self {
        Self {
            experiment: None,
            access: Access::default(),
            limits: Arc::default(),
            metrics: Arc::default(),
            history_days: 90,
            model: None,
            writing: WritingSettings::default(),
            runs: Arc::default(),
            session_lifetime: Duration::from_mins(15),
            shared_memory: false,
            stopping: CancellationToken::new(),
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
