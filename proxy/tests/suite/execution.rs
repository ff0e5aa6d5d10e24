//! Running of statements on both databases, and statements that are rejected.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::client::execute_as;
use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

/// The same shop in both databases; there is no cluster if PostgreSQL is not installed.
struct Both {
    sqlite: Client,
    postgres: Option<Client>,
    _file: SqliteFile,
    cluster: Option<Cluster>,
}

impl Both {
    async fn new(more: &[&str]) -> Self {
        let file = SqliteFile::new(SHOP);
        let sqlite = Client::start(&file.config(more)).await;
        let cluster = Cluster::start();
        let mut postgres = None;
        if let Some(cluster) = &cluster {
            cluster.run(SHOP);
            let url = cluster.url("asker");
            postgres = Some(
                Client::start(&config(file.folder.path(), &[&["--database", &url], more].concat()))
                    .await,
            );
        }
        Self { sqlite, postgres, _file: file, cluster }
    }

    fn each(&self) -> impl Iterator<Item = &Client> {
        std::iter::once(&self.sqlite).chain(&self.postgres)
    }
}

#[tokio::test]
async fn rows_come_with_what_their_statement_does() {
    let both = Both::new(&[]).await;
    let sql = "SELECT 'é' AS e, COUNT(*) AS n FROM orders WHERE id > 1";
    for client in both.each() {
        let result = client.execute(sql).await.ok(200);
        let told = |index: usize| {
            let step = &result["explained"][index];
            let place = |name: &str| step["span"][name].as_u64().unwrap() as usize;
            (step["text"].as_str().unwrap(), &sql[place("start")..place("end")])
        };
        assert_eq!(told(0), ("read the orders", "orders"));
        assert_eq!(told(1).1, "id > 1");
        let body = json!({ "sql": "SELECT TOP 1 id FROM orders", "dialect": "mssql" });
        let other = client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
        assert_eq!(other["explained"], Value::Null, "places would not be those of this text");
    }
}

#[tokio::test]
async fn rows_come_back_the_same_from_both_engines() {
    let both = Both::new(&[]).await;
    for client in both.each() {
        let result = client
            .execute("SELECT c.country, COUNT(*) AS orders FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country ORDER BY c.country")
            .await
            .ok(200);
        assert_eq!(result["rows"], json!([["Brazil", 3], ["Norway", 1]]));
        assert_eq!(result["columns"][0], json!({ "name": "country", "data_type": "text" }));
        assert_eq!(result["columns"][1], json!({ "name": "orders", "data_type": "integer" }));
        assert_eq!(result["truncated"], false);
        let result =
            client.execute("SELECT id, ordered_on, total FROM orders ORDER BY id").await.ok(200);
        assert_eq!(result["columns"][1]["data_type"], "date");
        assert_eq!(result["columns"][2]["data_type"], "number");
        assert_eq!(result["rows"][0][1], "2024-01-05");
        assert_eq!(result["rows"][3][2], Value::Null, "NULL is kept apart from empty");
        let result = client.execute("SELECT country FROM customers WHERE id = 99").await.ok(200);
        assert_eq!(result["rows"], json!([]));
        assert_eq!(result["columns"][0]["name"], "country");
    }
}

#[tokio::test]
async fn numbers_are_not_rounded() {
    let both = Both::new(&[]).await;
    for client in both.each() {
        let result = client.execute("SELECT 9007199254740993 AS large, 9007199254740992 AS safe FROM customers WHERE id = 1").await.ok(200);
        assert_eq!(result["rows"], json!([["9007199254740993", 9_007_199_254_740_992_i64]]));
        assert_eq!(result["columns"][0]["data_type"], "integer");
    }
    let total = |result: Value| result["rows"][0][0].clone();
    let sql = "SELECT total FROM orders WHERE id = 1";
    assert_eq!(total(both.sqlite.execute(sql).await.ok(200)), json!(10.5));
    if let Some(postgres) = &both.postgres {
        assert_eq!(
            total(postgres.execute(sql).await.ok(200)),
            json!("10.50"),
            "exact decimals keep their digits"
        );
    }
}

#[tokio::test]
async fn a_result_says_when_rows_are_left_out() {
    let both = Both::new(&["--row-limit", "3"]).await;
    for client in both.each() {
        let all = client.execute("SELECT id FROM customers ORDER BY id").await.ok(200);
        assert_eq!(all["rows"], json!([[1], [2], [3]]));
        assert_eq!(all["truncated"], true);
        let exact =
            client.execute("SELECT id FROM customers WHERE id < 4 ORDER BY id").await.ok(200);
        assert_eq!(exact["rows"], json!([[1], [2], [3]]));
        assert_eq!(exact["truncated"], false);
        let body = json!({ "sql": "SELECT id FROM customers ORDER BY id", "row_limit": 1 });
        let one = client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
        assert_eq!(one["rows"], json!([[1]]));
        assert_eq!(one["truncated"], true);
        let body = json!({ "sql": "SELECT id FROM customers", "row_limit": 0 });
        client
            .post("/api/v1/sql/execute", body.to_string())
            .await
            .problem(422, "invalid_row_limit");
    }
}

