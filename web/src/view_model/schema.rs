//! Tables and columns of the catalog, as a searchable list.

use wherefore_engine::catalog::{Catalog, Column, DataType, ForeignKey, Table};
use wherefore_english::name_words;

use super::cell_text::grouped;
use crate::texts;

/// Maximum number of tables that are listed at once.
pub const LISTED_TABLES: usize = 100;

/// A column in the list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ColumnEntry {
    /// Name as stored.
    pub name: String,
    /// Words to ask with.
    pub words: String,
    /// Type and properties, such as `date`, `number in EUR, optional`.
    pub kind: String,
    /// Description.
    pub description: String,
    /// Table that the column refers to.
    pub refers_to: Option<String>,
}

/// A table in the list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TableEntry {
    /// Name as stored, with its schema.
    pub name: String,
    /// Words to ask with.
    pub words: String,
    /// Description.
    pub description: String,
    /// Number of rows in words; empty if it is not known.
    pub size: String,
    /// Columns: all, or those that a search found.
    pub columns: Vec<ColumnEntry>,
    /// Tables that refer to this one.
    pub referred_by: Vec<String>,
}

/// Tables that contain all words of a search in their own texts, then those that contain them in those of a column.
pub fn tables(catalog: &Catalog, search: &str) -> Vec<TableEntry> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let fits = |texts: &[&str]| {
        let text = texts.join("\n").to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let mut by_name = Vec::new();
    let mut by_column = Vec::new();
    for table in &catalog.tables {
        let synonyms = table.synonyms.join("\n");
        let plain = name_words(&table.name);
        if fits(&[&table.name, &plain, &table.description, &synonyms]) {
            by_name.push(entry(catalog, table, &|_| true));
            continue;
        }
        let found = |column: &Column| {
            let synonyms = column.synonyms.join("\n");
            let plain = name_words(&column.name);
            fits(&[&plain, &column.name, &column.description, &synonyms, &table.name])
        };
        if table.columns.iter().any(found) {
            by_column.push(entry(catalog, table, &found));
        }
    }
    by_name.extend(by_column);
    by_name
}

/// Number of tables that a search found, of all.
pub fn count(found: usize, all: usize) -> String {
    let listed = found.min(LISTED_TABLES);
    match (found, all) {
        (0, 0) => texts::no_tables().to_owned(),
        (0, _) => texts::no_table_found().to_owned(),
        _ if listed < found => texts::first_tables(&grouped(listed), &grouped(found)),
        _ if found < all => texts::tables_found(&grouped(found), all),
        _ => texts::tables_count(all),
    }
}

fn entry(catalog: &Catalog, table: &Table, keep: &dyn Fn(&Column) -> bool) -> TableEntry {
    let key = table.key();
    let keys = || catalog.foreign_keys.iter();
    let columns = table.columns.iter().filter(|column| keep(column));
    let columns = columns.map(|column| {
        let refers = |foreign: &&ForeignKey| {
            foreign.from_table == key && foreign.from_columns.contains(&column.name)
        };
        ColumnEntry {
            name: column.name.clone(),
            words: name_words(&column.name),
            kind: kind(table, column),
            description: column.description.clone(),
            refers_to: keys().find(refers).map(|foreign| foreign.to_table.clone()),
        }
    });
    let columns = columns.collect();
    let mut referred_by: Vec<String> = keys()
        .filter(|foreign| foreign.to_table == key && foreign.from_table != key)
        .map(|foreign| foreign.from_table.clone())
        .collect();
    referred_by.sort();
    referred_by.dedup();
    let size = match table.row_estimate {
        Some(rows) => texts::rows(rows as usize),
        None => String::new(),
    };
    TableEntry {
        words: name_words(&table.name),
        description: table.description.clone(),
        name: key,
        size,
        columns,
        referred_by,
    }
}

