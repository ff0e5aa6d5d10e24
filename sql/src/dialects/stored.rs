//! Stored tables of the sources of a statement.

use std::collections::BTreeSet;

use wherefore_catalog::{Catalog, Table};

use crate::Dialect;
use crate::diagnostic::Diagnostic;
use crate::names::matches;
use crate::print::Target;
use crate::tree::{Query, Source};

use super::unprintable;
use super::walk::{self, Done, Visitor};

/// The stored tables that the sources of a statement refer to.
pub(super) struct Tables<'a> {
    catalog: &'a Catalog,
    /// Names of common table expressions, in lower case.
    common: BTreeSet<String>,
}

impl<'a> Tables<'a> {
    /// Refuses a statement in which a common table expression has the name of a stored table, because a source of that
    /// name can be either.
    pub(super) fn of(
        tree: &mut Query,
        catalog: &'a Catalog,
        target: Target,
    ) -> Result<Self, Diagnostic> {
        let mut names = CommonNames { names: BTreeSet::new() };
        walk::query(&mut names, tree)?;
        let common = names.names;
        let hidden =
            catalog.tables.iter().find(|table| common.contains(&table.name.to_lowercase()));
        match hidden {
            Some(table) => {
                let what = format!("WITH {}, which is also the name of a table", table.name);
                Err(unprintable(target, what))
            }
            None => Ok(Self { catalog, common }),
        }
    }

    /// The catalog of the tables.
    pub(super) fn catalog(&self) -> &'a Catalog {
        self.catalog
    }

    /// The stored table that a source refers to.
    pub(super) fn of_source(&self, source: &Source) -> Option<&'a Table> {
        let Source::Table { schema, name, .. } = source else { return None };
        if schema.is_none() && self.common.contains(&name.name.to_lowercase()) {
            return None;
        }
        self.catalog.tables.iter().find(|table| matches(name, &table.name, Dialect::Postgres))
    }
}

struct CommonNames {
    names: BTreeSet<String>,
}

impl Visitor for CommonNames {
    fn query(&mut self, query: &mut Query) -> Done {
        self.names.extend(query.with.iter().map(|table| table.name.name.to_lowercase()));
        Ok(())
    }
}
