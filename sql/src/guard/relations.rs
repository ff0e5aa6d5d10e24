//! Resolution of table and view names.

use crate::Dialect;
use crate::diagnostic::{Code, Diagnostic};
use crate::names::matches;
use crate::tree::Identifier;
use wherefore_catalog::{Catalog, Table};

use crate::suggest;

/// The tables of the catalog, looked up by a dialect's name rules.
pub(super) struct Relations<'a> {
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Whether a name without a schema also matches a table in another schema, if only one table has that name.
    any_schema: bool,
}

impl<'a> Relations<'a> {
    pub(super) fn new(catalog: &'a Catalog, dialect: Dialect) -> Self {
        Self { catalog, dialect, any_schema: false }
    }

    pub(super) fn of_any_schema(catalog: &'a Catalog, dialect: Dialect) -> Self {
        Self { catalog, dialect, any_schema: true }
    }

    /// The table that a name refers to, or the diagnostic if there is none.
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

    /// The only table of this name in any schema, if schemas are optional.
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
            message: format!("unknown table {:?}", written(schema, name)),
            hint: suggest::hint(nearest),
            span: name.span,
        }
    }
}

/// Schema of names without one.
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
