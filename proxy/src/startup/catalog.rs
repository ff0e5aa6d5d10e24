//! Catalog of a tenant: read from its database or file, with a copy in the store for starts without the database, and
//! merged with its pack.

use wherefore_engine::catalog::Catalog;

use super::error::StartError;
use crate::catalog::{file, pack};
use crate::config::{Config, Tenant};
use crate::database::Database;
use crate::store::{Store, StoreError};

/// Stores a copy of a catalog, for starts while its database is unavailable.
pub(crate) async fn keep_catalog(store: &Store, tenant: &Tenant, address: &str, catalog: &Catalog) {
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
    match serde_json::from_str(&text) {
        Ok(catalog) => Some(catalog),
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
