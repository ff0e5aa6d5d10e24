//! Statements of templates, read once by a host that has the reader of SQL.

use serde::{Deserialize, Serialize};

use crate::sql::tree::Query;

/// The statement of a query template as a tree: with it a host without feature `sql` answers from templates too.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateStatement {
    /// Name of the template.
    pub template: String,
    /// The statement, with its placeholders; it goes through the guard like any other.
    pub query: Query,
}

#[cfg(feature = "sql")]
impl TemplateStatement {
    /// Statements of all templates of a catalog; one that cannot be read is left out.
    pub fn read_all(catalog: &crate::catalog::Catalog) -> Vec<Self> {
        let read = |sql: &str| crate::sql::read(sql, crate::sql::ReadDialect::Postgres).ok();
        catalog
            .templates
            .iter()
            .filter_map(|template| {
                Some(Self { template: template.name.clone(), query: read(&template.sql)? })
            })
            .collect()
    }
}
