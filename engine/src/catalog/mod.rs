//! The catalog: what a data source holds, as plain data read once and shared by every session.

mod cohort;
mod data_type;
mod metric;
mod template;

pub use cohort::Cohort;
pub use data_type::DataType;
pub use metric::{Metric, MetricAggregate};
pub use template::{ParameterType, QueryTemplate, TemplateParameter};

use serde::{Deserialize, Serialize};

use crate::sql::Dialect;

/// Tables, columns, foreign keys and areas of one data source.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// Name of the data source, shown to people.
    pub name: String,
    /// Dialect the data source speaks.
    #[serde(default)]
    pub dialect: Dialect,
    /// False for a catalog given as a file: questions are understood and written, not run.
    #[serde(default)]
    pub can_execute: bool,
    /// Areas (modules) that tables belong to.
    #[serde(default)]
    pub areas: Vec<Area>,
    /// Tables and views, ordered by key.
    pub tables: Vec<Table>,
    /// Foreign keys, ordered by their table and columns.
    #[serde(default)]
    pub foreign_keys: Vec<ForeignKey>,
    /// Words with one definition that the pack adds.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Parts of populations that the pack defines.
    #[serde(default)]
    pub cohorts: Vec<Cohort>,
    /// Query templates that the pack adds.
    #[serde(default)]
    pub templates: Vec<QueryTemplate>,
}

/// A named group of tables, such as a schema or a module.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Key that tables refer to.
    pub name: String,
    /// Title shown to people.
    pub title: String,
    /// One sentence on what the area is about.
    #[serde(default)]
    pub description: String,
    /// Words that route a question to this area.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Questions offered for this area.
    #[serde(default)]
    pub suggestions: Vec<String>,
}

/// A table or a view.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Schema, where the data source has schemas that need naming.
    #[serde(default)]
    pub schema: Option<String>,
    /// Name as stored.
    pub name: String,
    /// Table or view.
    #[serde(default)]
    pub kind: TableKind,
    /// Name of the area it belongs to.
    #[serde(default)]
    pub area: Option<String>,
    /// One sentence on what a row is.
    #[serde(default)]
    pub description: String,
    /// Other words people use for its rows.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Estimated number of rows.
    #[serde(default)]
    pub row_estimate: Option<u32>,
    /// Columns in stored order.
    pub columns: Vec<Column>,
    /// Columns of the primary key, in order; empty where there is none.
    #[serde(default)]
    pub primary_key: Vec<String>,
    /// Columns that name a row to a person; inferred where empty.
    #[serde(default)]
    pub label_columns: Vec<String>,
    /// Column that a time expression without a column means; inferred where absent.
    #[serde(default)]
    pub date_column: Option<String>,
    /// Column that "total" or "average" without a column means; inferred where absent.
    #[serde(default)]
    pub measure_column: Option<String>,
}

/// Whether rows are stored or derived.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// A stored table.
    #[default]
    Table,
    /// A view.
    View,
}

/// A column of a table.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name as stored.
    pub name: String,
    /// Type family, from the declared type and, on SQLite, from stored values.
    #[serde(default)]
    pub data_type: DataType,
    /// Type as declared in the data source.
    #[serde(default)]
    pub declared_type: String,
    /// Whether NULL is allowed.
    #[serde(default)]
    pub nullable: bool,
    /// Whether every value occurs once (a single-column primary key or unique constraint).
    #[serde(default)]
    pub unique: bool,
    /// One sentence on what a value means.
    #[serde(default)]
    pub description: String,
    /// Other words people use for it.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Unit of a number, such as `USD` or `cm²`.
    #[serde(default)]
    pub unit: Option<String>,
    /// Roles that dictionary packs refer to, such as `amount` or `event_date`; inferred where empty.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Values are never listed nor sent anywhere.
    #[serde(default)]
    pub sensitive: bool,
    /// Stored values, where they were listed.
    #[serde(default)]
    pub values: Option<ValueList>,
    /// Smallest stored value as text, where it was read (dates and numbers).
    #[serde(default)]
    pub minimum: Option<String>,
    /// Largest stored value as text, where it was read (dates and numbers).
    #[serde(default)]
    pub maximum: Option<String>,
}

