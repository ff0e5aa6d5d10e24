//! Requests to the routes for statements: checks, runs and exports in every format.

use serde_json::json;

use super::client::{Ask, Group};

const COUNTED: &str = "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY status";

pub(super) fn checking() -> Group {
    let mut asks = Vec::new();
    for sql in [
        COUNTED,
        "select * from orders limit 3",
        "SELECT nmae FROM customers",
        "SELECT email FROM customers",
        "DELETE FROM orders",
        "SELECT 1; SELECT 2",
        "SELECT * FROM sqlite_master",
        "SELECT load_extension('x')",
        "",
        "no statement",
    ] {
        asks.push(Ask::post("sql/check", &json!({ "sql": sql })));
    }
    for (dialect, sql) in [
        ("postgres", "SELECT name FROM customers WHERE name ILIKE 'a%' LIMIT 2"),
        ("mysql", "SELECT IFNULL(notes, '') FROM customers LIMIT 2"),
        ("mssql", "SELECT TOP 2 [name] FROM [customers]"),
        ("bigquery", "SELECT * EXCEPT (email) FROM customers"),
        ("duckdb", "SELECT name FROM customers LIMIT 2"),
        ("sqlite", "SELECT name FROM customers LIMIT 2"),
        ("dbase", "SELECT 1"),
    ] {
        asks.push(Ask::post("sql/check", &json!({ "sql": sql, "dialect": dialect })));
    }
    asks.push(Ask::post("sql/check", &json!({ "query": COUNTED })));
    ("checking", asks)
}

pub(super) fn executing() -> Group {
    let statement = |sql: &str| Ask::post("sql/execute", &json!({ "sql": sql }));
    let mut asks = vec![
        statement(COUNTED),
        statement(
            "SELECT name, notes, credit_limit, is_on_credit_hold FROM customers ORDER BY name LIMIT 5",
        ),
        statement("SELECT nmae FROM customers"),
        statement("SELECT national_id FROM patients"),
        statement("DELETE FROM orders"),
        statement("SELECT order_id FROM orders ORDER BY order_id"),
        Ask::post(
            "sql/execute",
            &json!({ "sql": "SELECT order_id FROM orders ORDER BY 1", "row_limit": 2 }),
        ),
        Ask::post("sql/execute", &json!({ "sql": COUNTED, "row_limit": 0 })),
        Ask::post("sql/execute", &json!({ "sql": COUNTED, "row_limit": -1 })),
        Ask::post(
            "sql/execute",
            &json!({ "sql": "SELECT TOP 2 [name] FROM [cities] ORDER BY [name]", "dialect": "mssql" }),
        ),
    ];
    asks.push(statement(COUNTED).header("accept", "text/html"));
    asks.push(statement(COUNTED).header("accept", "*/*"));
    asks.push(statement(COUNTED).header("accept", "text/csv;q=0.5, application/json"));
    ("executing", asks)
}

pub(super) fn taking_away() -> Group {
    let sql = "SELECT name, notes, credit_limit, is_on_credit_hold, customer_since, satisfaction_score \
               FROM customers ORDER BY customer_id LIMIT 40";
    let forms = ["text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream"];
    let mut asks = Vec::new();
    for form in forms {
        for body in [
            json!({ "sql": sql }),
            json!({ "sql": sql, "row_limit": 3, "file_name": "customers / März" }),
            json!({ "sql": "SELECT '=1+1' AS formula, '+a' AS plus", "formula_guard": false }),
            json!({ "sql": "SELECT '=1+1' AS formula, '+a' AS plus" }),
            json!({ "sql": "SELECT name FROM customers WHERE name = 'nobody'" }),
            json!({ "sql": "SELECT nmae FROM customers" }),
        ] {
            asks.push(Ask::post("sql/execute", &body).header("accept", form));
        }
    }
    ("taking away", asks)
}
