//! Background tasks: expiry, catalog refresh, and reconnecting to databases that were unavailable at the start.

use std::time::Duration;

use tokio::task::JoinHandle;

use crate::config::{Config, Tenant};
use crate::data_source::DataSource;
use crate::startup::{
    StartError, keep_catalog, knowledge, read_roles, read_tables, role_knowledge, with_pack,
};
use crate::state::AppState;

/// Interval of expiry in the store.
const SWEEP: Duration = Duration::from_mins(1);
/// Interval of attempts to reach a database that was unavailable at the start.
const TRY: Duration = Duration::from_secs(2);

/// Starts the background tasks, which run until they are aborted.
pub fn run_background_tasks(config: Config, state: AppState) -> JoinHandle<()> {
    tokio::spawn(async move {
        tokio::join!(sweep(&config, &state), catch_up(&config, &state));
    })
}

async fn sweep(config: &Config, state: &AppState) {
    let mut since_refresh = Duration::ZERO;
    let refresh = Duration::from_mins(u64::from(config.refresh_minutes));
    loop {
        if let Err(error) = state.store.sweep(state.questions.history_days).await {
            tracing::warn!(%error, "cannot delete expired rows from the store");
        }
        state.limits.sweep();
        state.access.attempts.sweep();
        tokio::time::sleep(SWEEP).await;
        since_refresh += SWEEP;
        if !refresh.is_zero() && since_refresh >= refresh {
            since_refresh = Duration::ZERO;
            for tenant in config.all_tenants() {
                if let Some(source) = state.sources.get(&tenant.name) {
                    let result = refresh_catalog(config, &tenant, &source, state).await;
                    if let Err(error) = result {
                        tracing::warn!(%error, "cannot refresh the catalog; keeping the previous one");
                    }
                }
            }
        }
    }
}

/// Reads the catalogs of databases that were unavailable at the start, until all are available.
async fn catch_up(config: &Config, state: &AppState) {
    loop {
        let mut all_back = true;
        for tenant in config.all_tenants() {
            let Some(source) = state.sources.get(&tenant.name).filter(|source| source.is_away())
            else {
                continue;
            };
            match refresh_catalog(config, &tenant, &source, state).await {
                Ok(()) => {
                    tracing::info!(tenant = tenant.name, "the database is available again");
                    source.set_away(false);
                }
                Err(error) => {
                    tracing::debug!(%error, "the database is still unavailable");
                    all_back = false;
                }
            }
        }
        if all_back {
            return;
        }
        tokio::time::sleep(TRY).await;
    }
}

async fn refresh_catalog(
    config: &Config,
    tenant: &Tenant,
    source: &DataSource,
    state: &AppState,
) -> Result<(), StartError> {
    let Some(database) = &source.database else { return Ok(()) };
    let experiment = state.questions.experiment.as_deref();
    let roles = read_roles(config, &**database).await?;
    if !roles.is_empty() {
        for (role, knowledge) in role_knowledge(config, tenant, roles, experiment)? {
            source.set_role_knowledge(&role, knowledge);
        }
        return Ok(());
    }
    let catalog = read_tables(config, tenant, Some(&**database)).await?;
    keep_catalog(&state.store, tenant, &database.address(), &catalog).await;
    let knowledge = knowledge(config, tenant, with_pack(tenant, catalog)?, experiment)?;
    if knowledge.etag != source.knowledge().etag {
        source.set_knowledge(knowledge);
    }
    Ok(())
}
