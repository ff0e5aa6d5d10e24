//! Names of tables and columns: as the file has them, but unique and not empty.

use std::collections::BTreeSet;

use super::limits::MOST_NAME;

/// Last words of the name of a key column.
const KEYS: [&str; 6] = ["id", "code", "key", "no", "number", "nr"];

/// Names that are taken, ignoring case.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// The name without line breaks and control characters, or the other name if nothing is left; a name that is taken
    /// is numbered.
    pub(super) fn unique(&mut self, name: &str, otherwise: &str) -> String {
        let tidy = tidy(name);
        let name = if tidy.is_empty() { otherwise.to_owned() } else { tidy };
        let mut unique = name.clone();
        let mut number = 2;
        while !self.0.insert(unique.to_lowercase()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        unique
    }

    /// Whether a name is taken.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(&tidy(name).to_lowercase())
    }
}

fn tidy(name: &str) -> String {
    let spaced: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ").chars().take(MOST_NAME).collect::<String>().trim_end().to_owned()
}

/// Name of a table from the name of a file or sheet.
///
/// A point would separate a schema from a table, and names that begin with `sqlite_` are reserved.
pub(super) fn table_name(name: &str) -> String {
    let name = name.replace('.', "_");
    if name.to_lowercase().starts_with("sqlite_") { format!("table_{name}") } else { name }
}

/// How likely a column is the key of its table by its name, 0 first; `None` if it is not named like a key.
pub(super) fn key_rank(table: &str, column: &str) -> Option<u8> {
    let (table, column) = (letters(table), letters(column));
    if column == "id" {
        return Some(0);
    }
    let mut singulars = vec![table.clone()];
    for (plural, singular) in [("ies", "y"), ("es", ""), ("s", "")] {
        singulars.extend(table.strip_suffix(plural).map(|stem| format!("{stem}{singular}")));
    }
    let last = singulars.iter().find_map(|singular| column.strip_prefix(singular.as_str()))?;
    let rank = KEYS.iter().position(|key| *key == last)?;
    u8::try_from(rank + 1).ok()
}

/// Whether a column is named like a key of any table: `code`, `number`.
pub(super) fn is_bare_key(column: &str) -> bool {
    KEYS.contains(&letters(column).as_str())
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_not_empty() {
        let mut names = Names::default();
        let given = ["Order Date", "total", "TOTAL", "", " ", "total_2", "a\n\tb", "column_4"];
        let unique: Vec<String> = given
            .iter()
            .enumerate()
            .map(|(at, name)| names.unique(name, &format!("column_{}", at + 1)))
            .collect();
        assert_eq!(
            unique,
            [
                "Order Date",
                "total",
                "TOTAL_2",
                "column_4",
                "column_5",
                "total_2_2",
                "a b",
                "column_4_2"
            ]
        );
        assert_eq!(names.unique(&"x".repeat(500), "").len(), MOST_NAME);
        assert!(names.has("ORDER date") && !names.has("order"));
    }

    #[test]
    fn tables_have_no_reserved_names() {
        assert_eq!(table_name("sales.2024"), "sales_2024");
        assert_eq!(table_name("SQLite_master"), "table_SQLite_master");
    }

    #[test]
    fn keys_are_told_by_their_names() {
        for (table, column, expected) in [
            ("orders", "ID", Some(0)),
            ("orders", "order_id", Some(1)),
            ("orders", "OrderNo", Some(4)),
            ("orders", "Order Nr", Some(6)),
            ("companies", "company code", Some(2)),
            ("addresses", "address_id", Some(1)),
            ("orders", "customer_id", None),
            ("orders", "order_date", None),
            ("orders", "orders", None),
        ] {
            assert_eq!(key_rank(table, column), expected, "{table}.{column}");
        }
        assert!(is_bare_key("Code") && !is_bare_key("postcode"));
    }
}
