//! From options to a state that is ready to serve.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use thiserror::Error;
use tokio::task::JoinHandle;
use wherefore_engine::catalog::Catalog;
use wherefore_engine::memory::Lesson;
use wherefore_engine::settings::Settings;
use wherefore_engine::{Knowledge as EngineKnowledge, TemplateStatement};

use crate::access::{Access, TokensError};
use crate::catalog::file::{self, FileError};
use crate::catalog::pack::{self, PackError};
use crate::config::{Config, Contradiction, DatabaseAddress, Tenant};
use crate::database::postgres::Postgres;
use crate::database::sqlite::Sqlite;
use crate::database::{Database, DatabaseError, RunLimits};
use crate::limits::Limits;
use crate::source::{Knowledge, Source};
use crate::state::AppState;
use crate::store::{Store, StoreError};

/// Time between two sweeps of the store.
const SWEEP: Duration = Duration::from_mins(1);

/// Why the proxy does not start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// The catalog file is refused.
    #[error(transparent)]
    CatalogFile(#[from] FileError),
    /// The database cannot be read.
    #[error("database {address}: {source}")]
    Database {
        /// Address without a password.
        address: String,
        /// What went wrong.
        source: DatabaseError,
    },
    /// The lessons are refused.
    #[error("lessons {path} cannot be read: {reason}")]
    Lessons {
        /// Path of the file.
        path: PathBuf,
        /// What went wrong, with the line.
        reason: String,
    },
    /// The address cannot be listened on.
    #[error("address {address} cannot be listened on: {source}")]
    Listen {
        /// Address.
        address: std::net::SocketAddr,
        /// What went wrong.
        source: std::io::Error,
    },
    /// Options do not go together.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The pack is refused.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// Serving failed.
    #[error("serving failed: {0}")]
    Serve(#[from] std::io::Error),
    /// The folder of the web app holds no page.
    #[error("folder {0} holds no index.html")]
    StaticFiles(PathBuf),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store signs in as the data source does.
    #[error("store {0} has the login of the data source: it needs one of its own")]
    StoreLogin(String),
    /// The keys of tokens cannot be read.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The catalog cannot be written as JSON.
    #[error("catalog cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
}

/// Opens everything that the options name.
pub async fn start(config: &Config) -> Result<AppState, StartError> {
    config.check()?;
    let access = Access::new(config)?;
    if let Some(folder) = &config.static_files
        && !folder.join("index.html").is_file()
    {
        return Err(StartError::StaticFiles(folder.clone()));
    }
    let store = config.store_address()?;
    let mut sources = BTreeMap::new();
    for tenant in config.all_tenants() {
        let source = open_source(config, &tenant, &store).await?;
        sources.insert(tenant.name, Arc::new(source));
    }
    let mut state = AppState::new(sources, Store::open(&store).await?);
    state.access = access;
    state.limits = Arc::new(Limits::new(&config.limits));
    state.session_lifetime = config.session_lifetime();
    state.history_days = config.history_days;
    state.shared_memory = config.shared_memory;
    Ok(state)
}

async fn open_source(
    config: &Config,
    tenant: &Tenant,
    store: &DatabaseAddress,
) -> Result<Source, StartError> {
    let address = tenant.address()?;
    if address.as_ref().is_some_and(|source| source.same_login(store)) {
        return Err(StartError::StoreLogin(store.to_string()));
    }
    let database = address.map(|address| open_database(config, &address)).transpose()?;
    let catalog = read_catalog(config, tenant, database.as_deref()).await?;
    let knowledge = knowledge(config, tenant, catalog)?;
    let limits = RunLimits {
        rows: config.row_limit,
        timeout: config.statement_timeout(),
        ..RunLimits::default()
    };
    Ok(Source::new(knowledge, database, limits))
}

/// Sweeps the store, and reads the catalog anew, until it is aborted.
pub fn keep_up(config: Config, state: AppState) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut since_refresh = Duration::ZERO;
        let refresh = Duration::from_mins(u64::from(config.refresh_minutes));
        loop {
            if let Err(error) = state.store.sweep(state.history_days).await {
                tracing::warn!(%error, "store was not swept");
            }
            state.limits.sweep();
            state.access.attempts.sweep();
            tokio::time::sleep(SWEEP).await;
            since_refresh += SWEEP;
            if !refresh.is_zero() && since_refresh >= refresh {
                since_refresh = Duration::ZERO;
                for tenant in config.all_tenants() {
                    if let Some(source) = state.source(&tenant.name) {
                        refresh_catalog(&config, &tenant, &source).await;
                    }
                }
            }
        }
    })
}

async fn refresh_catalog(config: &Config, tenant: &Tenant, source: &Source) {
    let Some(database) = &source.database else { return };
    let read = async {
        let catalog = read_catalog(config, tenant, Some(&**database)).await?;
        knowledge(config, tenant, catalog)
    };
    match read.await {
        Ok(knowledge) if knowledge.etag == source.knowledge().etag => {}
        Ok(knowledge) => source.set_knowledge(knowledge),
        Err(error) => tracing::warn!(%error, "catalog stays as it was"),
    }
}

pub(crate) fn open_database(
    config: &Config,
    address: &DatabaseAddress,
) -> Result<Arc<dyn Database>, StartError> {
    if !address.is_postgres() {
        return Ok(Arc::new(Sqlite::new(address.secret(), config.connections)));
    }
    let database = Postgres::new(address, config.connections)
        .map_err(|source| StartError::Database { address: address.to_string(), source })?;
    Ok(Arc::new(database))
}

pub(crate) async fn read_catalog(
    config: &Config,
    tenant: &Tenant,
    database: Option<&dyn Database>,
) -> Result<Catalog, StartError> {
    let mut catalog = match (database, &tenant.catalog) {
        (Some(database), _) => {
            tracing::info!(address = database.address(), "reading the catalog");
            database
                .read_catalog()
                .await
                .map_err(|source| StartError::Database { address: database.address(), source })?
        }
        (None, Some(path)) => {
            let (path, dialect) = (path.clone(), config.dialect.into());
            tokio::task::spawn_blocking(move || file::read(&path, dialect))
                .await
                .map_err(std::io::Error::other)??
        }
        (None, None) => Catalog::default(),
    };
    if let Some(path) = &tenant.pack {
        pack::apply(path, &mut catalog)?;
    }
    Ok(catalog)
}

/// Lessons of a file: `[[lessons]]`, each with `term` and `means`.
fn read_lessons(path: &Path) -> Result<Vec<Lesson>, StartError> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        lessons: Vec<Lesson>,
    }
    let refused = |reason: String| StartError::Lessons { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let file: File = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
    Ok(file.lessons)
}

pub(crate) fn knowledge(
    config: &Config,
    tenant: &Tenant,
    catalog: Catalog,
) -> Result<Knowledge, StartError> {
    let tables = catalog.tables.len();
    let settings = Settings { row_limit: config.row_limit, ..Settings::default() };
    let statements = TemplateStatement::read_all(&catalog);
    let lessons = tenant.lessons.as_deref().map(read_lessons).transpose()?.unwrap_or_default();
    let knowledge = Knowledge::new(EngineKnowledge { catalog, settings, statements, lessons })?;
    for reason in knowledge.engine.ignored_lessons() {
        tracing::warn!(%reason, "a lesson is ignored");
    }
    tracing::info!(tables, bytes = knowledge.json.len(), "catalog was read");
    Ok(knowledge)
}
