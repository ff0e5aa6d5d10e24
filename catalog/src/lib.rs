//! The catalog: the schema and metadata of a data source, as plain data that sessions share.

mod cohort;
mod data_type;
#[doc(hidden)]
pub mod day;
mod dialect;
mod metric;
mod pattern;
mod relative_day;
mod sensitive;
mod template;
mod term;

pub use cohort::Cohort;
pub use data_type::DataType;
pub use dialect::Dialect;
pub use metric::{Metric, MetricAggregate};
pub use pattern::{MAX_MATCHED_BYTES, MAX_PATTERN_BYTES, Pattern, PatternFault};
pub use relative_day::RelativeDay;
pub use sensitive::is_sensitive;
pub use template::{CURRENT_USER, ParameterType, QueryTemplate, TemplateParameter};
pub use term::{VagueOption, VagueTerm};

use serde::{Deserialize, Serialize};

/// Tables, columns, foreign keys and areas of one data source.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// Display name of the data source.
    pub name: String,
    /// SQL dialect of the data source.
    #[serde(default)]
    pub dialect: Dialect,
    /// Whether statements can be run; false for a catalog given as a file.
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
    /// Columns whose values were looked up in another column, as evidence of keys that are not declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(
        feature = "typescript",
        tsify(
            type = "{ from: ColumnRef; to: ColumnRef; values: number; found: number; unique: boolean }[]",
            optional
        )
    )]
    pub containments: Vec<Containment>,
    /// Number of tables whose ranges and values are still being read, and whose numbers of rows are estimates; zero in a
    /// catalog that is complete.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_tables: u32,
    /// Metrics that the pack defines.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Cohorts that the pack defines.
    #[serde(default)]
    pub cohorts: Vec<Cohort>,
    /// Vague terms that the pack defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<VagueTerm>,
    /// Query templates that the pack defines.
    #[serde(default)]
    pub templates: Vec<QueryTemplate>,
}

/// A named group of tables, such as a schema or a module.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Key by which tables refer to the area.
    pub name: String,
    /// Display title.
    pub title: String,
    /// One sentence that describes the area.
    #[serde(default)]
    pub description: String,
    /// Words that route a question to this area.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Questions suggested for this area.
    #[serde(default)]
    pub suggestions: Vec<String>,
}

/// A table or a view.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Schema; `None` in the default schema.
    #[serde(default)]
    pub schema: Option<String>,
    /// Name as stored.
    pub name: String,
    /// Table or view.
    #[serde(default)]
    pub kind: TableKind,
    /// Name of the area that the table belongs to.
    #[serde(default)]
    pub area: Option<String>,
    /// One sentence that describes a row.
    #[serde(default)]
    pub description: String,
    /// Synonyms for the rows of the table.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Estimated number of rows.
    #[serde(default)]
    pub row_estimate: Option<u32>,
    /// Columns in stored order.
    pub columns: Vec<Column>,
    /// Columns of the primary key, in order; empty if there is none.
    #[serde(default)]
    pub primary_key: Vec<String>,
    /// Columns that identify a row to a person; inferred if empty.
    #[serde(default)]
    pub label_columns: Vec<String>,
    /// Column that a time expression refers to by default; inferred if absent.
    #[serde(default)]
    pub date_column: Option<String>,
    /// Column that "total" or "average" refers to by default; inferred if absent.
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
    /// Type family, derived from the declared type and, on SQLite, from stored values.
    #[serde(default)]
    pub data_type: DataType,
    /// Type as declared in the data source.
    #[serde(default)]
    pub declared_type: String,
    /// Whether NULL is allowed.
    #[serde(default)]
    pub nullable: bool,
    /// Whether all values are distinct (a single-column primary key or unique constraint).
    #[serde(default)]
    pub unique: bool,
    /// One sentence that describes a value.
    #[serde(default)]
    pub description: String,
    /// Synonyms.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Unit of a number, such as `USD` or `cm²`.
    #[serde(default)]
    pub unit: Option<String>,
    /// Roles that dictionary packs refer to, such as `amount` or `event_date`; inferred if empty.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Whether values are never listed or sent anywhere.
    #[serde(default)]
    pub sensitive: bool,
    /// Distinct stored values, if they were listed.
    #[serde(default)]
    pub values: Option<ValueList>,
    /// Smallest stored value as text, if it was read (dates and numbers).
    #[serde(default)]
    pub minimum: Option<String>,
    /// Largest stored value as text, if it was read (dates and numbers).
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

