//! Statements of templates, read once by a host that has the reader of SQL.

use serde::{Deserialize, Serialize};

use crate::sql::packed;
use crate::sql::tree::Query;

/// The statement of a query template as a tree: with it a host without feature `sql` answers from templates too.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateStatement {
    /// Name of the template.
    pub template: String,
    /// The statement's tree, packed, with its placeholders; it goes through the guard like any other.
    pub tree: Vec<u8>,
}

impl TemplateStatement {
    /// The statement; none where another version of the engine packed it.
    pub(super) fn query(&self) -> Option<Query> {
        packed::unpack(&self.tree)
    }

    /// Statements of all templates of a catalog; one that cannot be read is left out.
    #[cfg(feature = "sql")]
    pub fn read_all(catalog: &crate::catalog::Catalog) -> Vec<Self> {
        let read = |sql: &str| crate::sql::read_plain(sql, crate::sql::ReadDialect::Postgres).ok();
        catalog
            .templates
            .iter()
            .filter_map(|template| {
                let tree = packed::pack(&read(&template.sql)?)?;
                Some(Self { template: template.name.clone(), tree })
            })
            .collect()
    }
}
