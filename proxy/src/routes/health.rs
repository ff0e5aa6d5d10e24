//! `GET health`: liveness. `GET ready`: readiness of every part, with details for authenticated callers.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Extension, Json, Router};
use futures_util::future::join_all;
use moka::future::Cache;
use serde::Serialize;

use crate::access::{Access, Authentication};
use crate::data_source::DataSources;
use crate::database::DatabaseError;
use crate::identity::Identity;
use crate::model::{Model, ModelHealth};
use crate::problem::ProblemCode;
use crate::state::AppState;
use crate::store::Store;

/// Timeout of the check of a part.
const WAIT: Duration = Duration::from_secs(3);
/// Time for which a check of the database and the store is used again, so that requests without a sign-in cannot keep
/// them busy.
const FRESH: Duration = Duration::from_secs(1);

/// Latest check of the database and the store. Concurrent requests share one check.
#[derive(Clone)]
struct Checked(Cache<(), [Part; 2]>);

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Ready {
    status: PartStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum PartStatus {
    Failed,
    NotConfigured,
    Ok,
    Probing,
    /// It is used while it is not complete yet.
    Reading,
    Resting,
}

#[derive(Clone, Debug, Serialize)]
struct Part {
    name: &'static str,
    status: PartStatus,
    /// Code of the failure, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<ProblemCode>,
}

pub(super) fn router() -> Router<AppState> {
    let checked = Extension(Checked::default());
    Router::new().route("/health", get(health)).route("/ready", get(ready).layer(checked))
}

impl Default for Checked {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(1).time_to_live(FRESH).build())
    }
}

impl Checked {
    /// Parts as they are now, or were less than a second ago.
    async fn parts(&self, check: impl Future<Output = [Part; 2]>) -> [Part; 2] {
        self.0.get_with((), check).await
    }
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

impl Part {
    fn new(name: &'static str, status: PartStatus) -> Self {
        Self { name, status, code: None }
    }

    fn ok(name: &'static str) -> Self {
        Self::new(name, PartStatus::Ok)
    }

    fn failed(name: &'static str, code: ProblemCode) -> Self {
        Self { name, status: PartStatus::Failed, code: Some(code) }
    }

    fn not_configured(name: &'static str) -> Self {
        Self::new(name, PartStatus::NotConfigured)
    }
}

async fn ready(
    State(AppState { access, questions, sources, store, .. }): State<AppState>,
    Extension(checked): Extension<Checked>,
    identity: Option<Extension<Identity>>,
) -> (StatusCode, Json<Ready>) {
    let check = async { [database_part(&sources).await, store_part(&store).await] };
    let [database, store] = checked.parts(check).await;
    let model = model_part(questions.model.as_deref());
    let parts = vec![database, store, model, sign_in_part(&access), catalog_part(&sources)];
    let (status, word) = if parts.iter().any(|part| part.status == PartStatus::Failed) {
        (StatusCode::SERVICE_UNAVAILABLE, PartStatus::Failed)
    } else {
        (StatusCode::OK, PartStatus::Ok)
    };
    let is_told = access.is_open() || identity.is_some();
    let parts = if is_told { parts } else { Vec::new() };
    (status, Json(Ready { status: word, parts }))
}

/// All data sources as one part, so that tenants do not learn of each other.
async fn database_part(sources: &DataSources) -> Part {
    let databases = sources.all().filter_map(|source| source.database.clone());
    let pings: Vec<_> = databases
        .map(|database| async move {
            let late = DatabaseError::Unavailable("it did not respond in time".to_owned());
            tokio::time::timeout(WAIT, database.ping()).await.unwrap_or(Err(late))
        })
        .collect();
    if pings.is_empty() {
        return Part::not_configured("database");
    }
    let failure = join_all(pings).await.into_iter().find_map(Result::err);
    failure.map_or(Part::ok("database"), |error| Part::failed("database", error.code()))
}

/// All catalogs as one part.
fn catalog_part(sources: &DataSources) -> Part {
    // The proxy is ready before all values are listed, since a question searches the database for those that are not.
    let is_reading = sources.all().any(|source| source.unread_tables() > 0);
    Part::new("catalog", if is_reading { PartStatus::Reading } else { PartStatus::Ok })
}

async fn store_part(store: &Store) -> Part {
    match tokio::time::timeout(WAIT, store.ping()).await {
        Ok(Ok(())) => Part::ok("store"),
        _ => Part::failed("store", ProblemCode::StoreUnavailable),
    }
}

fn model_part(model: Option<&dyn Model>) -> Part {
    // The proxy is ready without the language model, since composed statements do not need it.
    match model.map(Model::health) {
        None => Part::not_configured("model"),
        Some(ModelHealth::Ok) => Part::ok("model"),
        Some(ModelHealth::Probing) => Part::new("model", PartStatus::Probing),
        Some(ModelHealth::Resting) => Part::new("model", PartStatus::Resting),
    }
}

fn sign_in_part(access: &Access) -> Part {
    match &access.authentication {
        Authentication::None => Part::not_configured("sign_in"),
        Authentication::Tokens(tokens) if !tokens.is_current() => {
            Part::failed("sign_in", ProblemCode::KeySetUnreadable)
        }
        Authentication::Keys | Authentication::Tokens(_) => Part::ok("sign_in"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn concurrent_requests_share_one_check() {
        let (checked, checks) = (Checked::default(), AtomicUsize::new(0));
        let check = || async {
            checks.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            [Part::ok("database"), Part::ok("store")]
        };
        let parts = join_all((0..100).map(|_| checked.parts(check()))).await;
        assert_eq!((parts.len(), checks.into_inner()), (100, 1));
    }
}
