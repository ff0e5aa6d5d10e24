//! From options to a state that is ready to serve.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;
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
use crate::database::{Database, DatabaseError, LoginFinding, Severity, Unproven};
use crate::experiment::{Experiment, ExperimentError};
use crate::limits::Limits;
use crate::model::{Model, OpenAiModel};
use crate::source::{Knowledge, Source};
use crate::state::{AppState, Shared};
use crate::store::{Store, StoreError};
use crate::values::Values;

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

impl StartError {
    /// Whether a database cannot be reached now, and may be later.
    fn is_away(&self) -> bool {
        matches!(self, Self::Database { source, .. } if source.is_retryable())
    }
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
    let address = config.store_address()?;
    let mut reached = Vec::new();
    for tenant in config.all_tenants() {
        if tenant.address()?.is_some_and(|source| source.same_login(&address)) {
            return Err(StartError::StoreLogin(address.to_string()));
        }
        reached.push(reach(config, tenant).await?);
    }
    // What is wrong with a source is told before a store is made.
    let store = Store::open(&address).await?;
    let mut sources = BTreeMap::new();
    for reached in reached {
        let name = reached.tenant.name.clone();
        let source = open_source(config, reached, &store, experiment.as_ref()).await?;
        sources.insert(name, Arc::new(source));
    }
    let mut state = Shared::new(sources, store);
    state.access = access;
    state.experiment = experiment.map(Arc::new);
    state.model = model;
    state.writing = writing_settings(config)?;
    state.limits = Arc::new(Limits::new(&config.limits));
    state.session_lifetime = config.session_lifetime();
    state.history_days = config.history_days;
    state.shared_memory = config.shared_memory;
    Ok(state.into())
}

/// A tenant's source, with its catalog or why its database is away.
struct Reached {
    tenant: Tenant,
    database: Option<Arc<dyn Database>>,
    catalog: Result<Catalog, StartError>,
}

async fn reach(config: &Config, tenant: Tenant) -> Result<Reached, StartError> {
    let database = tenant.address()?.map(|address| open_database(config, &address)).transpose()?;
    let read = async {
        if let Some(database) = &database {
            check_login(database.as_ref(), config.allow_privileged_login).await?;
        }
        read_tables(config, &tenant, database.as_deref()).await
    };
    let catalog = match read.await {
        Err(error) if !error.is_away() => return Err(error),
        read => read,
    };
    Ok(Reached { tenant, database, catalog })
}

async fn open_source(
    config: &Config,
    reached: Reached,
    store: &Store,
    experiment: Option<&Experiment>,
) -> Result<Source, StartError> {
    let Reached { tenant, mut database, catalog } = reached;
    let address = database.as_ref().map(|database| database.address()).unwrap_or_default();
    let away = catalog.is_err();
    let catalog = match catalog {
        Ok(catalog) => {
            if database.is_some() {
                keep_catalog(store, &tenant, &address, &catalog).await;
            }
            catalog
        }
        Err(error) => {
            let Some(copy) = kept_catalog(store, &tenant, &address).await else {
                return Err(error);
            };
            tracing::warn!(%error, "the catalog is that of an earlier start until the database is back");
            if !config.allow_privileged_login {
                database = database.map(|inner| Arc::new(Unproven::new(inner)) as _);
            }
            copy
        }
    };
    let knowledge = knowledge(config, &tenant, with_pack(&tenant, catalog)?, experiment)?;
    let mut source = Source::new(knowledge, database, config.run_limits());
    source.exports = config.export_limits();
    source.values = Values::new(config.value_settings());
    source.set_away(away);
    Ok(source)
}

/// Keeps a catalog for a start while its database is away.
pub(crate) async fn keep_catalog(store: &Store, tenant: &Tenant, address: &str, catalog: &Catalog) {
    let kept = match serde_json::to_string(catalog) {
        Ok(text) => store.keep_catalog(&tenant.name, address, text).await,
        Err(error) => Err(StoreError::Failed(error.to_string())),
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "the catalog is not kept for starts without its database");
    }
}

/// Catalog that was read at an earlier start; none where none was, or where it is of another version.
async fn kept_catalog(store: &Store, tenant: &Tenant, address: &str) -> Option<Catalog> {
    let text = store.catalog(&tenant.name, address).await.ok()??;
    serde_json::from_str(&text).ok()
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
    with_pack(tenant, read_tables(config, tenant, database).await?)
}

/// The catalog of the database or of the file.
pub(crate) async fn read_tables(
    config: &Config,
    tenant: &Tenant,
    database: Option<&dyn Database>,
) -> Result<Catalog, StartError> {
    Ok(match (database, &tenant.catalog) {
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
    })
}

/// A catalog with what the tenant's pack adds.
pub(crate) fn with_pack(tenant: &Tenant, mut catalog: Catalog) -> Result<Catalog, StartError> {
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
