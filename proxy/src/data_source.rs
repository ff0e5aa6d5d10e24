//! Data source of a tenant: database, limits of a run, the engine with its catalog, and stored values.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::database::{Database, RunLimits, Turns};
use crate::holder::Holder;
use crate::knowledge::Knowledge;
use crate::values::{ValueReader, Values};

/// All data sources, by tenant. Cloning is cheap.
#[derive(Clone, Default)]
pub struct DataSources(Arc<BTreeMap<String, Arc<DataSource>>>);

impl DataSources {
    /// Data source of a tenant.
    pub fn get(&self, tenant: &str) -> Option<Arc<DataSource>> {
        self.0.get(tenant).cloned()
    }

    /// All data sources.
    pub fn all(&self) -> impl Iterator<Item = &Arc<DataSource>> {
        self.0.values()
    }
}

impl From<BTreeMap<String, Arc<DataSource>>> for DataSources {
    fn from(sources: BTreeMap<String, Arc<DataSource>>) -> Self {
        Self(Arc::new(sources))
    }
}

/// Default number of connections to a database.
pub(crate) const CONNECTIONS: u32 = 4;

/// Data source of one tenant, read with one role of the database.
pub struct DataSource {
    /// The database; `None` for a catalog from a file.
    pub database: Option<Arc<dyn Database>>,
    /// Limits of a run.
    pub limits: RunLimits,
    /// Limits of an export.
    pub exports: RunLimits,
    /// Turns of statements on the connections to the database.
    pub turns: Arc<Turns>,
    /// Cached lists of stored values, and searches.
    pub values: Values,
    knowledge: RwLock<Arc<Knowledge>>,
    away: AtomicBool,
}

impl DataSource {
    /// A data source with these limits.
    pub fn new(
        knowledge: Knowledge,
        database: Option<Arc<dyn Database>>,
        limits: RunLimits,
    ) -> Self {
        let values = Values::default();
        let exports = RunLimits { cost: limits.cost, ..RunLimits::export() };
        let turns = Arc::new(Turns::new(CONNECTIONS));
        let (knowledge, away) = (RwLock::new(Arc::new(knowledge)), AtomicBool::new(false));
        Self { database, limits, exports, turns, values, knowledge, away }
    }

    /// Reads stored values on behalf of a caller; `None` without a database.
    pub fn value_reader(&self, who: &Holder) -> Option<ValueReader> {
        let (database, turns) = (self.database.clone()?, Arc::clone(&self.turns));
        Some(ValueReader { database, turns, who: who.clone() })
    }

    /// Whether the database was unavailable at the start and its catalog is not yet read.
    pub fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    /// Sets whether the database is unavailable.
    pub fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
    }

    /// The current engine. A request keeps the one it started with.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        Arc::clone(&self.knowledge.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the engine for later requests.
    pub fn set_knowledge(&self, knowledge: Knowledge) {
        *self.knowledge.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(knowledge);
        self.values.clear();
    }
}
