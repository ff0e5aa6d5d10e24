//! Shared dependencies and settings for answering questions.

use std::sync::Arc;
use std::time::Duration;

use wherefore_engine::writing::WritingSettings;

use super::experiment::Experiment;
use super::popular::Popular;
use super::runs::Runs;
use crate::identity::Identity;
use crate::limits::Limits;
use crate::model::{Embedder, Model};
use crate::store::Store;

/// Dependencies and settings for answering questions, shared by all requests.
#[derive(Clone)]
pub struct Questions {
    /// The embedding model, if one is configured.
    pub embedder: Option<Arc<Embedder>>,
    /// The current experiment, if any.
    pub experiment: Option<Arc<Experiment>>,
    /// Days for which history is kept; 0 disables the history.
    pub history_days: u32,
    /// Limits of users, such as tokens of the language model.
    pub limits: Arc<Limits>,
    /// The language model, if one is configured.
    pub model: Option<Arc<dyn Model>>,
    /// What the users of each tenant choose.
    pub popular: Arc<Popular>,
    /// Questions that run in this process.
    pub runs: Arc<Runs>,
    /// Time that a clarification waits for its answer.
    pub session_lifetime: Duration,
    /// Whether memory can be shared by everyone of a tenant.
    pub shared_memory: bool,
    /// Sessions, history and memory.
    pub store: Store,
    /// Settings of the language model for writing statements.
    pub writing: WritingSettings,
}

impl Questions {
    /// Variant of the experiment for a user or person; empty if there is none.
    pub(crate) fn variant_of(&self, caller: &Identity, person: Option<&str>) -> &str {
        self.experiment.as_ref().map_or("", |experiment| experiment.variant_of(caller, person))
    }

    /// Use cases with this store, default settings and no language model.
    pub fn new(store: Store) -> Self {
        Self {
            embedder: None,
            experiment: None,
            history_days: 90,
            limits: Arc::default(),
            model: None,
            popular: Arc::default(),
            runs: Arc::default(),
            session_lifetime: Duration::from_mins(15),
            shared_memory: false,
            store,
            writing: WritingSettings::default(),
        }
    }
}
