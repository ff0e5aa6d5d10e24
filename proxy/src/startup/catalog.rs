//! Catalog of a tenant: read from its database or file, with a copy in the store for starts without the database, and
//! merged with its pack.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wherefore_engine::catalog::Catalog;

use super::error::StartError;
use crate::catalog::{file, pack};
use crate::config::{Config, Tenant};
use crate::database::{Database, Reading};
use crate::store::{Store, StoreError};

/// Time from the start of reading a catalog after which it is served, even if what the tables hold is not read yet.
const AT_ONCE: Duration = Duration::from_millis(1_500);

/// Stores a copy of a catalog, for starts while its database is unavailable. One that is not complete replaces none.
pub(crate) async fn keep_catalog(store: &Store, tenant: &Tenant, address: &str, catalog: &Catalog) {
    if catalog.unread_tables > 0
        && store.catalog(&tenant.name, address).await.is_ok_and(|kept| kept.is_some())
    {
        return;
    }
    let kept = match serde_json::to_string(catalog) {
        Ok(text) => store.keep_catalog(&tenant.name, address, text).await,
        Err(error) => Err(StoreError::Failed(error.to_string())),
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "cannot store the catalog for starts without the database");
    }
}

/// Copy of a catalog in the store; `None` if there is none that can be read.
pub(super) async fn kept_catalog(store: &Store, tenant: &Tenant, address: &str) -> Option<Catalog> {
    let text = match store.catalog(&tenant.name, address).await {
        Ok(text) => text?,
        Err(error) => {
            tracing::warn!(%error, "cannot read the stored catalog");
            return None;
        }
    };
    match serde_json::from_str::<Catalog>(&text) {
        // Nothing is being read while the database is unavailable.
        Ok(catalog) => Some(Catalog { unread_tables: 0, ..catalog }),
        Err(error) => {
            tracing::warn!(%error, "cannot parse the stored catalog; it may be from another version");
            None
        }
    }
}

/// Catalog of a tenant, merged with its pack.
pub(crate) async fn read_catalog(
    config: &Config,
    tenant: &Tenant,
    database: Option<&dyn Database>,
) -> Result<Catalog, StartError> {
    with_pack(tenant, read_tables(config, tenant, database).await?)
}

/// Catalog of the database or file as it can be served soon, and the reading of what it does not yet have.
pub(crate) async fn read_tables_soon(
    config: &Config,
    tenant: &Tenant,
    database: Option<&Arc<dyn Database>>,
) -> Result<(Catalog, Option<Reading>), StartError> {
    let Some(database) = database else {
        return Ok((read_tables(config, tenant, None).await?, None));
    };
    tracing::info!(address = database.address(), "reading the catalog");
    let start = Instant::now();
    let reading = Reading::start(database).await;
    let mut reading =
        reading.map_err(|source| StartError::Database { address: database.address(), source })?;
    let elapsed_ms = start.elapsed().as_millis() as u64;
    tracing::info!(elapsed_ms, "the structure of the catalog is read");
    let is_complete = reading.completed_soon(AT_ONCE.saturating_sub(start.elapsed())).await;
    let catalog = reading.catalog();
    if !is_complete {
        let unread = catalog.unread_tables;
        tracing::info!(unread, "the values of some tables are read while the proxy serves");
    }
    Ok((catalog, (!is_complete).then_some(reading)))
}

/// Catalog of a tenant as it can be served soon, merged with its pack. What is not read yet stays unread.
pub(crate) async fn read_catalog_soon(
    config: &Config,
    tenant: &Tenant,
    database: Option<&Arc<dyn Database>>,
) -> Result<Catalog, StartError> {
    let (catalog, _) = read_tables_soon(config, tenant, database).await?;
    with_pack(tenant, Catalog { unread_tables: 0, ..catalog })
}

/// Catalog of the database or file.
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

/// A catalog merged with the pack of the tenant.
pub(crate) fn with_pack(tenant: &Tenant, mut catalog: Catalog) -> Result<Catalog, StartError> {
    if let Some(path) = &tenant.pack {
        pack::apply(path, &mut catalog)?;
    }
    Ok(catalog)
}
