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

use crate::catalog::file::{self, FileError};
use crate::catalog::pack::{self, PackError};
use crate::config::Config;
use crate::database::postgres::Postgres;
use crate::database::sqlite::Sqlite;
use crate::database::{Database, DatabaseError, LoginFinding, Severity};
use crate::source::{Knowledge, Source};
use crate::state::{AppState, DEFAULT_TENANT};
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
    /// The address can be reached by other machines.
    #[error("address {0} can be reached by other machines: only loopback addresses are served")]
    NotLoopback(std::net::SocketAddr),
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
    /// The catalog cannot be written as JSON.
    #[error("catalog cannot be written as JSON: {0}")]
    Unwritable(#[from] serde_json::Error),
}

/// Opens everything that the options name.
pub async fn start(config: &Config) -> Result<AppState, StartError> {
    if !config.listen.ip().is_loopback() {
        return Err(StartError::NotLoopback(config.listen));
    }
    if let Some(folder) = &config.static_files
        && !folder.join("index.html").is_file()
    {
        return Err(StartError::StaticFiles(folder.clone()));
    }
    let database = open_database(config)?;
    if let Some(database) = &database {
        check_login(database.as_ref(), config.allow_privileged_login).await?;
    }
    let catalog = read_catalog(config, database.as_deref()).await?;
    let knowledge = knowledge(config, catalog)?;
    let mut source = Source::new(knowledge, database, config.run_limits());
    source.exports = config.export_limits();
    source.values = Values::new(config.value_settings());
    let sources = BTreeMap::from([(DEFAULT_TENANT.to_owned(), Arc::new(source))]);
    let mut state = AppState::new(sources, Store::open(&config.store)?);
    state.session_lifetime = config.session_lifetime();
    Ok(state)
}

/// Sweeps the store, and reads the catalog anew, until it is aborted.
pub fn keep_up(config: Config, state: AppState) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut since_refresh = Duration::ZERO;
        let refresh = Duration::from_mins(u64::from(config.refresh_minutes));
        loop {
            if let Err(error) = state.store.sweep().await {
                tracing::warn!(%error, "store was not swept");
            }
            tokio::time::sleep(SWEEP).await;
            since_refresh += SWEEP;
            if !refresh.is_zero() && since_refresh >= refresh {
                since_refresh = Duration::ZERO;
                for source in state.sources().values() {
                    refresh_catalog(&config, source).await;
                }
            }
        }
    })
}

async fn refresh_catalog(config: &Config, source: &Source) {
    let Some(database) = &source.database else { return };
    let read = async {
        let catalog = read_catalog(config, Some(&**database)).await?;
        knowledge(config, catalog)
    };
    match read.await {
        Ok(knowledge) if knowledge.etag == source.knowledge().etag => {}
        Ok(knowledge) => source.set_knowledge(knowledge),
        Err(error) => tracing::warn!(%error, "catalog stays as it was"),
    }
}

fn open_database(config: &Config) -> Result<Option<Arc<dyn Database>>, StartError> {
    let Some(address) = &config.source.database else { return Ok(None) };
    if !address.is_postgres() {
        return Ok(Some(Arc::new(Sqlite::new(address.secret(), config.connections))));
    }
    let database = Postgres::new(address, config.connections)
        .map_err(|source| StartError::Database { address: address.to_string(), source })?;
    Ok(Some(Arc::new(database)))
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

async fn read_catalog(
    config: &Config,
    database: Option<&dyn Database>,
) -> Result<Catalog, StartError> {
    let mut catalog = match (database, &config.source.catalog) {
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
    if let Some(path) = &config.pack {
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

fn knowledge(config: &Config, catalog: Catalog) -> Result<Knowledge, StartError> {
    let tables = catalog.tables.len();
    let settings = Settings { row_limit: config.row_limit, ..Settings::default() };
    let statements = TemplateStatement::read_all(&catalog);
    let lessons = config.lessons.as_deref().map(read_lessons).transpose()?.unwrap_or_default();
    let knowledge = Knowledge::new(EngineKnowledge { catalog, settings, statements, lessons })?;
    for reason in knowledge.engine.ignored_lessons() {
        tracing::warn!(%reason, "a lesson is ignored");
    }
    tracing::info!(tables, bytes = knowledge.json.len(), "catalog was read");
    Ok(knowledge)
}
