//! Addresses of data sources and of the store.

use super::Config;
use super::contradiction::Contradiction;
use super::tenants::{Tenant, address_in};
use crate::database::DatabaseAddress;
use crate::identity::DEFAULT_TENANT;

impl Config {
    /// Address of the store, from its option or file.
    pub fn store_address(&self) -> Result<DatabaseAddress, Contradiction> {
        match &self.store_file {
            Some(path) => address_in(path)
                .map_err(|reason| Contradiction::new(format!("store_file: {reason}"))),
            None => Ok(self.store.clone()),
        }
    }

    /// All tenants. If none is configured, the configured data source belongs to the default tenant.
    pub fn all_tenants(&self) -> Vec<Tenant> {
        if !self.tenants.is_empty() {
            return self.tenants.clone();
        }
        vec![Tenant {
            name: DEFAULT_TENANT.to_owned(),
            database: self.source.database.clone(),
            database_env: None,
            database_file: self.source.database_file.clone(),
            catalog: self.source.catalog.clone(),
            pack: self.pack.clone(),
            lessons: self.lessons.clone(),
        }]
    }
}
