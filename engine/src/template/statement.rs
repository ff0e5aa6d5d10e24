//! Parsed statements of templates.

use serde::{Deserialize, Serialize};

use wherefore_sql::packed;
use wherefore_sql::tree::Query;

/// The parsed statement of a query template, for engines without feature `sql`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateStatement {
    /// Name of the template.
    pub template: String,
    /// The statement's tree with its placeholders, in packed form; the guard checks it like any other.
    pub tree: Vec<u8>,
}

impl TemplateStatement {
    /// The statement; `None` if another version of the engine packed it.
    pub(super) fn query(&self) -> Option<Query> {
        packed::unpack(&self.tree)
    }

    /// Parses the statements of all templates; one that cannot be parsed is left out.
    #[cfg(feature = "sql")]
    pub fn read_all(catalog: &crate::catalog::Catalog) -> Vec<Self> {
        let read =
            |sql: &str| wherefore_sql::read_plain(sql, wherefore_sql::ReadDialect::Postgres).ok();
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
