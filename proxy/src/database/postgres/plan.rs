//! Cost and row estimates of PostgreSQL's planner.

use serde_json::Value;
use tokio_postgres::Row;

use crate::database::{LargestStep, Plan};

/// Steps that yield rows before they have read all of their first input.
const STREAMING: [&str; 15] = [
    "Append",
    "Gather",
    "Gather Merge",
    "Group",
    "Hash Join",
    "Limit",
    "LockRows",
    "Memoize",
    "Merge Append",
    "Merge Join",
    "Nested Loop",
    "ProjectSet",
    "Result",
    "Subquery Scan",
    "Unique",
];

/// `EXPLAIN` of a checked statement as it would run with a row limit.
pub(super) fn explained(sql: &str, rows: Option<u32>) -> String {
    match rows {
        Some(rows) => format!(
            "EXPLAIN (FORMAT JSON) SELECT * FROM (\n{sql}\n) AS checked LIMIT {}",
            u64::from(rows) + 1
        ),
        None => format!("EXPLAIN (FORMAT JSON) {sql}"),
    }
}

/// Cost and row estimate of a plan.
pub(super) fn read(found: &[Row]) -> Plan {
    let plan = match found.first().map(|row| row.try_get::<_, Value>(0)) {
        Some(Ok(plan)) => plan,
        Some(Err(error)) => {
            tracing::warn!(%error, "cannot read the query plan, so its cost is unknown");
            Value::Null
        }
        None => Value::Null,
    };
    of(&plan)
}

fn of(plan: &Value) -> Plan {
    let figure = |name: &str| plan.pointer(&format!("/0/Plan/{name}")).and_then(Value::as_f64);
    let mut largest = None;
    if let Some(root) = plan.pointer("/0/Plan") {
        note(root, 1.0, 1.0, &mut largest);
    }
    Plan { cost: figure("Total Cost"), rows: figure("Plan Rows"), largest }
}

/// Compares the rows of a step and of its inputs with those of the largest.
///
/// A step runs this often, and yields this share of its rows: what is below a `LIMIT` stops when there are enough.
fn note(step: &Value, runs: f64, share: f64, largest: &mut Option<LargestStep>) {
    let kind = step["Node Type"].as_str().unwrap_or_default();
    let own = rows(step) * share;
    *largest = Some(LargestStep::or_larger(largest.take(), own * runs, || {
        match step["Relation Name"].as_str() {
            Some(table) => format!("{kind} on {table}"),
            None => kind.to_owned(),
        }
    }));
    let Some(inputs) = step["Plans"].as_array() else { return };
    let outer = inputs.iter().find(|input| input["Parent Relationship"] == "Outer");
    let outer_share = |input: &Value| match kind {
        "Limit" => share * (rows(step) / rows(input).max(1.0)).min(1.0),
        _ if STREAMING.contains(&kind) => share,
        _ => 1.0,
    };
    for input in inputs {
        match (kind, input["Parent Relationship"].as_str().unwrap_or_default()) {
            ("Nested Loop", "Inner") => {
                let loops = outer.map_or(1.0, |outer| rows(outer) * share).max(1.0);
                // What is kept in memory is not read again.
                let kept = matches!(input["Node Type"].as_str(), Some("Materialize" | "Memoize"));
                note(input, if kept { runs } else { runs * loops }, 1.0, largest);
            }
            (_, "Outer" | "Member" | "Subquery") => {
                note(input, runs, outer_share(input), largest);
            }
            _ => note(input, runs, 1.0, largest),
        }
    }
}

fn rows(step: &Value) -> f64 {
    step["Plan Rows"].as_f64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn largest(root: Value) -> (f64, String) {
        let step = of(&json!([{ "Plan": root }])).largest.unwrap();
        (step.rows, step.name)
    }

    fn scan(rows: u32, side: &str) -> Value {
        json!({"Node Type": "Seq Scan", "Relation Name": "t", "Plan Rows": rows, "Parent Relationship": side})
    }

    #[test]
    fn the_step_with_the_most_rows_is_the_largest() {
        let grouped =
            json!({"Node Type": "Aggregate", "Plan Rows": 1, "Plans": [scan(1000, "Outer")]});
        assert_eq!(largest(grouped), (1000.0, "Seq Scan on t".to_owned()));
        let kept = json!({"Node Type": "Materialize", "Plan Rows": 30, "Parent Relationship": "Inner",
            "Plans": [scan(30, "Outer")]});
        let crossed = json!({"Node Type": "Nested Loop", "Plan Rows": 600, "Plans": [scan(20, "Outer"), kept]});
        assert_eq!(largest(crossed), (600.0, "Nested Loop".to_owned()));
        let read_again = json!({"Node Type": "Nested Loop", "Plan Rows": 5, "Plans": [scan(20, "Outer"), scan(30, "Inner")]});
        assert_eq!(largest(read_again), (600.0, "Seq Scan on t".to_owned()));
    }

    #[test]
    fn what_stops_at_a_limit_yields_no_more_than_its_share() {
        let limited =
            |below: Value| json!({"Node Type": "Limit", "Plan Rows": 10, "Plans": [below]});
        assert_eq!(largest(limited(scan(1000, "Outer"))), (10.0, "Limit".to_owned()));
        let sorted = json!({"Node Type": "Sort", "Plan Rows": 1000, "Parent Relationship": "Outer",
            "Plans": [scan(1000, "Outer")]});
        assert_eq!(largest(limited(sorted)), (1000.0, "Seq Scan on t".to_owned()));
    }
}
