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
use wherefore_engine::writing::WritingSettings;
use wherefore_engine::{Knowledge as EngineKnowledge, TemplateStatement};

use crate::access::{Access, TokensError};
use crate::catalog::file::{self, FileError};
use crate::catalog::pack::{self, PackError};
use crate::config::{Config, Contradiction, DatabaseAddress, Tenant};
use crate::database::postgres::Postgres;
use crate::database::sqlite::Sqlite;
use crate::database::{Database, DatabaseError, LoginFinding, Severity};
use crate::experiment::{Experiment, ExperimentError};
use crate::limits::Limits;
use crate::model::{Model, OpenAiModel};
use crate::source::{Knowledge, Source};
use crate::state::AppState;
use crate::store::{Store, StoreError};
use crate::values::Values;

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
    /// The experiment is refused.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
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
    /// The options of the model are refused.
    #[error("{0}")]
    Model(String),
    /// The one who started the program belongs to no tenant.
    #[error("no tenant is called default, whose data is asked about on standard input")]
    NoLocalTenant,
    /// Options do not go together.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The pack is refused.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The login may do more than read.
    #[error(
        "database {address} is not read with this login: {findings}; or start with --allow-privileged-login"
    )]
    PrivilegedLogin {
        /// Address without a password.
        address: String,
        /// What it may do, and what to do about it.
        findings: String,
    },
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
    let model = open_model(config)?;
    let experiment = config.experiments.as_deref().map(Experiment::read).transpose()?;
    let store = config.store_address()?;
    let mut sources = BTreeMap::new();
    for tenant in config.all_tenants() {
        let source = open_source(config, &tenant, &store, experiment.as_ref()).await?;
        sources.insert(tenant.name, Arc::new(source));
    }
    let mut state = AppState::new(sources, Store::open(&store).await?);
    state.access = access;
    state.experiment = experiment.map(Arc::new);
    state.model = model;
    state.writing = writing_settings(config)?;
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
    experiment: Option<&Experiment>,
) -> Result<Source, StartError> {
    let address = tenant.address()?;
    if address.as_ref().is_some_and(|source| source.same_login(store)) {
        return Err(StartError::StoreLogin(store.to_string()));
    }
    let database = address.map(|address| open_database(config, &address)).transpose()?;
    if let Some(database) = &database {
        check_login(database.as_ref(), config.allow_privileged_login).await?;
    }
    let catalog = read_catalog(config, tenant, database.as_deref()).await?;
    let knowledge = knowledge(config, tenant, catalog, experiment)?;
    let mut source = Source::new(knowledge, database, config.run_limits());
    source.exports = config.export_limits();
    source.values = Values::new(config.value_settings());
    Ok(source)
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
                        refresh_catalog(&config, &tenant, &source, state.experiment.as_deref())
                            .await;
                    }
                }
            }
        }
    })
}

async fn refresh_catalog(
    config: &Config,
    tenant: &Tenant,
    source: &Source,
    experiment: Option<&Experiment>,
) {
    let Some(database) = &source.database else { return };
    let read = async {
        let catalog = read_catalog(config, tenant, Some(&**database)).await?;
        knowledge(config, tenant, catalog, experiment)
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

/// Refuses a login that may do more than read, unless that is allowed; then it is logged.
pub async fn check_login(database: &dyn Database, allowed: bool) -> Result<(), StartError> {
    let address = database.address();
    let findings = database
        .check_login()
        .await
        .map_err(|source| StartError::Database { address: address.clone(), source })?;
    let mut refused = Vec::new();
    for LoginFinding { code, severity, message, remedy } in findings {
        if severity == Severity::Refuse && !allowed {
            refused.push(format!("{message} ({remedy})"));
        } else if severity == Severity::Refuse || code != "file_is_writable" {
            tracing::warn!(address, code, remedy, "{message}");
        } else {
            tracing::info!(address, code, remedy, "{message}");
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(StartError::PrivilegedLogin { address, findings: refused.join("; ") })
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

/// The model that the options name; none where they name none.
pub(crate) fn open_model(config: &Config) -> Result<Option<Arc<dyn Model>>, StartError> {
    let model = OpenAiModel::new(&config.model).map_err(StartError::Model)?;
    Ok(model.map(|model| Arc::new(model) as Arc<dyn Model>))
}

/// Settings of writing, from their file and from what the model takes.
fn writing_settings(config: &Config) -> Result<WritingSettings, StartError> {
    let mut settings = match &config.model.writing {
        None => WritingSettings::default(),
        Some(path) => {
            let refused = |error: String| {
                StartError::Model(format!("settings of writing {}: {error}", path.display()))
            };
            let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
            toml::from_str(&text).map_err(|error| refused(error.to_string()))?
        }
    };
    if let Some(tokens) = config.model.llm_context_tokens {
        settings.context_tokens = tokens;
    }
    Ok(settings)
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
    experiment: Option<&Experiment>,
) -> Result<Knowledge, StartError> {
    let tables = catalog.tables.len();
    let model = config.model.llm_url.is_some();
    let settings = Settings { row_limit: config.row_limit, model, ..Settings::default() };
    let statements = TemplateStatement::read_all(&catalog);
    let lessons = tenant.lessons.as_deref().map(read_lessons).transpose()?.unwrap_or_default();
    let everyone = EngineKnowledge { catalog, settings, statements, lessons, thesaurus: None };
    let mut variants = BTreeMap::new();
    if let Some(experiment) = experiment {
        for (name, settings) in experiment.settings(&everyone.settings)? {
            let variant = Knowledge::new(EngineKnowledge { settings, ..everyone.clone() })?;
            variants.insert(name.to_owned(), Arc::new(variant));
        }
    }
    let knowledge = Knowledge::new(everyone)?.with_variants(variants);
    for reason in knowledge.engine.ignored_lessons() {
        tracing::warn!(%reason, "a lesson is ignored");
    }
    tracing::info!(tables, bytes = knowledge.json.len(), "catalog was read");
    Ok(knowledge)
}
