//! What every request shares.

use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::body::Bytes;
use wherefore_engine::Engine;
use wherefore_engine::Knowledge as EngineKnowledge;

use crate::database::{Database, RunLimits};
use crate::model::Model;
use crate::store::Store;
use crate::values::Values;

/// What every request shares.
#[derive(Clone)]
pub struct AppState {
    /// The database; none for a catalog given as a file.
    pub database: Option<Arc<dyn Database>>,
    /// Caps of a run.
    pub limits: RunLimits,
    /// The language model, where one is configured.
    pub model: Option<Arc<dyn Model>>,
    /// Time that a clarification waits for its answer.
    pub session_lifetime: Duration,
    /// Sessions.
    pub store: Store,
    /// Searches for stored values.
    pub values: Values,
    knowledge: Arc<RwLock<Arc<Knowledge>>>,
}

/// The engine with what it was built from, as sent to clients.
#[derive(Debug)]
pub struct Knowledge {
    /// The engine.
    pub engine: Engine,
    /// Catalog and settings as JSON.
    pub json: Bytes,
    /// Entity tag of the JSON, in quotes.
    pub etag: String,
}

impl Knowledge {
    /// Engine and JSON of a catalog and settings.
    pub fn new(knowledge: EngineKnowledge) -> Result<Self, serde_json::Error> {
        let json = serde_json::to_vec(&knowledge)?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&json);
        let etag = format!("\"{:016x}\"", hasher.finish());
        Ok(Self { engine: Engine::new(knowledge), json: json.into(), etag })
    }
}

impl AppState {
    /// State without a database and a model.
    pub fn new(knowledge: Knowledge, store: Store) -> Self {
        Self {
            database: None,
            limits: RunLimits::default(),
            model: None,
            session_lifetime: Duration::from_secs(15 * 60),
            store,
            values: Values::default(),
            knowledge: Arc::new(RwLock::new(Arc::new(knowledge))),
        }
    }

    /// The engine as of now; a request keeps the one it began with.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        Arc::clone(&self.knowledge.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the engine, for requests to come.
    pub fn set_knowledge(&self, knowledge: Knowledge) {
        *self.knowledge.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(knowledge);
        self.values.clear();
    }
}