/// Coverage of a value list.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Every distinct value is listed.
    Complete,
    /// Some values are missing, so that a value that is not listed can still be valid.
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
    /// Whether an engine inferred the key; false if it is declared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inferred: bool,
}

/// How many of a column's values another column holds.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Containment {
    /// The column whose values were looked up.
    pub from: ColumnRef,
    /// The column that they were looked up in.
    pub to: ColumnRef,
    /// Number of distinct values that were looked up.
    pub values: u32,
    /// Number of these that were found.
    pub found: u32,
    /// Whether each row of `to` has a value, and no two rows the same.
    pub unique: bool,
}

/// Reference to a column, by the key of its table and its name.
#[derive(Clone, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ColumnRef {
    /// Key of the table.
    pub table: String,
    /// Name of the column.
    pub column: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Catalog {
    /// The table with exactly this key.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.has_key(key))
    }

    /// The column that a reference names exactly.
    pub fn column(&self, reference: &ColumnRef) -> Option<&Column> {
        self.table(&reference.table)?.column(&reference.column)
    }
}

impl Table {
    /// Key of the table: `schema.name`, or `name` without a schema.
    pub fn key(&self) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether `key` is the key of the table; does not allocate.
    pub fn has_key(&self, key: &str) -> bool {
        match &self.schema {
            Some(schema) => key
                .strip_prefix(schema.as_str())
                .and_then(|rest| rest.strip_prefix('.'))
                .is_some_and(|name| name == self.name),
            None => key == self.name,
        }
    }

    /// The column with exactly this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// Range of the values in a column of years.
const YEARS: std::ops::RangeInclusive<i64> = 1000..=2200;

impl Column {
    /// Whether the column holds years, judged by its minimum and maximum or by its listed values, otherwise by its
    /// name.
    pub fn holds_years(&self) -> bool {
        let year = |text: &Option<String>| {
            text.as_ref().and_then(|text| text.parse().ok()).map(|year: i64| YEARS.contains(&year))
        };
        match self.data_type {
            DataType::Integer => match (year(&self.minimum), year(&self.maximum)) {
                (Some(least), Some(most)) => least && most,
                _ => self.name.to_lowercase().contains("year"),
            },
            // `year numeric(4, 0)`, and floating-point years such as 2012.0.
            DataType::Number => {
                let whole = |text: &Option<String>| {
                    let number = text.as_ref().and_then(|text| text.parse::<f64>().ok());
                    number.is_some_and(|number| {
                        number.fract() == 0.0 && YEARS.contains(&(number as i64))
                    })
                };
                let name = self.name.to_lowercase();
                ["year", "founded", "established"].iter().any(|word| name.contains(word))
                    && whole(&self.minimum)
                    && whole(&self.maximum)
            }
            DataType::Text => self.values.as_ref().is_some_and(|list| {
                let is_year = |value: &String| year(&Some(value.clone())) == Some(true);
                list.coverage == Coverage::Complete
                    && list.values.len() > 1
                    && list.values.iter().all(is_year)
            }),
            _ => false,
        }
    }

    /// Whether the column is a flag: a boolean, or another type with only boolean values.
    pub fn is_flag(&self) -> bool {
        let listed = self.values.as_ref().filter(|list| list.coverage == Coverage::Complete);
        match self.data_type {
            DataType::Boolean => true,
            DataType::Integer => {
                let bit = |text: &Option<String>, bit: &str| text.as_deref() == Some(bit);
                bit(&self.maximum, "1") && bit(&self.minimum, "0")
            }
            DataType::Text => listed.is_some_and(|list| {
                let is = |wanted: bool| {
                    list.values.iter().any(|value| flag_value(value) == Some(wanted))
                };
                list.values.len() == 2 && is(true) && is(false)
            }),
            _ => false,
        }
    }

    /// The stored text for true or false, for a text column that is a flag.
    pub fn flag_text(&self, value: bool) -> Option<&str> {
        let listed = self.values.as_ref()?;
        listed.values.iter().map(String::as_str).find(|stored| flag_value(stored) == Some(value))
    }
}

/// The boolean that a stored text represents.
fn flag_value(stored: &str) -> Option<bool> {
    match stored.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "on" => Some(true),
        // Beside a text for true, an empty one says that it is not so.
        "" | "0" | "false" | "f" | "no" | "n" | "off" => Some(false),
        _ => None,
    }
}

impl ColumnRef {
    /// A reference to a column, with both names as stored.
    pub fn new(table: impl Into<String>, column: impl Into<String>) -> Self {
        Self { table: table.into(), column: column.into() }
    }
}

impl std::fmt::Display for ColumnRef {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.table, self.column)
    }
}
