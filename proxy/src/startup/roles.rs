//! Roles that claims are mapped to: each is checked as the login is, and has a catalog of its own.

use std::collections::BTreeMap;

use wherefore_engine::catalog::Catalog;

use super::database::check_login;
use super::error::StartError;
use super::knowledge::knowledge;
use crate::config::{Config, Tenant};
use crate::database::{Database, DatabaseError};
use crate::knowledge::Knowledge;
use crate::questions::Experiment;
use crate::rights::Rights;

/// Catalogs of all roles, each read as its role after it was checked; empty if claims are mapped to none.
pub(crate) async fn read_roles(
    config: &Config,
    database: &dyn Database,
) -> Result<BTreeMap<String, Catalog>, StartError> {
    let mut catalogs = BTreeMap::new();
    for role in config.rights.iter().flat_map(|rights| rights.roles()) {
        let failed = |source: DatabaseError| {
            let address = format!("{} as role {role}", database.address());
            StartError::Database { address, source }
        };
        let unknown = || failed(DatabaseError::Refused("it has no roles".to_owned()));
        let own = database.with_rights(&Rights::of_role(role)).ok_or_else(unknown)?;
        check_login(own.as_ref(), false).await.map_err(|error| match error {
            StartError::Database { source, .. } => failed(source),
            other => other,
        })?;
        catalogs.insert(role.to_owned(), own.read_catalog().await.map_err(failed)?);
    }
    Ok(catalogs)
}

/// Engines of all roles.
pub(crate) fn role_knowledge(
    config: &Config,
    tenant: &Tenant,
    catalogs: BTreeMap<String, Catalog>,
    experiment: Option<&Experiment>,
) -> Result<BTreeMap<String, Knowledge>, StartError> {
    let built = catalogs
        .into_iter()
        .map(|(role, catalog)| Ok((role, knowledge(config, tenant, catalog, experiment)?)));
    built.collect()
}
