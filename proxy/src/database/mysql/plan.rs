//! Cost estimates from `EXPLAIN FORMAT=JSON`, whose form differs among servers and versions.

use serde_json::{Map, Value};

use crate::database::{LargestStep, Plan};

/// Parts of plans that read all rows before they yield one.
const COLLECTING: [&str; 5] = [
    "\"filesort\"",
    "\"temporary_table\"",
    "\"union_result\"",
    "\"using_filesort\": true",
    "\"using_temporary_table\": true",
];

/// `EXPLAIN` of a statement.
pub(super) fn explained(sql: &str) -> String {
    format!("EXPLAIN FORMAT=JSON {sql}")
}

/// Cost of a plan: that of the server if it states one, otherwise the number of rows that its joins visit; none if the
/// plan has another form. A plan that sends stored rows as they are found stops at a limit, and has no largest step.
pub(super) fn read(text: &str, stops: bool) -> Plan {
    let plan: Value = serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::warn!(%error, "cannot read the query plan, so its cost is unknown");
        Value::Null
    });
    let places = [
        "/query_block/cost_info/query_cost",
        "/query_block/cost",
        "/query_plan/estimated_total_cost",
    ];
    let stated = places.iter().find_map(|place| plan.pointer(place).and_then(number));
    let mut largest = None;
    let visited = plan.get("query_block").map(|block| visited(block, &mut largest));
    let largest = largest.filter(|_| !stops || COLLECTING.iter().any(|part| text.contains(part)));
    Plan { cost: stated.or(visited), rows: None, largest }
}

/// A number, which MySQL writes as text.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// Rows that a part of a plan visits: each table of a nested loop is read once for each row of those before it. The table
/// of which most rows are read is the largest step.
fn visited(part: &Value, largest: &mut Option<LargestStep>) -> f64 {
    match part {
        Value::Array(parts) => parts.iter().map(|part| visited(part, largest)).sum(),
        Value::Object(fields) => {
            let loops = fields.get("nested_loop").and_then(Value::as_array);
            let joined = loops.map_or(0.0, |tables| nested(tables, largest));
            let table = fields.get("table").and_then(Value::as_object);
            let own = table.map_or(0.0, |table| noted(read_rows(table), table, largest));
            let inner = fields.iter().filter(|(name, _)| *name != "nested_loop");
            joined + own + inner.map(|(_, inner)| visited(inner, largest)).sum::<f64>()
        }
        _ => 0.0,
    }
}

fn nested(tables: &[Value], largest: &mut Option<LargestStep>) -> f64 {
    let (mut before, mut total) = (1.0, 0.0);
    for part in tables {
        let Some(table) = table_of(part) else {
            total += visited(part, largest);
            continue;
        };
        let rows = noted(before * read_rows(table), table, largest);
        total += rows;
        before = rows * share(table);
        total += table.values().map(|inner| visited(inner, largest)).sum::<f64>();
    }
    total
}

/// Rows that are read of a table, after they were compared with those of the largest step.
fn noted(rows: f64, table: &Map<String, Value>, largest: &mut Option<LargestStep>) -> f64 {
    *largest = Some(LargestStep::or_larger(largest.take(), rows, || {
        let text = |name: &str| table.get(name).and_then(Value::as_str).unwrap_or("?");
        format!("{} on {}", text("access_type"), text("table_name"))
    }));
    rows
}

/// The table of a part of a nested loop, which can be inside a join buffer or a duplicate removal.
fn table_of(part: &Value) -> Option<&Map<String, Value>> {
    let fields = part.as_object()?;
    match fields.get("table") {
        Some(table) => table.as_object(),
        None => fields.values().find_map(table_of),
    }
}

fn read_rows(table: &Map<String, Value>) -> f64 {
    ["rows", "rows_examined_per_scan"]
        .iter()
        .find_map(|name| table.get(*name).and_then(number))
        .unwrap_or(1.0)
}

/// Share of the rows that the conditions of the table keep.
fn share(table: &Map<String, Value>) -> f64 {
    table.get("filtered").and_then(number).map_or(1.0, |percent| percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_cost_counts_and_otherwise_the_visited_rows() {
        let cost = |text: &str| read(text, false).cost;
        let mysql = r#"{"query_block": {"select_id": 1, "cost_info": {"query_cost": "12.50"}}}"#;
        assert_eq!(cost(mysql), Some(12.5));
        assert_eq!(cost(r#"{"query_block": {"cost": 0.25, "table": {"rows": 9}}}"#), Some(0.25));
        let one = r#"{"query_block": {"select_id": 1, "table": {"rows": 40, "filtered": 100}}}"#;
        assert_eq!(cost(one), Some(40.0));
        let joined = r#"{"query_block": {"nested_loop": [
            {"table": {"rows": 100, "filtered": 50}},
            {"block-nl-join": {"table": {"rows": 1000, "filtered": 100}}}]}}"#;
        assert_eq!(cost(joined), Some(100.0 + 50_000.0));
        let sorted = r#"{"query_block": {"filesort": {"temporary_table": {"nested_loop": [
            {"table": {"rows": 3, "filtered": 100, "materialized": {"query_block":
                {"table": {"rows": 7}}}}}]}}}}"#;
        assert_eq!(cost(sorted), Some(3.0 + 7.0));
        assert_eq!(cost("no plan"), None);
    }

    #[test]
    fn the_table_of_which_most_rows_are_read_is_the_largest_step() {
        let joined = r#"{"query_block": {"cost": 0.5, "nested_loop": [
            {"table": {"table_name": "a", "access_type": "ALL", "rows": 100, "filtered": 50}},
            {"table": {"table_name": "b", "access_type": "ref", "rows": 20, "filtered": 1}},
            {"table": {"table_name": "c", "access_type": "eq_ref", "rows": 1}}]}}"#;
        let expected = LargestStep { rows: 1_000.0, name: "ref on b".to_owned() };
        assert_eq!(read(joined, false).largest, Some(expected));
        assert_eq!(read(joined, true).largest, None);
        let sorted = joined.replace("nested_loop", "filesort\": {}, \"nested_loop");
        assert!(read(&sorted, true).largest.is_some());
        assert_eq!(read(r#"{"query_block": {"message": "No tables used"}}"#, false).largest, None);
    }
}
