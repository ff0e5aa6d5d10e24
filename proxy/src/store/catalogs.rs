//! Catalogs as they were read last, for starts while a database is away.

use super::value::Statement;
use super::{Store, StoreError};

impl Store {
    /// Catalog of a tenant's database at this address, as JSON.
    pub async fn catalog(&self, tenant: &str, address: &str) -> Result<Option<String>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT catalog FROM catalogs WHERE tenant = $1 AND address = $2",
                [tenant.into(), address.into()],
            ))
            .await?;
        row.map(|mut row| row.text(0)).transpose()
    }

    /// Keeps a catalog in place of the one before.
    pub async fn keep_catalog(
        &self,
        tenant: &str,
        address: &str,
        catalog: String,
    ) -> Result<(), StoreError> {
        self.change_one(Statement::new(
            "INSERT INTO catalogs (tenant, address, catalog) VALUES ($1, $2, $3) \
             ON CONFLICT (tenant, address) DO UPDATE SET catalog = excluded.catalog \
             WHERE catalogs.catalog <> excluded.catalog",
            [tenant.into(), address.into(), catalog.into()],
        ))
        .await
        .map(drop)
    }
}
