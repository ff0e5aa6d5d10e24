//! A data source as callers meet it: database, caps, the engine over its catalog, and searches for values.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use axum::body::Bytes;
use wherefore_engine::Engine;
use wherefore_engine::Knowledge as EngineKnowledge;
use wherefore_engine::settings::Settings;

use crate::database::{Database, RunLimits};
use crate::values::Values;

/// A data source of one tenant, with one role of the database.
pub struct Source {
    /// The database; none for a catalog given as a file.
    pub database: Option<Arc<dyn Database>>,
    /// Caps of a run.
    pub limits: RunLimits,
    /// Caps of a run whose rows are taken away.
    pub exports: RunLimits,
    /// Lists of stored values, and searches for them.
    pub values: Values,
    knowledge: RwLock<Arc<Knowledge>>,
    away: AtomicBool,
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
    /// When the catalog was read.
    pub read_at: Instant,
    variants: BTreeMap<String, Arc<Knowledge>>,
}

impl Knowledge {
    /// Engine and JSON of a catalog and settings.
    pub fn new(knowledge: EngineKnowledge) -> Result<Self, serde_json::Error> {
        let engine = Engine::new(knowledge.clone());
        let thesaurus = Some(engine.thesaurus().to_owned());
        let json = serde_json::to_vec(&EngineKnowledge { thesaurus, ..knowledge })?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&json);
        let etag = format!("\"{:016x}\"", hasher.finish());
        let variants = BTreeMap::new();
        Ok(Self { engine, json: json.into(), etag, read_at: Instant::now(), variants })
    }

    /// The same with variants of an experiment, by name.
    #[must_use]
    pub fn with_variants(self, variants: BTreeMap<String, Arc<Self>>) -> Self {
        Self { variants, ..self }
    }

    /// The same with other settings of the engine, which shares the index.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self {
            engine: self.engine.with_settings(settings),
            json: self.json.clone(),
            etag: self.etag.clone(),
            read_at: self.read_at,
            variants: BTreeMap::new(),
        }
    }

    /// The knowledge of a variant; that of everyone where none has this name.
    pub fn of_variant(self: &Arc<Self>, name: &str) -> Arc<Self> {
        Arc::clone(self.variants.get(name).unwrap_or(self))
    }
}

impl Source {
    /// A source with these caps.
    pub fn new(
        knowledge: Knowledge,
        database: Option<Arc<dyn Database>>,
        limits: RunLimits,
    ) -> Self {
        let values = Values::default();
        let exports = RunLimits { cost: limits.cost, ..RunLimits::export() };
        let knowledge = RwLock::new(Arc::new(knowledge));
        Self { database, limits, exports, values, knowledge, away: AtomicBool::new(false) }
    }

    /// Whether the database was away at the start, and its catalog was not read since.
    pub fn is_away(&self) -> bool {
        self.away.load(Ordering::Relaxed)
    }

    /// Says whether the database is away.
    pub fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::Relaxed);
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
