//! Table definitions, parsed from the files in `schema/`; both databases use the same ones.

use serde::Deserialize;

use crate::error::{Error, Result};

/// Tables of all areas; each comes after the tables that it references.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The tables.
    pub tables: Vec<TableSchema>,
}

/// A table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSchema {
    /// Area of the table; on PostgreSQL, its schema.
    #[serde(skip)]
    pub area: &'static str,
    /// Name, unique across areas.
    pub name: String,
    /// Columns of the primary key.
    pub primary_key: Vec<String>,
    /// Columns, in storage order.
    pub columns: Vec<ColumnSchema>,
}

/// A column.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSchema {
    /// Name.
    pub name: String,
    /// Declared type.
    #[serde(rename = "type")]
    pub declared_type: String,
    /// Whether NULL is allowed.
    #[serde(default)]
    pub nullable: bool,
    /// Whether values are unique.
    #[serde(default)]
    pub unique: bool,
    /// Table whose single-column primary key the column references.
    #[serde(default)]
    pub references: Option<String>,
    /// Allowed values; empty if all are allowed.
    #[serde(default)]
    pub values: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaFile {
    tables: Vec<TableSchema>,
}

const AREAS: [(&str, &str, &str); 5] = [
    ("application", "schema/application.toml", include_str!("../schema/application.toml")),
    ("warehouse", "schema/warehouse.toml", include_str!("../schema/warehouse.toml")),
    ("purchasing", "schema/purchasing.toml", include_str!("../schema/purchasing.toml")),
    ("sales", "schema/sales.toml", include_str!("../schema/sales.toml")),
    ("clinic", "schema/clinic.toml", include_str!("../schema/clinic.toml")),
];

/// The sample's tables.
pub fn schema() -> Result<Schema> {
    let mut tables = Vec::new();
    for (area, file, text) in AREAS {
        let read: AreaFile = toml::from_str(text)
            .map_err(|error| Error::DataFile { file, message: error.to_string() })?;
        tables.extend(read.tables.into_iter().map(|table| TableSchema { area, ..table }));
    }
    Ok(Schema { tables })
}

impl Schema {
    /// Names of the areas, in order of first use.
    pub fn areas(&self) -> Vec<&'static str> {
        let mut areas = Vec::new();
        for table in &self.tables {
            if !areas.contains(&table.area) {
                areas.push(table.area);
            }
        }
        areas
    }

    /// Table with this bare name.
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl TableSchema {
    /// Column with this name.
    pub fn column(&self, name: &str) -> Option<&ColumnSchema> {
        self.columns.iter().find(|column| column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::schema;

    #[test]
    fn every_reference_names_an_earlier_table_with_one_key_column() {
        let schema = schema().unwrap();
        for (place, table) in schema.tables.iter().enumerate() {
            for target in table.columns.iter().filter_map(|column| column.references.as_ref()) {
                let found = schema.tables[..=place].iter().find(|other| other.name == *target);
                assert_eq!(found.map(|other| other.primary_key.len()), Some(1), "{}", table.name);
            }
        }
    }

    #[test]
    fn table_names_are_unique_across_areas_and_keys_name_columns() {
        let schema = schema().unwrap();
        for (place, table) in schema.tables.iter().enumerate() {
            assert!(!schema.tables[..place].iter().any(|other| other.name == table.name));
            assert!(table.primary_key.iter().all(|key| table.column(key).is_some()));
        }
    }
}
