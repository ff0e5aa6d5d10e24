//! Cost and row estimates of PostgreSQL's planner.

use serde_json::Value;
use tokio_postgres::Row;

use crate::database::Plan;

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
    let figure = |name: &str| plan.pointer(&format!("/0/Plan/{name}")).and_then(Value::as_f64);
    Plan { cost: figure("Total Cost"), rows: figure("Plan Rows") }
}
