//! Labels and descriptions of options that are alternatives: a label says only what tells it from the others.

use std::collections::BTreeMap;

use wherefore_english::{counted, name_words};

use super::name;
use crate::catalog::{Catalog, ColumnRef, Coverage, Table};

/// Most stored values in a description.
const EXAMPLES: usize = 3;

/// Label of an option, and one line about what it selects.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Wording {
    /// A few words.
    pub(crate) label: String,
    /// One line; may be empty.
    pub(crate) description: String,
}

/// Wordings of columns: the name alone where it tells them apart, else with the table.
///
/// One column alone is named with its table. The description is the catalog's; without one, the table where the label
/// does not name it, and the range or examples of the stored values.
pub(crate) fn columns(catalog: &Catalog, columns: &[ColumnRef]) -> Vec<Wording> {
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for column in columns {
        *shared.entry(name::column(catalog, column)).or_default() += 1;
    }
    let several_tables = columns.iter().any(|column| column.table != columns[0].table);
    columns
        .iter()
        .map(|column| {
            let words = name::column(catalog, column);
            let alone = columns.len() > 1
                && shared.get(&words) == Some(&1)
                && !(several_tables && shared.keys().any(|other| is_part(&words, other)));
            let label = if alone { words } else { name::column_of_table(catalog, column) };
            let place = alone && several_tables && label == name_words(&column.column);
            Wording { label, description: described(catalog, column, place) }
        })
        .collect()
}

/// Whether a name is a part of another, longer one: `country` of `billing country`.
fn is_part(words: &str, other: &str) -> bool {
    other.len() > words.len() && format!(" {other} ").contains(&format!(" {words} "))
}

/// The catalog's sentence about the rows of a table; without one, how many there are.
pub(crate) fn table_description(table: &Table) -> String {
    match table.row_estimate {
        Some(rows) if table.description.is_empty() => {
            format!("about {}", counted(rows as usize, "row"))
        }
        _ => table.description.clone(),
    }
}

/// The catalog's sentence about a column; without one, the range or examples of its stored values.
pub(crate) fn column_description(catalog: &Catalog, column: &ColumnRef) -> String {
    described(catalog, column, false)
}

/// Description of a column; without a sentence of the catalog it starts with the table if `place` is set.
fn described(catalog: &Catalog, column: &ColumnRef, place: bool) -> String {
    let definition = catalog.column(column);
    if let Some(known) = definition.filter(|column| !column.description.is_empty()) {
        return known.description.clone();
    }
    let mut parts = Vec::new();
    if place {
        parts.push(format!("in {}", name::rows(catalog, &column.table)));
    }
    if let Some(column) = definition.filter(|known| !known.sensitive) {
        let unit = column.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
        match (&column.minimum, &column.maximum, &column.values) {
            (Some(minimum), Some(maximum), _) => {
                parts.push(format!("{minimum} to {maximum}{unit}"));
            }
            (_, _, Some(list)) if !list.values.is_empty() => {
                let examples = list.values.iter().take(EXAMPLES).map(|value| format!("“{value}”"));
                let examples: Vec<String> = examples.collect();
                let whole = list.coverage == Coverage::Complete && list.values.len() <= EXAMPLES;
                let start = if whole { "" } else { "such as " };
                parts.push(format!("{start}{}", wherefore_english::or_list(&examples)));
            }
            _ => {}
        }
    }
    if parts.is_empty() {
        return format!("stored with each {}", name::row(catalog, &column.table));
    }
    parts.join("; ")
}

/// Wordings of stored values: the column where only the columns differ, else the value, else both.
pub(crate) fn values(catalog: &Catalog, values: &[(ColumnRef, String)]) -> Vec<Wording> {
    let references: Vec<ColumnRef> = values.iter().map(|(column, _)| column.clone()).collect();
    let several_columns = references.iter().any(|column| *column != references[0]);
    let several_values = values.iter().any(|(_, value)| *value != values[0].1);
    values
        .iter()
        .zip(columns(catalog, &references))
        .map(|((column, value), wording)| Wording {
            label: match (several_columns, several_values) {
                (true, false) => wording.label,
                (true, true) => format!("{} “{value}”", wording.label),
                (false, _) => value.clone(),
            },
            description: format!(
                "{} whose {} is “{value}”",
                name::rows(catalog, &column.table),
                name_words(&column.column)
            ),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        serde_json::from_str(
            r#"{"name": "shop", "tables": [
                {"name": "orders", "columns": [
                    {"name": "id"},
                    {"name": "amount", "minimum": "1", "maximum": "90", "unit": "EUR"},
                    {"name": "Status", "values": {"values": ["new", "paid"], "coverage": "complete"}}
                ]},
                {"name": "people", "columns": [
                    {"name": "name"},
                    {"name": "amount", "description": "Money in hand"},
                    {"name": "pin", "sensitive": true, "minimum": "1", "maximum": "9"}
                ]}
            ], "foreign_keys": []}"#,
        )
        .unwrap()
    }

    fn labels(wordings: &[Wording]) -> Vec<&str> {
        wordings.iter().map(|wording| wording.label.as_str()).collect()
    }

    fn reference(table: &str, column: &str) -> ColumnRef {
        ColumnRef::new(table, column)
    }

    #[test]
    fn a_name_that_tells_columns_apart_stands_alone() {
        let found = columns(
            &catalog(),
            &[
                reference("orders", "amount"),
                reference("orders", "Status"),
                reference("people", "name"),
            ],
        );
        assert_eq!(labels(&found), ["amount", "status", "person name"]);
        assert_eq!(found[0].description, "in orders; 1 to 90 EUR");
        assert_eq!(found[1].description, "in orders; “new” or “paid”");
        assert_eq!(found[2].description, "stored with each person");
    }

    #[test]
    fn columns_of_one_name_are_told_apart_by_their_tables() {
        let found =
            columns(&catalog(), &[reference("orders", "amount"), reference("people", "amount")]);
        assert_eq!(labels(&found), ["amount of orders", "amount of people"]);
        assert_eq!(found[0].description, "1 to 90 EUR");
        assert_eq!(found[1].description, "Money in hand");
    }

    #[test]
    fn a_name_that_is_a_part_of_another_is_told_with_its_table() {
        let found = columns(
            &catalog(),
            &[reference("orders", "amount"), reference("people", "due amount")],
        );
        assert_eq!(labels(&found), ["amount of orders", "due amount"]);
    }

    #[test]
    fn one_column_is_named_with_its_table() {
        assert_eq!(
            labels(&columns(&catalog(), &[reference("orders", "amount")])),
            ["amount of orders"]
        );
    }

    #[test]
    fn stored_values_of_a_sensitive_column_are_not_described() {
        let found = columns(&catalog(), &[reference("people", "pin"), reference("people", "name")]);
        assert_eq!(found[0].description, "stored with each person");
    }

    #[test]
    fn a_value_in_several_columns_is_told_apart_by_the_column() {
        let value =
            |table: &str, column: &str, value: &str| (reference(table, column), value.to_owned());
        let one =
            values(&catalog(), &[value("orders", "Status", "x"), value("people", "name", "x")]);
        assert_eq!(labels(&one), ["status", "person name"]);
        assert_eq!(one[1].description, "people whose name is “x”");
        let near =
            values(&catalog(), &[value("people", "name", "x"), value("people", "name", "y")]);
        assert_eq!(labels(&near), ["x", "y"]);
        let both =
            values(&catalog(), &[value("orders", "Status", "x"), value("people", "name", "y")]);
        assert_eq!(labels(&both), ["status “x”", "person name “y”"]);
    }
}
