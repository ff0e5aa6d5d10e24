//! Data source of a tenant: database, limits of a run, the engine with its catalog, and stored values.

mod restricted;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::database::{Database, Reading, RunLimits, Turns};
use crate::holder::Holder;
use crate::knowledge::Knowledge;
use crate::problem::{Problem, ProblemCode};
use crate::rights::Rights;
use crate::values::{ValueReader, ValueSettings, Values};
use restricted::Restricted;

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

/// An engine that can be replaced, shared by all who use it.
type Held = Arc<RwLock<Arc<Knowledge>>>;

/// Data source of one tenant, read with one role of the database and the rights of one caller.
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
    knowledge: Held,
    away: AtomicBool,
    /// Reads what the catalog does not yet have.
    reading: Mutex<Option<Reading>>,
    restricted: Option<Restricted>,
    /// Whether it is read with the rights of a caller, which may hide rows.
    hides_rows: bool,
}

impl DataSource {
    /// A data source with these limits.
    pub fn new(
        knowledge: Knowledge,
        database: Option<Arc<dyn Database>>,
        limits: RunLimits,
    ) -> Self {
        let values = Values::default();
        let exports = RunLimits {
            cost: limits.cost,
            estimated_rows: limits.estimated_rows,
            confirm_rows: limits.confirm_rows,
            ..RunLimits::export()
        };
        let turns = Arc::new(Turns::new(CONNECTIONS));
        let knowledge = Arc::new(RwLock::new(Arc::new(knowledge)));
        let (away, restricted, hides_rows) = (AtomicBool::new(false), None, false);
        Self {
            database,
            limits,
            exports,
            turns,
            values,
            knowledge,
            away,
            reading: Mutex::default(),
            restricted,
            hides_rows,
        }
    }

    /// Restricts what is served to what the rights of each caller show; a caller without rights is refused. Each role has
    /// an engine of its own.
    pub fn restrict(&mut self, settings: ValueSettings, roles: BTreeMap<String, Knowledge>) {
        self.restricted = Some(Restricted::new(settings, roles));
    }

    /// The data source as a caller with these rights sees it.
    pub(crate) fn for_rights(
        self: &Arc<Self>,
        rights: Option<&Rights>,
    ) -> Result<Arc<Self>, Problem> {
        match (&self.restricted, rights) {
            (None, None) => Ok(Arc::clone(self)),
            (Some(restricted), Some(rights)) => {
                restricted.source(rights, |values| self.with_rights(restricted, rights, values))
            }
            (Some(_), None) => {
                let detail = "this data source is read only with the rights that a token grants";
                Err(Problem::new(ProblemCode::MissingClaim, detail))
            }
            (None, Some(_)) => Err(Problem::internal("a data source without rights")),
        }
    }

    /// A data source on the same connections, with caches of its own.
    fn with_rights(
        &self,
        restricted: &Restricted,
        rights: &Rights,
        values: Values,
    ) -> Option<Self> {
        let knowledge = match rights.role() {
            Some(role) => restricted.role(role)?,
            None => &self.knowledge,
        };
        let database = self.database.as_ref()?.with_rights(rights)?;
        Some(Self {
            database: Some(database),
            limits: self.limits,
            exports: self.exports,
            turns: Arc::clone(&self.turns),
            values,
            knowledge: Arc::clone(knowledge),
            away: AtomicBool::new(false),
            reading: Mutex::default(),
            restricted: None,
            hides_rows: true,
        })
    }

    /// Whether rows may be hidden from the caller, so that an empty result does not say that there are none.
    pub(crate) fn hides_rows(&self) -> bool {
        self.hides_rows
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

    /// Number of tables whose values are still being read.
    pub fn unread_tables(&self) -> u32 {
        self.knowledge().engine.catalog().unread_tables
    }

    /// Keeps the reading of what the catalog does not yet have, until a background task takes it.
    pub fn set_reading(&self, reading: Reading) {
        *self.reading.lock().unwrap_or_else(PoisonError::into_inner) = Some(reading);
    }

    /// Takes the reading of what the catalog does not yet have, if there is any.
    pub fn take_reading(&self) -> Option<Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The current engine. A request keeps the one it started with.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        Arc::clone(&self.knowledge.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the engine of a role for later requests, if its catalog is another one.
    pub fn set_role_knowledge(&self, role: &str, knowledge: Knowledge) {
        let Some(restricted) = &self.restricted else { return };
        let Some(held) = restricted.role(role) else { return };
        let mut held = held.write().unwrap_or_else(PoisonError::into_inner);
        if held.etag != knowledge.etag {
            *held = Arc::new(knowledge);
            restricted.clear();
        }
    }

    /// Replaces the engine for later requests.
    pub fn set_knowledge(&self, knowledge: Knowledge) {
        *self.knowledge.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(knowledge);
        self.values.clear();
        if let Some(restricted) = &self.restricted {
            restricted.clear();
        }
    }
}
