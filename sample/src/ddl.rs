//! DDL statements for each database.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::PACK;
use crate::error::{Error, Result};
use crate::schema::{ColumnSchema, Schema, TableSchema};

/// Descriptions of tables (`table`) and columns (`table.column`) from the catalog pack.
pub(crate) struct Comments(BTreeMap<String, String>);

#[derive(Deserialize)]
struct Pack {
    tables: Vec<Described>,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    columns: Vec<Described>,
}

impl Comments {
    pub(crate) fn read() -> Result<Self> {
        let pack: Pack = toml::from_str(PACK)
            .map_err(|error| Error::DataFile { file: "pack.toml", message: error.to_string() })?;
        let mut texts = BTreeMap::new();
        for table in pack.tables {
            for column in table.columns {
                texts.insert(format!("{}.{}", table.name, column.name), column.description);
            }
            texts.insert(table.name, table.description);
        }
        texts.retain(|_, text| !text.is_empty());
        Ok(Self(texts))
    }

    fn table(&self, table: &TableSchema) -> Option<&str> {
        self.0.get(&table.name).map(String::as_str)
    }

    fn column(&self, table: &TableSchema, column: &ColumnSchema) -> Option<&str> {
        self.0.get(&format!("{}.{}", table.name, column.name)).map(String::as_str)
    }
}

/// `CREATE TABLE` for SQLite, with keys; descriptions are SQL comments.
pub(crate) fn sqlite_table(schema: &Schema, table: &TableSchema, comments: &Comments) -> String {
    let mut parts: Vec<(String, Option<&str>)> = Vec::new();
    let single_key = table.primary_key.len() == 1;
    for column in &table.columns {
        let mut text = column_definition(column, &column.declared_type);
        if single_key && table.primary_key[0] == column.name {
            text.push_str(" PRIMARY KEY");
        }
        if let Some((target, key)) = target(schema, column) {
            text.push_str(&[" REFERENCES ", &quote(&target.name), " (", &key, ")"].concat());
        }
        parts.push((text, comments.column(table, column)));
    }
    if !single_key {
        parts.push((format!("PRIMARY KEY ({})", names(&table.primary_key)), None));
    }
    let mut lines = String::new();
    let count = parts.len();
    for (place, (text, comment)) in parts.into_iter().enumerate() {
        let comma = if place + 1 < count { "," } else { "" };
        lines.push_str(&["    ", &text, comma].concat());
        if let Some(comment) = comment {
            lines.push_str(&[" -- ", comment].concat());
        }
        lines.push('\n');
    }
    let comment = comments.table(table).map(|text| format!(" -- {text}")).unwrap_or_default();
    format!("CREATE TABLE {} ({comment}\n{lines})", quote(&table.name))
}

/// `CREATE TABLE` for PostgreSQL without foreign keys, which are added after the rows.
pub(crate) fn postgres_table(table: &TableSchema) -> String {
    let mut parts: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let declared = match column.declared_type.as_str() {
                "json" => "jsonb",
                other => other,
            };
            column_definition(column, declared)
        })
        .collect();
    parts.push(format!("PRIMARY KEY ({})", names(&table.primary_key)));
    format!("CREATE TABLE {} ({})", qualified(table), parts.join(", "))
}

/// Foreign keys and comments for PostgreSQL, to be executed after the rows are loaded.
pub(crate) fn postgres_after_rows(
    schema: &Schema,
    table: &TableSchema,
    comments: &Comments,
) -> Vec<String> {
    let name = qualified(table);
    let mut statements = Vec::new();
    if let Some(text) = comments.table(table) {
        statements.push(format!("COMMENT ON TABLE {name} IS {}", literal(text)));
    }
    for column in &table.columns {
        if let Some((target, key)) = target(schema, column) {
            statements.push(format!(
                "ALTER TABLE {name} ADD FOREIGN KEY ({}) REFERENCES {} ({key})",
                quote(&column.name),
                qualified(target),
            ));
        }
        if let Some(text) = comments.column(table, column) {
            statements.push(format!(
                "COMMENT ON COLUMN {name}.{} IS {}",
                quote(&column.name),
                literal(text)
            ));
        }
    }
    statements
}

/// Indexes on foreign keys and dates, which joins and time filters use.
pub(crate) fn indexes(table: &TableSchema, table_name: &str) -> Vec<String> {
    table
        .columns
        .iter()
        .filter(|column| {
            let leads_key = table.primary_key.first() == Some(&column.name);
            let is_date = matches!(column.declared_type.as_str(), "date" | "timestamp");
            !leads_key && (column.references.is_some() || is_date)
        })
        .map(|column| {
            let index = quote(&format!("{}_{}", table.name, column.name));
            format!("CREATE INDEX {index} ON {table_name} ({})", quote(&column.name))
        })
        .collect()
}

/// Schema-qualified name of a table on PostgreSQL.
pub(crate) fn qualified(table: &TableSchema) -> String {
    format!("{}.{}", quote(table.area), quote(&table.name))
}

pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn names(columns: &[String]) -> String {
    columns.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

fn column_definition(column: &ColumnSchema, declared_type: &str) -> String {
    let mut text = format!("{} {declared_type}", quote(&column.name));
    if !column.nullable {
        text.push_str(" NOT NULL");
    }
    if column.unique {
        text.push_str(" UNIQUE");
    }
    if !column.values.is_empty() {
        let values: Vec<String> = column.values.iter().map(|value| literal(value)).collect();
        text.push_str(
            &[" CHECK (", &quote(&column.name), " IN (", &values.join(", "), "))"].concat(),
        );
    }
    text
}

fn target<'s>(schema: &'s Schema, column: &ColumnSchema) -> Option<(&'s TableSchema, String)> {
    let table = schema.table(column.references.as_ref()?)?;
    Some((table, quote(table.primary_key.first()?)))
}
