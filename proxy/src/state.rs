//! State that the requests of a process share.

use std::sync::Arc;

use axum::extract::FromRef;
use tokio_util::sync::CancellationToken;

use crate::access::{Access, Gate};
use crate::data_source::DataSources;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::questions::Questions;
use crate::store::Store;

/// State that the requests of a process share. Handlers extract the parts they need. Cloning is cheap.
#[derive(Clone)]
pub struct AppState {
    /// Access rules.
    pub access: Access,
    /// Rate and concurrency limits.
    pub limits: Arc<Limits>,
    /// Metrics of the process.
    pub metrics: Arc<Metrics>,
    /// Use cases of questions.
    pub questions: Arc<Questions>,
    /// Data sources, by tenant.
    pub sources: DataSources,
    /// Cancelled at shutdown, which ends event streams.
    pub stopping: CancellationToken,
    /// Store of sessions, history and memory.
    pub store: Store,
}

impl AppState {
    /// State with these parts. Limits and store are taken from `questions`.
    pub fn new(access: Access, sources: impl Into<DataSources>, questions: Questions) -> Self {
        Self {
            access,
            limits: Arc::clone(&questions.limits),
            metrics: Arc::default(),
            sources: sources.into(),
            stopping: CancellationToken::new(),
            store: questions.store.clone(),
            questions: Arc::new(questions),
        }
    }
}

/// Lets handlers extract a part of the state.
macro_rules! part {
    ($field:ident: $kind:ty) => {
        impl FromRef<AppState> for $kind {
            fn from_ref(state: &AppState) -> Self {
                state.$field.clone()
            }
        }
    };
}

part!(access: Access);
part!(limits: Arc<Limits>);
part!(metrics: Arc<Metrics>);
part!(questions: Arc<Questions>);
part!(sources: DataSources);
part!(store: Store);

impl FromRef<AppState> for Gate {
    fn from_ref(state: &AppState) -> Self {
        let AppState { access, metrics, store, .. } = state.clone();
        Self { access, metrics, store }
    }
}