fn kind(table: &Table, column: &Column) -> String {
    let name = match column.data_type {
        DataType::Boolean => texts::type_boolean(),
        DataType::Date => texts::type_date(),
        DataType::Integer => texts::type_integer(),
        DataType::Number => texts::type_number(),
        DataType::Text => texts::type_text(),
        DataType::Time => texts::type_time(),
        DataType::Timestamp => texts::type_timestamp(),
        DataType::Binary | DataType::Json | DataType::Other | DataType::Uuid => {
            column.declared_type.as_str()
        }
    };
    let mut kind = name.to_owned();
    if let Some(unit) = &column.unit {
        kind = texts::type_in_unit(&kind, unit);
    }
    if table.primary_key.contains(&column.name) {
        kind = texts::type_key(&kind);
    } else if column.nullable {
        kind = texts::type_optional(&kind);
    }
    if column.sensitive {
        kind = texts::type_unlisted(&kind);
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::{LISTED_TABLES, count, tables};
    use wherefore_engine::catalog::Catalog;

    fn catalog() -> Catalog {
        serde_json::from_value(serde_json::json!({
            "name": "shop",
            "tables": [
                { "name": "customers", "description": "People who buy.", "row_estimate": 1200,
                    "primary_key": ["id"], "columns": [
                    { "name": "id", "data_type": "integer" },
                    { "name": "home_city", "data_type": "text", "nullable": true },
                ] },
                { "name": "orders", "synonyms": ["purchases"], "columns": [
                    { "name": "customer_id", "data_type": "integer" },
                    { "name": "total", "data_type": "number", "unit": "EUR", "sensitive": true },
                    { "name": "shipped", "data_type": "date", "description": "Day of the delivery." },
                ] },
            ],
            "foreign_keys": [
                { "from_table": "orders", "from_columns": ["customer_id"], "to_table": "customers", "to_columns": ["id"] },
            ],
        }))
        .expect("a catalog")
    }

    fn found(search: &str) -> Vec<(String, usize)> {
        let tables = tables(&catalog(), search);
        tables.into_iter().map(|table| (table.name, table.columns.len())).collect()
    }

    #[test]
    fn tables_are_found_by_their_words_with_all_columns_and_by_those_of_columns_with_these() {
        assert_eq!(found(""), [("customers".to_owned(), 2), ("orders".to_owned(), 3)]);
        assert_eq!(found("PURCHASES"), [("orders".to_owned(), 3)]);
        assert_eq!(found("home city"), [("customers".to_owned(), 1)]);
        assert_eq!(found("delivery"), [("orders".to_owned(), 1)]);
        assert_eq!(found("customer"), [("customers".to_owned(), 2), ("orders".to_owned(), 1)]);
        assert_eq!(found("nothing"), []);
    }

    #[test]
    fn a_column_says_its_type_its_unit_and_what_it_refers_to() {
        let tables = tables(&catalog(), "");
        let kinds = |table: usize| tables[table].columns.iter().map(|column| column.kind.as_str());
        assert_eq!(kinds(0).collect::<Vec<_>>(), ["whole number, key", "text, optional"]);
        assert_eq!(
            kinds(1).collect::<Vec<_>>(),
            ["whole number", "number in EUR, values are never listed", "date"]
        );
        assert_eq!(tables[1].columns[0].refers_to.as_deref(), Some("customers"));
        assert_eq!(tables[0].referred_by, ["orders"]);
        assert_eq!((tables[0].size.as_str(), tables[1].size.as_str()), ("1,200 rows", ""));
        assert_eq!(tables[0].columns[1].words, "home city");
    }

    #[test]
    fn the_number_of_tables_is_said_in_words() {
        assert_eq!(count(0, 0), "The catalog has no tables.");
        assert_eq!(count(0, 3), "No table or column has these words.");
        assert_eq!(count(1, 3), "1 of 3 tables");
        assert_eq!(count(3, 3), "3 tables");
        assert_eq!(count(LISTED_TABLES + 50, 2_000), "The first 100 of 150 tables");
    }
}