/// Distinct stored values of a column.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ValueList {
    /// Values in ascending order, each at most 256 characters.
    pub values: Vec<String>,
    /// How much of the column the list covers.
    pub coverage: Coverage,
}

/// How much of a column a value list covers.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Every distinct value is listed.
    Complete,
    /// Some values are missing: the list helps matching and never makes a value invalid.
    #[default]
    Partial,
}

/// A foreign key between two tables.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ForeignKey {
    /// Key of the referencing table.
    pub from_table: String,
    /// Referencing columns, in order.
    pub from_columns: Vec<String>,
    /// Key of the referenced table.
    pub to_table: String,
    /// Referenced columns, in order.
    pub to_columns: Vec<String>,
}

/// A column named by its table's key and its own name.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ColumnRef {
    /// Key of the table.
    pub table: String,
    /// Name of the column.
    pub column: String,
}

impl Catalog {
    /// Table with this key, exactly.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.has_key(key))
    }

    /// Column that a reference names, exactly.
    pub fn column(&self, reference: &ColumnRef) -> Option<&Column> {
        self.table(&reference.table)?.column(&reference.column)
    }
}

impl Table {
    /// Key that the rest of the engine uses: `schema.name`, or `name` without a schema.
    pub fn key(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether this is the table's key, without building it.
    pub fn has_key(&self, key: &str) -> bool {
        match &self.schema {
            Some(schema) => key
                .strip_prefix(schema.as_str())
                .and_then(|rest| rest.strip_prefix('.'))
                .is_some_and(|name| name == self.name),
            None => key == self.name,
        }
    }

    /// Column with this name, exactly.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// First and last year that a column of years holds.
const YEARS: std::ops::RangeInclusive<i64> = 1000..=2200;

impl Column {
    /// Whether it holds years, as far as its smallest and largest value tell, or all its values; else its name.
    pub fn holds_years(&self) -> bool {
        let year = |text: &Option<String>| {
            text.as_ref().and_then(|text| text.parse().ok()).map(|year: i64| YEARS.contains(&year))
        };
        match self.data_type {
            DataType::Integer => match (year(&self.minimum), year(&self.maximum)) {
                (Some(least), Some(most)) => least && most,
                _ => self.name.to_lowercase().contains("year"),
            },
            DataType::Text => self.values.as_ref().is_some_and(|list| {
                let is_year = |value: &String| year(&Some(value.clone())) == Some(true);
                list.coverage == Coverage::Complete
                    && list.values.len() > 1
                    && list.values.iter().all(is_year)
            }),
            _ => false,
        }
    }

    /// Whether it says yes or no: a boolean, or another type that holds nothing else.
    pub fn is_flag(&self) -> bool {
        let listed = self.values.as_ref().filter(|list| list.coverage == Coverage::Complete);
        match self.data_type {
            DataType::Boolean => true,
            DataType::Integer => {
                let bit = |text: &Option<String>, bit: &str| text.as_deref() == Some(bit);
                bit(&self.maximum, "1") && bit(&self.minimum, "0")
            }
            DataType::Text => listed.is_some_and(|list| {
                list.values.len() == 2
                    && list.values.iter().all(|value| flag_value(value).is_some())
            }),
            _ => false,
        }
    }

    /// Stored text for yes or no of a flag that is text.
    pub fn flag_text(&self, value: bool) -> Option<&str> {
        let listed = self.values.as_ref()?;
        listed.values.iter().map(String::as_str).find(|stored| flag_value(stored) == Some(value))
    }
}

/// What a stored text says as a flag.
fn flag_value(stored: &str) -> Option<bool> {
    match stored.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "on" => Some(true),
        "0" | "false" | "f" | "no" | "n" | "off" => Some(false),
        _ => None,
    }
}

impl ColumnRef {
    /// Reference to a column of a table, both as stored.
    pub fn new(table: impl Into<String>, column: impl Into<String>) -> Self {
        Self { table: table.into(), column: column.into() }
    }
}
