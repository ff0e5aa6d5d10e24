//! What the planner of PostgreSQL expects of a statement.

use serde_json::Value;
use tokio_postgres::Row;

use crate::database::Plan;

/// Statement that plans a checked statement, as it would run with so many rows.
pub(super) fn explained(sql: &str, rows: Option<u32>) -> String {
    match rows {
        Some(rows) => format!(
            "EXPLAIN (FORMAT JSON) SELECT * FROM (\n{sql}\n) AS checked LIMIT {}",
            u64::from(rows) + 1
        ),
        None => format!("EXPLAIN (FORMAT JSON) {sql}"),
    }
}

/// Cost and rows of a plan.
pub(super) fn read(found: &[Row]) -> Plan {
    let plan = found.first().and_then(|row| row.try_get::<_, Value>(0).ok()).unwrap_or_default();
    let figure = |name: &str| plan.pointer(&format!("/0/Plan/{name}")).and_then(Value::as_f64);
    Plan { cost: figure("Total Cost"), rows: figure("Plan Rows") }
}
