//! Command `catalog export`: the catalog of a data source as JSON, for use without the data source.

use std::path::PathBuf;

use thiserror::Error;

use crate::config::{CatalogAction, CatalogExport, Contradiction};
use crate::rights::without_values as remove_values;
use crate::startup::{StartError, open_database, read_catalog};

/// Why a command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CatalogCommandError {
    /// The catalog cannot be written as JSON.
    #[error("cannot write the catalog as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The options do not specify a data source.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Output {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        reason: String,
    },
    /// The data source cannot be read.
    #[error(transparent)]
    Source(#[from] StartError),
    /// The options specify tenants, and not this one.
    #[error("unknown tenant: {0}")]
    UnknownTenant(String),
}

/// Runs a command and returns its output.
pub async fn run(action: CatalogAction) -> Result<String, CatalogCommandError> {
    match action {
        CatalogAction::Export(export) => write(*export).await,
    }
}

async fn write(export: CatalogExport) -> Result<String, CatalogCommandError> {
    let CatalogExport { tenant: name, without_values, output, config } = export;
    config.check()?;
    let tenants = config.all_tenants();
    let Some(tenant) = tenants.into_iter().find(|tenant| tenant.name == name) else {
        return Err(CatalogCommandError::UnknownTenant(name));
    };
    let database = match tenant.address()? {
        Some(address) => Some(open_database(&config, &address)?),
        None => None,
    };
    let mut catalog = read_catalog(&config, &tenant, database.as_deref()).await?;
    // Whoever reads the file has no access to the data source.
    catalog.can_execute = false;
    if without_values {
        remove_values(&mut catalog);
    }
    let text = serde_json::to_string_pretty(&catalog)?;
    let Some(path) = output else { return Ok(text) };
    match std::fs::write(&path, text + "\n") {
        Ok(()) => Ok(format!("{} tables written to {}", catalog.tables.len(), path.display())),
        Err(error) => Err(CatalogCommandError::Output { path, reason: error.to_string() }),
    }
}
