//! Background tasks: expiry, catalog refresh, reconnecting to databases that were unavailable at the start, and reading what
//! catalogs do not yet have.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::task::JoinHandle;
use wherefore_engine::catalog::Catalog;

use crate::config::{Config, Tenant};
use crate::data_source::DataSource;
use crate::database::{Database, Reading};
use crate::startup::{
    StartError, keep_catalog, knowledge, read_roles, read_tables_soon, role_knowledge, with_pack,
};
use crate::state::AppState;

/// Interval of expiry in the store.
const SWEEP: Duration = Duration::from_mins(1);
/// Interval of attempts to reach a database that was unavailable at the start.
const TRY: Duration = Duration::from_secs(2);
/// Time after which a catalog is replaced by what was read since; it doubles each time.
const REPLACE: Duration = Duration::from_secs(5);

/// Starts the background tasks, which run until they are aborted.
pub fn run_background_tasks(config: Config, state: AppState) -> JoinHandle<()> {
    tokio::spawn(async move {
        tokio::join!(sweep(&state), refresh(&config, &state), catch_up(&config, &state));
    })
}

async fn sweep(state: &AppState) {
    loop {
        if let Err(error) = state.store.sweep(state.questions.history_days).await {
            tracing::warn!(%error, "cannot delete expired rows from the store");
        }
        state.limits.sweep();
        state.access.attempts.sweep();
        tokio::time::sleep(SWEEP).await;
    }
}

/// Reads all catalogs again and again.
async fn refresh(config: &Config, state: &AppState) {
    let refresh = Duration::from_mins(u64::from(config.refresh_minutes));
    if refresh.is_zero() {
        return;
    }
    loop {
        tokio::time::sleep(refresh).await;
        for tenant in config.all_tenants() {
            let Some(source) = state.sources.get(&tenant.name) else { continue };
            if source.unread_tables() > 0 {
                continue;
            }
            if let Err(error) = refresh_catalog(config, &tenant, &source, state).await {
                tracing::warn!(%error, "cannot refresh the catalog; keeping the previous one");
            }
        }
    }
}

/// Reads what the catalogs do not yet have, and those of databases that were unavailable at the start.
async fn catch_up(config: &Config, state: &AppState) {
    join_all(config.all_tenants().iter().map(async |tenant| {
        let Some(source) = state.sources.get(&tenant.name) else { return };
        let mut reading = source.take_reading();
        while source.is_away() {
            match refresh_catalog(config, tenant, &source, state).await {
                Ok(unread) => {
                    tracing::info!(tenant = tenant.name, "the database is available again");
                    source.set_away(false);
                    reading = unread;
                }
                Err(error) => {
                    tracing::debug!(%error, "the database is still unavailable");
                    tokio::time::sleep(TRY).await;
                }
            }
        }
        if let Some(reading) = reading {
            follow(config, tenant, &source, state, reading).await;
        }
    }))
    .await;
}

/// Replaces the served catalog whenever further tables have been read, until all have.
async fn follow(
    config: &Config,
    tenant: &Tenant,
    source: &DataSource,
    state: &AppState,
    mut reading: Reading,
) {
    let Some(database) = &source.database else { return };
    let mut pause = REPLACE;
    let mut is_complete = false;
    while !is_complete {
        is_complete = reading.completed_within(pause).await;
        pause *= 2;
        let replaced = replace(config, tenant, source, state, database, reading.catalog()).await;
        if let Err(error) = replaced {
            tracing::warn!(%error, "cannot replace the catalog; keeping the previous one");
        }
    }
}

/// Reads the catalog again, and replaces the one that is served when the new one is complete. One that is stored, since its
/// database was unavailable, is replaced soon; the rest of the reading is returned.
async fn refresh_catalog(
    config: &Config,
    tenant: &Tenant,
    source: &DataSource,
    state: &AppState,
) -> Result<Option<Reading>, StartError> {
    let Some(database) = &source.database else { return Ok(None) };
    let experiment = state.questions.experiment.as_deref();
    let roles = read_roles(config, &**database).await?;
    if !roles.is_empty() {
        for (role, knowledge) in role_knowledge(config, tenant, roles, experiment)? {
            source.set_role_knowledge(&role, knowledge);
        }
        return Ok(None);
    }
    let (mut catalog, mut reading) = read_tables_soon(config, tenant, Some(database)).await?;
    if !source.is_away()
        && let Some(mut unread) = reading.take()
    {
        unread.completed().await;
        catalog = unread.catalog();
    }
    replace(config, tenant, source, state, database, catalog).await?;
    Ok(reading)
}

/// Serves another catalog from now on, if it differs.
async fn replace(
    config: &Config,
    tenant: &Tenant,
    source: &DataSource,
    state: &AppState,
    database: &Arc<dyn Database>,
    catalog: Catalog,
) -> Result<(), StartError> {
    keep_catalog(&state.store, tenant, &database.address(), &catalog).await;
    let (config, tenant, experiment) =
        (config.clone(), tenant.clone(), state.questions.experiment.clone());
    // The index of a large catalog takes a while.
    let built = tokio::task::spawn_blocking(move || {
        knowledge(&config, &tenant, with_pack(&tenant, catalog)?, experiment.as_deref())
    });
    let built = built.await.map_err(std::io::Error::other)??;
    if built.etag != source.knowledge().etag {
        source.set_knowledge(built);
    }
    Ok(())
}
