//! Questions to begin with on a database whose areas suggest none.

use wherefore_engine::catalog::{Catalog, Column, Coverage, DataType, Table, TableKind, ValueList};
use wherefore_english::{name_words, plural, singular};

/// Number of tables that questions are made about: those with the most rows.
const TABLES: usize = 6;
/// Groups up to this number are shown all, more of them by the first five.
const FEW: u32 = 30;

/// Questions that may be worth asking, best first. Whether each can be answered is for the engine to say.
pub fn candidates(catalog: &Catalog) -> Vec<String> {
    let mut tables: Vec<(u32, &Table)> = catalog
        .tables
        .iter()
        // A key of several columns is that of a table which links others.
        .filter(|table| table.kind == TableKind::Table && table.primary_key.len() < 2)
        .map(|table| (table.row_estimate.unwrap_or(0), table))
        .filter(|(rows, _)| *rows > 1)
        .collect();
    tables.sort_by_key(|(rows, _)| std::cmp::Reverse(*rows));
    tables.truncate(TABLES);
    let kinds = [by_month, by_parent, average, by_value];
    // One question of each table before a second one of the first.
    let turns = (0..kinds.len()).flat_map(|turn| {
        let tables = tables.iter().enumerate();
        tables.filter_map(move |(place, (_, table))| {
            kinds[(turn + place) % kinds.len()](catalog, table)
        })
    });
    let counts = tables.iter().map(|(_, table)| format!("how many {}", rows(table)));
    turns.chain(counts).collect()
}

fn by_month(_: &Catalog, table: &Table) -> Option<String> {
    let is_day = |column: &Column| matches!(column.data_type, DataType::Date | DataType::Timestamp);
    let has_many = table.row_estimate.is_some_and(|count| count > FEW);
    (has_many && table.columns.iter().any(is_day))
        .then(|| format!("number of {} by month", rows(table)))
}

fn by_parent(catalog: &Catalog, table: &Table) -> Option<String> {
    let name = name_words(&table.name);
    let keys = catalog.foreign_keys.iter().filter(|key| table.has_key(&key.from_table));
    let parents = keys.filter_map(|key| {
        let parent = catalog.tables.iter().find(|table| table.has_key(&key.to_table))?;
        let one = singular(&name_words(&parent.name));
        let count = parent.row_estimate.filter(|count| *count > 1)?;
        // Lines of an invoice are counted for what they sell, not for their invoice.
        (!name.starts_with(&one)).then_some((count, one))
    });
    let (count, one) = parents.min()?;
    let children = plural(&name);
    Some(match count {
        ..=FEW => format!("number of {children} for each {one}"),
        _ => format!("top 5 {} by number of {children}", plural(&one)),
    })
}

fn average(catalog: &Catalog, table: &Table) -> Option<String> {
    let is_amount = |column: &&Column| {
        column.data_type == DataType::Number
            && !column.sensitive
            && !table.primary_key.contains(&column.name)
            && !is_reference(catalog, table, column)
    };
    let amount = table.columns.iter().find(is_amount)?;
    Some(format!("average {} of {}", words(&amount.name), rows(table)))
}

fn by_value(_: &Catalog, table: &Table) -> Option<String> {
    let is_kind = |column: &&Column| {
        let few = 2..=FEW as usize;
        let has_few = |list: &ValueList| {
            list.coverage == Coverage::Complete && few.contains(&list.values.len())
        };
        !column.sensitive && column.values.as_ref().is_some_and(has_few)
    };
    let kind = table.columns.iter().find(is_kind)?;
    Some(format!("number of {} by {}", rows(table), words(&kind.name)))
}

/// Words of a column's name, without what its title adds in parentheses.
fn words(name: &str) -> String {
    let (main, _) = name.split_once('(').unwrap_or((name, ""));
    name_words(if main.trim().is_empty() { name } else { main.trim() })
}

/// Words for the rows of a table.
fn rows(table: &Table) -> String {
    plural(&name_words(&table.name))
}

fn is_reference(catalog: &Catalog, table: &Table, column: &Column) -> bool {
    let mut keys = catalog.foreign_keys.iter().filter(|key| table.has_key(&key.from_table));
    keys.any(|key| key.from_columns.contains(&column.name))
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use wherefore_engine::catalog::Catalog;

    #[test]
    fn each_of_the_largest_tables_has_a_question_before_the_first_has_a_second_one() {
        let table = |name: &str, rows: u32, columns: serde_json::Value| {
            serde_json::json!({
                "name": name, "row_estimate": rows, "columns": columns, "primary_key": ["id"],
            })
        };
        let id = serde_json::json!({ "name": "id", "data_type": "integer" });
        let catalog: Catalog = serde_json::from_value(serde_json::json!({
            "name": "shop",
            "tables": [
                table("Customer", 90, serde_json::json!([id])),
                table("SalesOrder", 800, serde_json::json!([
                    id,
                    { "name": "CustomerId", "data_type": "integer" },
                    { "name": "PlacedOn", "data_type": "date" },
                    { "name": "Freight (EUR)", "data_type": "number" },
                    { "name": "State", "data_type": "text",
                        "values": { "values": ["new", "sent"], "coverage": "complete" } },
                ])),
                table("unused", 0, serde_json::json!([id])),
            ],
            "foreign_keys": [{
                "from_table": "SalesOrder", "from_columns": ["CustomerId"],
                "to_table": "Customer", "to_columns": ["id"],
            }],
        }))
        .expect("a catalog");
        assert_eq!(
            candidates(&catalog),
            [
                "number of sales orders by month",
                "top 5 customers by number of sales orders",
                "average freight of sales orders",
                "number of sales orders by state",
                "how many sales orders",
                "how many customers",
            ]
        );
    }
}
