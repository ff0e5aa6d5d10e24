//! Finds literals that do not occur in their column.

use super::facts::Facts;
use super::packet::plain;
use crate::catalog::{Catalog, ColumnRef, Coverage};
use wherefore_sql::tree::Query;

/// Messages about literals that are compared with a column whose values are all listed, but do not occur in it.
pub(super) fn unknown_values(catalog: &Catalog, query: &Query) -> Vec<String> {
    let mut found = Vec::new();
    let tree = serde_json::to_value(query).unwrap_or_default();
    let facts = Facts::of(query, catalog);
    compared(&tree, &mut |column, literal| {
        let columns = facts
            .tables
            .iter()
            .filter_map(|table| catalog.column(&ColumnRef::new(table.as_str(), column)));
        let mut lists = columns.filter_map(|column| column.values.as_ref()).peekable();
        let known = lists.peek().is_none()
            || lists.any(|list| {
                list.coverage == Coverage::Partial
                    || list.values.iter().any(|value| value == literal)
            });
        if !known {
            found.push(format!("no {column} is stored as '{}'", plain(literal, 64)));
        }
    });
    found
}

/// Visits each pair of a column and a string that it is compared with, in the JSON form of a statement.
fn compared(node: &serde_json::Value, found: &mut dyn FnMut(&str, &str)) {
    let name =
        |node: &serde_json::Value| node["column"]["name"]["name"].as_str().map(str::to_owned);
    let text = |node: &serde_json::Value| node["literal"]["string"].as_str().map(str::to_owned);
    match node {
        serde_json::Value::Array(nodes) => nodes.iter().for_each(|node| compared(node, found)),
        serde_json::Value::Object(members) => {
            let equal = &node["binary"];
            if equal["operator"] == "equal" {
                for (one, other) in [("left", "right"), ("right", "left")] {
                    if let (Some(column), Some(literal)) = (name(&equal[one]), text(&equal[other]))
                    {
                        found(&column, &literal);
                    }
                }
            }
            if let Some(column) = name(&node["in_list"]["operand"]) {
                let list = node["in_list"]["list"].as_array().into_iter().flatten();
                list.filter_map(text).for_each(|literal| found(&column, &literal));
            }
            members.values().for_each(|node| compared(node, found));
        }
        _ => {}
    }
}