#[tokio::test]
async fn a_checked_statement_is_printed_and_a_refused_one_is_explained() {
    let both = Both::new(&[]).await;
    for client in both.each() {
        let body = json!({ "sql": "select NAME from customers" });
        let checked = client.post("/api/v1/sql/check", body.to_string()).await.ok(200);
        assert!(checked["sql"].as_str().unwrap().starts_with("SELECT"), "{checked}");
        let body = json!({ "sql": "SELECT nam FROM customers" });
        let problem = client
            .post("/api/v1/sql/check", body.to_string())
            .await
            .problem(422, "statement_refused");
        assert!(
            problem["diagnostics"][0]["message"].as_str().unwrap().contains("nam"),
            "{problem}"
        );
        let body = json!({ "sql": "SELECT name FROM customers", "dialect": "cobol" });
        client.post("/api/v1/sql/check", body.to_string()).await.problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn i5_hostile_statements_never_run() {
    let both = Both::new(&[]).await;
    for client in both.each() {
        for sql in [
            "",
            "   ",
            "DELETE FROM orders",
            "SELECT 1; DROP TABLE orders",
            "COMMIT; DROP TABLE orders",
            "WITH gone AS (DELETE FROM orders RETURNING id) SELECT id FROM gone",
            "SELECT id INTO stolen FROM orders",
            "SELECT id FROM orders FOR UPDATE",
            "SELECT pg_sleep(60)",
            "SELECT pg_read_file('/etc/passwd')",
            "SELECT * FROM pg_read_file('/etc/passwd')",
            "SELECT set_config('statement_timeout', '0', false)",
            "SELECT lo_creat(-1)",
            "SELECT load_extension('x')",
            "SELECT * FROM sqlite_master",
            "SELECT * FROM pragma_table_info('orders')",
            "SELECT * FROM pg_stat_activity",
            "SELECT * FROM information_schema.tables",
            "PRAGMA writable_schema = 1",
            "ATTACH DATABASE '/tmp/x' AS x",
            "EXPLAIN ANALYZE SELECT 1",
            "COPY orders TO PROGRAM 'id'",
            "SELECT name FROM customers WHERE name = $1",
            "SELECT '\u{0}'",
        ] {
            client.execute(sql).await.problem(422, "statement_refused");
        }
        let deep = format!("SELECT {}1{}", "(".repeat(20_000), ")".repeat(20_000));
        client.execute(&deep).await.problem(422, "statement_refused");
        let long = format!("SELECT 1{}", "+1".repeat(33_000));
        client.execute(&long).await.problem(422, "statement_refused");
        let count = client.execute("SELECT COUNT(*) AS n FROM orders").await.ok(200);
        assert_eq!(count["rows"], json!([[4]]));
    }
}

#[tokio::test]
async fn a_statement_that_costs_too_much_is_refused_before_it_runs() {
    let both = Both::new(&["--cost-limit", "50"]).await;
    let cross =
        "SELECT COUNT(*) AS n FROM orders AS a CROSS JOIN orders AS b CROSS JOIN customers AS c";
    for client in both.each() {
        let problem = client.execute(cross).await.problem(422, "statement_too_costly");
        assert!(problem["detail"].as_str().unwrap().contains("at most 50"), "{problem}");
        assert_eq!(problem["retryable"], false);
        let request = execute_as("text/csv", &json!({ "sql": cross }));
        client.send(request).await.problem(422, "statement_too_costly");
        let cheap = "SELECT COUNT(*) AS n FROM orders AS o WHERE o.id = 1";
        assert_eq!(client.execute(cheap).await.ok(200)["rows"], json!([[1]]));
        // The first rows of a large result are cheap if nothing has to be sorted.
        client.execute("SELECT a.id FROM orders AS a CROSS JOIN orders AS b LIMIT 2").await.ok(200);
    }
    if let Some(cluster) = &both.cluster {
        assert!(cluster.run("SELECT count(*) FROM orders") == "4");
    }
}

// Promise: security.estimated-rows
#[tokio::test]
async fn a_statement_with_too_many_estimated_rows_is_refused_before_it_runs() {
    let both = Both::new(&["--max-estimated-rows", "50", "--cost-limit", "0"]).await;
    if let Some(cluster) = &both.cluster {
        cluster.run("ANALYZE");
    }
    let cross =
        "SELECT COUNT(*) AS n FROM orders AS a CROSS JOIN orders AS b CROSS JOIN orders AS c";
    for client in both.each() {
        let problem = client.execute(cross).await.problem(422, "too_many_estimated_rows");
        assert_eq!(problem["estimated_rows"], 64, "{problem}");
        assert_eq!(problem["max_estimated_rows"], 50, "{problem}");
        let step = problem["plan_step"].as_str().unwrap();
        assert!(step == "Nested Loop" || step.starts_with("SCAN "), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("64 rows; at most 50"), "{problem}");
        assert_eq!(problem["retryable"], false);
        let request = execute_as("text/csv", &json!({ "sql": cross }));
        client.send(request).await.problem(422, "too_many_estimated_rows");
        let few = "SELECT COUNT(*) AS n FROM orders AS a CROSS JOIN orders AS b";
        assert_eq!(client.execute(few).await.ok(200)["rows"], json!([[16]]));
        // It stops after the first rows, since nothing has to be sorted.
        let first =
            "SELECT a.id FROM orders AS a CROSS JOIN orders AS b CROSS JOIN orders AS c LIMIT 2";
        client.execute(first).await.ok(200);
    }
}

/// A statement that passes the guard and that no database finishes within a minute.
fn runaway() -> String {
    let joins = (1..24).fold(String::new(), |joins, index| {
        let before = index - 1;
        joins + &format!(" JOIN orders AS o{index} ON o{index}.id <> o{before}.id + 100")
    });
    format!("SELECT COUNT(*) AS n FROM orders AS o0{joins}")
}

#[tokio::test]
async fn a_runaway_statement_is_stopped() {
    let both = Both::new(&["--statement-seconds", "1", "--cost-limit", "0"]).await;
    let sql = runaway();
    for client in both.each() {
        let problem = client.execute(&sql).await.problem(504, "statement_timeout");
        assert_eq!(problem["retryable"], true);
        client.execute("SELECT id FROM orders").await.ok(200);
    }
    if let Some(cluster) = &both.cluster {
        let running = cluster.run("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'wherefore' AND state = 'active'");
        assert_eq!(running, "0");
    }
}

#[tokio::test]
async fn a_sqlite_file_that_vanishes_and_returns() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let sql = "SELECT COUNT(*) AS n FROM orders";
    client.execute(sql).await.ok(200);
    let away = file.folder.path().join("away");
    std::fs::rename(&file.path, &away).unwrap();
    let problem = client.execute(sql).await.problem(503, "database_unavailable");
    assert_eq!(problem["retryable"], true);
    assert!(problem["sql"].as_str().unwrap().contains("orders"));
    assert_eq!(
        client.get("/api/v1/ready").await.ok(503)["parts"][0]["code"],
        "database_unavailable"
    );
    client.get("/api/v1/health").await.ok(200);
    std::fs::write(&file.path, "x".repeat(8192)).unwrap();
    client.execute(sql).await.problem(503, "database_unavailable");
    std::fs::remove_file(&file.path).unwrap();
    std::fs::rename(&away, &file.path).unwrap();
    assert_eq!(client.execute(sql).await.ok(200)["rows"], json!([[4]]));
    let replaced = file.folder.path().join("replaced");
    crate::support::fill(&replaced, &format!("{SHOP} DELETE FROM orders WHERE id > 1;"));
    std::fs::rename(&replaced, &file.path).unwrap();
    assert_eq!(
        client.execute(sql).await.ok(200)["rows"],
        json!([[1]]),
        "the file that took its place is read"
    );
}

#[tokio::test]
async fn a_postgres_server_that_stops_and_returns() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    let sql = "SELECT COUNT(*) AS n FROM orders";
    client.execute(sql).await.ok(200);
    cluster.stop();
    let problem = client.execute(sql).await.problem(503, "database_unavailable");
    assert_eq!(problem["retryable"], true);
    client.get("/api/v1/ready").await.ok(503);
    cluster.resume();
    assert_eq!(client.execute(sql).await.ok(200)["rows"], json!([[4]]));
    // A check is used again for a second.
    while client.get("/api/v1/ready").await.status != 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a statement of the proxy is running, or until none is.
async fn wait_for(cluster: &Cluster, running: &str) {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'wherefore' AND state = 'active'";
    for _ in 0..600 {
        if cluster.run(sql) == running {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the number of running statements did not become {running}");
}

#[tokio::test]
async fn a_postgres_server_that_stops_while_a_statement_runs() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let more =
        ["--database", &cluster.url("asker"), "--statement-seconds", "60", "--cost-limit", "0"];
    let client = Client::start(&config(folder.path(), &more)).await;
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.execute(&runaway()).await }
    });
    wait_for(&cluster, "1").await;
    cluster.stop();
    asking.await.unwrap().problem(503, "database_unavailable");
    cluster.resume();
    client.execute("SELECT id FROM orders").await.ok(200);
}

#[tokio::test]
async fn a_statement_that_nobody_waits_for_is_cancelled() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let more =
        ["--database", &cluster.url("asker"), "--statement-seconds", "600", "--cost-limit", "0"];
    let client = Client::start(&config(folder.path(), &more)).await;
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.execute(&runaway()).await }
    });
    wait_for(&cluster, "1").await;
    asking.abort();
    wait_for(&cluster, "0").await;
    client.execute("SELECT id FROM orders").await.ok(200);
}

#[tokio::test]
async fn a_statement_of_sqlite_that_nobody_waits_for_is_stopped() {
    let file = SqliteFile::new(SHOP);
    let more = ["--connections", "1", "--statement-seconds", "600", "--cost-limit", "0"];
    let client = Client::start(&file.config(&more)).await;
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.execute(&runaway()).await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    asking.abort();
    // The only connection is free again, else this would time out.
    client.execute("SELECT id FROM orders").await.ok(200);
}
