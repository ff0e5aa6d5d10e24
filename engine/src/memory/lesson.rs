//! Lessons: additional names of tables and columns, from a file.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::catalog::{Catalog, ColumnRef};
use wherefore_sql::affixed;

/// An additional name of a table or column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The name: one or several words.
    pub term: String,
    /// Table or column that is named.
    pub means: LessonTarget,
}

/// What a lesson names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LessonTarget {
    /// A column.
    Column {
        /// Which one.
        column: ColumnRef,
    },
    /// A table.
    Table {
        /// Its key.
        table: String,
    },
}

/// JSON form of a lesson's target. Serde buffers internally tagged enums, which costs size in WebAssembly.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "type")]
    kind: Kind,
    column: Option<ColumnRef>,
    table: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Column,
    Table,
}

impl<'de> Deserialize<'de> for LessonTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        match written.kind {
            Kind::Column => written.column.map(|column| Self::Column { column }),
            Kind::Table => written.table.map(|table| Self::Table { table }),
        }
        .ok_or_else(|| D::Error::custom("missing field `column` or `table`"))
    }
}

/// Index of the table with a key; otherwise of the only one for which it is the logical name, such as `PROD_ORDERS` for
/// "orders".
fn place_of(catalog: &Catalog, key: &str) -> Option<usize> {
    let exact = catalog.tables.iter().position(|table| table.has_key(key));
    exact.or_else(|| match affixed(catalog, key).as_slice() {
        [only] => Some(only.table),
        _ => None,
    })
}

/// Adds lessons to the catalog as synonyms; returns a message for each lesson that is ignored.
pub(crate) fn learn(catalog: &mut Catalog, lessons: &[Lesson]) -> Vec<String> {
    let mut ignored = Vec::new();
    for lesson in lessons {
        let term = lesson.term.trim();
        let (key, column) = match &lesson.means {
            LessonTarget::Column { column } => (&column.table, Some(&column.column)),
            LessonTarget::Table { table } => (table, None),
        };
        let table = place_of(catalog, key).and_then(|place| catalog.tables.get_mut(place));
        let synonyms = match (table, column) {
            (Some(table), None) => Some(&mut table.synonyms),
            (Some(table), Some(name)) => table
                .columns
                .iter_mut()
                .find(|column| column.name == *name)
                .map(|column| &mut column.synonyms),
            (None, _) => None,
        };
        match synonyms {
            _ if term.is_empty() => ignored.push("a lesson names no words".to_owned()),
            Some(synonyms) if synonyms.iter().any(|known| known == term) => {}
            Some(synonyms) => synonyms.push(term.to_owned()),
            None => {
                let place = column.map_or_else(|| key.clone(), |column| format!("{key}.{column}"));
                ignored.push(format!("“{term}” means {place}, which is not in the catalog"));
            }
        }
    }
    ignored
}

#[cfg(test)]
mod tests {
    use super::{Lesson, learn};
    use crate::catalog::Catalog;

    // Promise: memory.lessons-from-file
    #[test]
    fn a_lesson_is_a_synonym_unless_what_it_means_is_not_there() {
        let text = include_str!("../../tests/data/catalogs/shop.json");
        let mut catalog: Catalog = serde_json::from_str(text).unwrap();
        let lessons: Vec<Lesson> = serde_json::from_str(
            r#"[{ "term": "clients", "means": { "type": "table", "table": "customers" } },
                { "term": "takings", "means": { "type": "column", "column": { "table": "orders", "column": "total" } } },
                { "term": "depots", "means": { "type": "table", "table": "warehouses" } }]"#,
        )
        .unwrap();
        let ignored = learn(&mut catalog, &lessons);
        assert_eq!(ignored, ["“depots” means warehouses, which is not in the catalog"]);
        let customers = catalog.table("customers").unwrap();
        assert!(customers.synonyms.contains(&"clients".to_owned()));
    }

    // Promise: memory.lessons-logical-names
    #[test]
    fn a_logical_name_is_the_only_table_whose_name_ends_with_it() {
        let text = include_str!("../../tests/data/catalogs/shop.json");
        let mut catalog: Catalog = serde_json::from_str(text).unwrap();
        for table in &mut catalog.tables {
            table.name = format!("PROD_{}", table.name.to_uppercase());
        }
        let lessons: Vec<Lesson> = serde_json::from_str(
            r#"[{ "term": "clients", "means": { "type": "table", "table": "customers" } },
                { "term": "takings", "means": { "type": "column", "column": { "table": "Orders", "column": "total" } } },
                { "term": "depots", "means": { "type": "table", "table": "warehouses" } }]"#,
        )
        .unwrap();
        let ignored = learn(&mut catalog, &lessons);
        assert_eq!(ignored, ["“depots” means warehouses, which is not in the catalog"]);
        let table = |name| catalog.tables.iter().find(|table| table.name == name).unwrap();
        assert!(table("PROD_CUSTOMERS").synonyms.contains(&"clients".to_owned()));
        let total = table("PROD_ORDERS").column("total").unwrap();
        assert!(total.synonyms.contains(&"takings".to_owned()));
    }
}
