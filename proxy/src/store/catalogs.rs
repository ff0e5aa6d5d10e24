//! Copies of catalogs, for starting while a database is unavailable.

use super::value::Statement;
use super::{Store, StoreError};

impl Store {
    /// Stored catalog of a tenant and database address, as JSON.
    pub async fn catalog(&self, tenant: &str, address: &str) -> Result<Option<String>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT catalog FROM catalogs WHERE tenant = $1 AND address = $2",
                [tenant.into(), address.into()],
            ))
            .await?;
        row.map(|mut row| row.text(0)).transpose()
    }

    /// Stores a catalog, replacing the previous one.
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
