//! Opens everything that the options configure.

use std::collections::BTreeMap;
use std::sync::Arc;

use wherefore_engine::catalog::Catalog;

use super::catalog::{keep_catalog, kept_catalog, read_tables_soon, with_pack};
use super::database::{check_login, open_database};
use super::error::StartError;
use super::knowledge::{engine_settings, knowledge};
use super::model::{open_embedder, open_model, writing_settings};
use super::roles::{read_roles, role_knowledge};
use crate::access::Access;
use crate::config::{Config, LimitOptions, Tenant};
use crate::connections::room_for;
use crate::data_source::DataSource;
use crate::database::{Database, Reading, Turns, Unproven};
use crate::limits::Limits;
use crate::questions::{Experiment, Questions};
use crate::rights::without_rows;
use crate::state::AppState;
use crate::store::Store;
use crate::values::Values;

/// Opens everything that the options configure.
pub async fn start(config: &Config) -> Result<AppState, StartError> {
    config.check()?;
    let access = Access::new(config)?;
    if let Some(folder) = &config.static_files
        && !folder.join("index.html").is_file()
    {
        return Err(StartError::StaticFiles(folder.clone()));
    }
    // Faulty settings stop the start before a database is opened.
    engine_settings(config)?;
    let model = open_model(config)?;
    let embedder = open_embedder(config)?;
    let experiment = config.experiments.as_deref().map(Experiment::read).transpose()?;
    let address = config.store_address()?;
    let mut reached = Vec::new();
    for tenant in config.all_tenants() {
        if tenant.address()?.is_some_and(|source| source.same_login(&address)) {
            return Err(StartError::StoreLogin(address.to_string()));
        }
        reached.push(reach(config, tenant).await?);
    }
    // Data sources are checked before a store is created.
    let store = Store::open(&address).await?;
    let mut sources = BTreeMap::new();
    for reached in reached {
        let name = reached.tenant.name.clone();
        let source = open_source(config, reached, &store, experiment.as_ref()).await?;
        sources.insert(name, Arc::new(source));
    }
    let mut questions = Questions::new(store.clone());
    questions.experiment = experiment.map(Arc::new);
    questions.history_days = config.history_days;
    questions.limits = Arc::new(Limits::new(&within_descriptors(config)));
    questions.model = model;
    questions.embedder = embedder;
    questions.session_lifetime = config.session_lifetime();
    questions.shared_memory = config.shared_memory;
    questions.writing = writing_settings(config)?;
    Ok(AppState::new(access, sources, questions))
}

/// Limits for as many connections as the process has file descriptors for.
fn within_descriptors(config: &Config) -> LimitOptions {
    let wanted = config.limits.open_connections;
    let room = room_for(wanted as usize, config.connections);
    let open_connections = u32::try_from(room).unwrap_or(wanted);
    LimitOptions { open_connections, ..config.limits.clone() }
}

/// Data source of a tenant, with its catalog or the reason why its database is unavailable.
struct Reached {
    tenant: Tenant,
    database: Option<Arc<dyn Database>>,
    catalog: Result<(Catalog, Option<Reading>), StartError>,
    roles: BTreeMap<String, Catalog>,
}

async fn reach(config: &Config, tenant: Tenant) -> Result<Reached, StartError> {
    config.check_rights_of(&tenant)?;
    let database = tenant.address()?.map(|address| open_database(config, &address)).transpose()?;
    if let Some(database) = &database {
        let roles = read_login_and_roles(config, database.as_ref()).await?;
        // Nobody is served without a role, so that any catalog of a role will do for what has none.
        if let Some(catalog) = roles.values().next().cloned() {
            return Ok(Reached {
                tenant,
                database: Some(Arc::clone(database)),
                catalog: Ok((catalog, None)),
                roles,
            });
        }
    }
    let read = async {
        if let Some(database) = &database {
            check_login(database.as_ref(), config.allow_privileged_login).await?;
        }
        read_tables_soon(config, &tenant, database.as_ref()).await
    };
    let catalog = match read.await {
        Err(error) if !error.is_away() => return Err(error),
        read => read,
    };
    Ok(Reached { tenant, database, catalog, roles: BTreeMap::new() })
}

/// Catalogs of all roles, after the login was checked; empty if claims are mapped to none.
async fn read_login_and_roles(
    config: &Config,
    database: &dyn Database,
) -> Result<BTreeMap<String, Catalog>, StartError> {
    if !config.has_roles() {
        return Ok(BTreeMap::new());
    }
    check_login(database, false).await?;
    read_roles(config, database).await
}

async fn open_source(
    config: &Config,
    reached: Reached,
    store: &Store,
    experiment: Option<&Experiment>,
) -> Result<DataSource, StartError> {
    let Reached { tenant, mut database, catalog, roles } = reached;
    let address = database.as_ref().map(|database| database.address()).unwrap_or_default();
    let away = catalog.is_err();
    let (mut catalog, reading) = match catalog {
        Ok((catalog, reading)) => {
            if database.is_some() && roles.is_empty() {
                keep_catalog(store, &tenant, &address, &catalog).await;
            }
            (catalog, reading)
        }
        Err(error) => {
            let Some(copy) = kept_catalog(store, &tenant, &address).await else {
                return Err(error);
            };
            tracing::warn!(%error, "the database is unavailable; using the stored catalog until it responds");
            if !config.allow_privileged_login {
                database = database.map(|inner| Arc::new(Unproven::new(inner)) as _);
            }
            (copy, None)
        }
    };
    if config.rights.is_some() {
        // A copy from before rights were configured holds values.
        without_rows(&mut catalog);
    }
    let knowledge = knowledge(config, &tenant, with_pack(&tenant, catalog)?, experiment)?;
    let mut source = DataSource::new(knowledge, database, config.run_limits());
    source.exports = config.export_limits();
    source.turns = Arc::new(Turns::new(config.connections));
    source.values = Values::new(config.value_settings());
    if config.rights.is_some() {
        let roles = role_knowledge(config, &tenant, roles, experiment)?;
        source.restrict(config.value_settings(), roles);
    }
    source.set_away(away);
    if let Some(reading) = reading {
        source.set_reading(reading);
    }
    Ok(source)
}
