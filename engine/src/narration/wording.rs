//! Labels and descriptions of options that are alternatives: a label says only what tells it from the others.

use wherefore_english::{counted, name_words, plural};

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

/// Wordings of columns: the names alone where these tell them apart, else each with its table.
///
/// One column alone is named with its table, and a foreign key without its "id". The description is the catalog's;
/// without one, the column and its table, with the range or examples of the stored values.
pub(crate) fn columns(catalog: &Catalog, columns: &[ColumnRef]) -> Vec<Wording> {
    let names: Vec<String> = columns.iter().map(|column| role(catalog, column)).collect();
    let several_tables = columns.iter().any(|column| column.table != columns[0].table);
    let unclear = names.iter().enumerate().any(|(at, name)| {
        names.iter().enumerate().any(|(other_at, other)| {
            at != other_at && (name == other || several_tables && is_part(name, other))
        })
    });
    let alone = columns.len() > 1 && !unclear;
    let mut wordings: Vec<Wording> = columns
        .iter()
        .zip(&names)
        .map(|(column, name)| {
            let label = if alone { name.clone() } else { name::column_of_table(catalog, column) };
            Wording { label, description: column_description(catalog, column) }
        })
        .collect();
    for at in 0..wordings.len() {
        let own = wordings[at].description.clone();
        let shared = wordings.iter().filter(|wording| wording.description == own).count();
        if shared > 1 {
            for (wording, column) in wordings.iter_mut().zip(columns) {
                if wording.description == own {
                    wording.description = plainly(catalog, column);
                }
            }
        }
    }
    wordings
}

/// Words of a column's name; of a foreign key without `id`.
fn role(catalog: &Catalog, column: &ColumnRef) -> String {
    let words = name::column(catalog, column);
    let refers = catalog
        .foreign_keys
        .iter()
        .any(|key| key.from_table == column.table && key.from_columns == [column.column.as_str()]);
    match words.strip_suffix(" id").filter(|_| refers) {
        Some(role) => role.to_owned(),
        None => words,
    }
}

/// Description that says no more than the names: `the list price of each book`.
fn plainly(catalog: &Catalog, column: &ColumnRef) -> String {
    let words = name_words(&column.column);
    let row = name::row(catalog, &column.table);
    match words.rsplit(' ').next() {
        // "written at" is no noun.
        Some("at" | "by" | "from" | "in" | "on" | "to") => format!("uses “{words}” of each {row}"),
        _ => format!("the {words} of each {row}"),
    }
}

/// Whether a name is a part of another, longer one: `country` of `billing country`.
fn is_part(words: &str, other: &str) -> bool {
    other.len() > words.len() && format!(" {other} ").contains(&format!(" {words} "))
}

/// The catalog's sentence about the rows of a table; without one, its name and how many rows there are.
pub(crate) fn table_description(table: &Table) -> String {
    if !table.description.is_empty() {
        return table.description.clone();
    }
    let rows = plural(&name_words(&table.name));
    match table.row_estimate {
        Some(count) => format!("uses the {rows}, about {}", counted(count as usize, "row")),
        None => format!("uses the {rows}"),
    }
}

/// What a list of all rows of a table shows: `lists all orders, about 1,200 rows`.
pub(crate) fn listed(table: &Table) -> String {
    let rows = plural(&name_words(&table.name));
    match table.row_estimate {
        Some(count) => format!("lists all {rows}, about {}", counted(count as usize, "row")),
        None => format!("lists all {rows}"),
    }
}

/// The catalog's sentence about a column; without one, its name with the range or examples of its stored values.
pub(crate) fn column_description(catalog: &Catalog, column: &ColumnRef) -> String {
    let definition = catalog.column(column);
    if let Some(known) = definition.filter(|column| !column.description.is_empty()) {
        return known.description.clone();
    }
    let name = plainly(catalog, column);
    let Some(column) = definition.filter(|known| !known.sensitive) else { return name };
    let unit = column.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    match (&column.minimum, &column.maximum, &column.values) {
        (Some(minimum), Some(maximum), _) => format!("{name} ({minimum} to {maximum}{unit})"),
        (_, _, Some(list)) if !list.values.is_empty() => {
            let examples = list.values.iter().take(EXAMPLES).map(|value| format!("“{value}”"));
            let examples: Vec<String> = examples.collect();
            let whole = list.coverage == Coverage::Complete && list.values.len() <= EXAMPLES;
            let start = if whole { "" } else { "such as " };
            format!("{name} ({start}{})", wherefore_english::or_list(&examples))
        }
        _ => name,
    }
}

/// Noun for the values of a column: `species`; the row itself where the column only names it: `wound type`.
fn noun(catalog: &Catalog, column: &ColumnRef) -> String {
    match name_words(&column.column).as_str() {
        "name" | "title" => name::row(catalog, &column.table),
        _ => name::column(catalog, column),
    }
}

/// Wordings of stored values: the column where only the columns differ, the value where only the values differ, else
/// both.
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
                (false, false) => format!("{} “{value}”", noun(catalog, column)),
                (false, true) => value.clone(),
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
        assert_eq!(found[0].description, "the amount of each order (1 to 90 EUR)");
        assert_eq!(found[1].description, "the status of each order (“new” or “paid”)");
        assert_eq!(found[2].description, "the name of each person");
    }

    #[test]
    fn columns_of_one_name_are_told_apart_by_their_tables() {
        let found =
            columns(&catalog(), &[reference("orders", "amount"), reference("people", "amount")]);
        assert_eq!(labels(&found), ["amount of orders", "amount of people"]);
        assert_eq!(found[0].description, "the amount of each order (1 to 90 EUR)");
        assert_eq!(found[1].description, "Money in hand");
    }

    #[test]
    fn a_name_that_is_a_part_of_another_is_told_with_its_table() {
        let found = columns(
            &catalog(),
            &[reference("orders", "amount"), reference("people", "due amount")],
        );
        assert_eq!(labels(&found), ["amount of orders", "due amount of people"]);
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
        assert_eq!(found[0].description, "the pin of each person");
    }

    #[test]
    fn a_value_in_several_columns_is_told_apart_by_the_column() {
        let value =
            |table: &str, column: &str, value: &str| (reference(table, column), value.to_owned());
        let one =
            values(&catalog(), &[value("orders", "Status", "x"), value("people", "name", "x")]);
        assert_eq!(labels(&one), ["status", "person name"]);
        assert_eq!(one[1].description, "people whose name is “x”");
        let single = values(&catalog(), &[value("people", "name", "x")]);
        assert_eq!(labels(&single), ["person “x”"]);
        let near =
            values(&catalog(), &[value("people", "name", "x"), value("people", "name", "y")]);
        assert_eq!(labels(&near), ["x", "y"]);
        let both =
            values(&catalog(), &[value("orders", "Status", "x"), value("people", "name", "y")]);
        assert_eq!(labels(&both), ["status “x”", "person name “y”"]);
    }
}
