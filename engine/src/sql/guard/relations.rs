//! Tables and views that a name can mean.

use crate::catalog::{Catalog, Table};
use crate::sql::Dialect;
use crate::sql::diagnostic::{Code, Diagnostic};
use crate::sql::names::matches;
use crate::sql::tree::Identifier;

use crate::sql::suggest;

/// The catalog's tables under the name rules of a dialect.
pub(super) struct Relations<'a> {
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Whether a bare name may mean the one table of that name in any schema.
    any_schema: bool,
}

impl<'a> Relations<'a> {
    pub(super) fn new(catalog: &'a Catalog, dialect: Dialect) -> Self {
        Self { catalog, dialect, any_schema: false }
    }

    pub(super) fn of_any_schema(catalog: &'a Catalog, dialect: Dialect) -> Self {
        Self { catalog, dialect, any_schema: true }
    }

    /// The table that a name means, or why there is none.
    pub(super) fn table(
        &self,
        schema: Option<&Identifier>,
        name: &Identifier,
    ) -> Result<&'a Table, Diagnostic> {
        let found = self.catalog.tables.iter().find(|table| {
            self.is_in_schema(table, schema) && matches(name, &table.name, self.dialect)
        });
        match found {
            Some(table) if schema.is_some() || !is_system(&table.name, self.dialect) => Ok(table),
            _ => self
                .only_one(name)
                .filter(|_| schema.is_none())
                .ok_or_else(|| self.unknown(schema, name)),
        }
    }

    /// The table of this name, where any schema will do and only one has it.
    fn only_one(&self, name: &Identifier) -> Option<&'a Table> {
        let mut named = self.catalog.tables.iter().filter(|table| {
            matches(name, &table.name, self.dialect) && !is_system(&table.name, self.dialect)
        });
        match (named.next(), named.next()) {
            (Some(table), None) if self.any_schema => Some(table),
            _ => None,
        }
    }

    fn is_in_schema(&self, table: &Table, schema: Option<&Identifier>) -> bool {
        let default = default_schema(self.dialect);
        let stored = table.schema.as_deref().unwrap_or(default);
        match schema {
            Some(schema) => matches(schema, stored, self.dialect),
            None => stored == default,
        }
    }

    fn unknown(&self, schema: Option<&Identifier>, name: &Identifier) -> Diagnostic {
        let schema_is_known = schema.is_none_or(|schema| {
            self.catalog.tables.iter().any(|table| self.is_in_schema(table, Some(schema)))
        });
        if !schema_is_known || is_system(&name.name, self.dialect) {
            let message = format!("{:?} is not a table of this data source", written(schema, name));
            return Diagnostic::new(Code::Relation, message, name.span);
        }
        let keys: Vec<String> = self.catalog.tables.iter().map(Table::key).collect();
        let names = self.catalog.tables.iter().map(|table| table.name.as_str());
        let nearest = suggest::nearest(&name.name, names).and_then(|near| {
            let at = self.catalog.tables.iter().position(|table| table.name == near)?;
            keys.get(at).map(String::as_str)
        });
        Diagnostic {
            code: Code::UnknownTable,
            message: format!("there is no table {:?}", written(schema, name)),
            hint: suggest::hint(nearest),
            span: name.span,
        }
    }
}

/// Schema of tables that are named without one.
pub(crate) fn default_schema(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Postgres => "public",
        Dialect::Sqlite => "main",
    }
}

fn is_system(name: &str, dialect: Dialect) -> bool {
    let lower = name.to_ascii_lowercase();
    match dialect {
        Dialect::Postgres => lower.starts_with("pg_"),
        Dialect::Sqlite => lower.starts_with("sqlite_") || lower.starts_with("pragma_"),
    }
}

fn written(schema: Option<&Identifier>, name: &Identifier) -> String {
    match schema {
        Some(schema) => format!("{}.{}", schema.name, name.name),
        None => name.name.clone(),
    }
}
