//! A DuckDB file as the data source: questions, statements, values, limits and failures.

use axum::http::StatusCode;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use wherefore_engine::catalog::{Catalog, Coverage, DataType, Table, TableKind};
use wherefore_proxy::startup::start;

use crate::support::client::execute_as;
use crate::support::serving::run;
use crate::support::{Client, DuckDb, SHOP, config};

/// Statements that must be refused before they reach the database.
const HOSTILE: &str = include_str!("data/hostile_duckdb.txt");

/// A file with a proxy on it.
struct Shop {
    client: Client,
    file: DuckDb,
}

impl Shop {
    /// The shop of the other tests with more statements and options.
    async fn start(sql: &str, more: &[&str]) -> Option<Self> {
        let file = DuckDb::new(&format!("{SHOP};{sql}"))?;
        let options = config(file.folder.path(), &[&file.options(), more].concat());
        Some(Self { client: Client::start(&options).await, file })
    }

    async fn catalog(&self) -> Catalog {
        let source = self.client.state.sources.get("default").unwrap();
        source.database.as_ref().unwrap().read_catalog().await.unwrap()
    }

    async fn rows(&self, sql: &str) -> Value {
        self.client.execute(sql).await.ok(200)["rows"].clone()
    }
}

/// A view that takes long to count.
const SLOW: &str = "CREATE VIEW slow AS SELECT hash(a.range, b.range) % 7 AS id \
     FROM range(3000000) a CROSS JOIN range(3000000) b";

#[tokio::test]
async fn the_catalog_has_tables_columns_keys_and_values() {
    let sql = "CREATE TYPE state AS ENUM ('open', 'it''s');
        CREATE SCHEMA extra;
        CREATE TABLE extra.\"Odd Names\" (\"Id\" INTEGER PRIMARY KEY, state state, code VARCHAR UNIQUE, \"group\" INTEGER,
            sure BOOLEAN NOT NULL, big HUGEINT, parts INTEGER[], UNIQUE (code, \"group\"));
        INSERT INTO extra.\"Odd Names\" VALUES (1, 'open', 'abc', 7, true, 1, [1]), (2, 'it''s', 'ÄÖ', 8, false, 2, []);
        COMMENT ON TABLE customers IS 'who buys'; COMMENT ON COLUMN customers.name IS 'the full name'";
    let Some(shop) = Shop::start(sql, &[]).await else { return };
    let catalog = shop.catalog().await;
    let names: Vec<String> = catalog.tables.iter().map(Table::key).collect();
    assert_eq!(names, ["customers", "extra.Odd Names", "open_orders", "orders"]);
    let table = |name: &str| catalog.tables.iter().find(|table| table.name == name).unwrap();
    let odd = table("Odd Names");
    assert_eq!((odd.row_estimate, &odd.primary_key[..]), (Some(2), &["Id".to_owned()][..]));
    let column = |name: &str| odd.columns.iter().find(|column| column.name == name).unwrap();
    assert!(column("Id").unique && column("code").unique && !column("group").unique);
    assert_eq!(column("Id").maximum.as_deref(), Some("2"));
    assert_eq!(column("sure").data_type, DataType::Boolean);
    assert_eq!(column("big").data_type, DataType::Integer);
    assert_eq!(column("parts").data_type, DataType::Other);
    assert!(!column("sure").nullable && column("code").nullable);
    let values = column("state").values.as_ref().unwrap();
    assert_eq!(values.values, ["it's", "open"]);
    assert_eq!(values.coverage, Coverage::Complete);
    assert_eq!(column("code").values.as_ref().unwrap().values, ["abc", "ÄÖ"]);
    assert_eq!(table("customers").description, "who buys");
    assert_eq!(table("customers").columns[1].description, "the full name");
    let view = table("open_orders");
    assert_eq!((view.kind, view.row_estimate), (TableKind::View, Some(2)));
    let key = &catalog.foreign_keys[0];
    assert_eq!((key.from_table.as_str(), key.to_table.as_str()), ("orders", "customers"));
    assert_eq!((&key.from_columns[0], &key.to_columns[0]), (&"customer_id".into(), &"id".into()));
    let sql = r#"SELECT "Id", "group" FROM extra."Odd Names" WHERE code = 'ÄÖ'"#;
    assert_eq!(shop.rows(sql).await, json!([[2, 8]]));
}

#[tokio::test]
async fn questions_are_asked_back_and_answered() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let client = &shop.client;
    let answered = client.ask("how many customers are in Brazil").await.ok(200);
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(answered["view"]["result"]["rows"], json!([[2]]));
    let asked = client.ask("show me recent orders").await.ok(202);
    let options = asked["questions"][0]["options"].as_array().unwrap();
    let days = options.iter().find(|it| it["label"].as_str().unwrap().contains("90")).unwrap();
    let answers = json!([{
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "option", "option_id": days["id"] },
    }]);
    let body = json!({ "clarification_id": asked["clarification_id"], "answers": answers });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 4);
    let found = client.get("/api/v1/values?table=customers&column=name&search=A").await.ok(200);
    assert_eq!(found["values"], json!(["Ann"]), "{found}");
}

#[tokio::test]
async fn statements_return_the_rows_and_types_of_postgresql() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let sql = "SELECT c.country, COUNT(*), SUM(o.total) AS total, MAX(o.ordered_on), AVG(o.id), SUM(o.id), \
         BOOL_OR(o.total > 25) AS large FROM orders o JOIN customers c ON c.id = o.customer_id \
         GROUP BY c.country ORDER BY c.country";
    let result = shop.client.execute(sql).await.ok(200);
    assert_eq!(
        result["rows"],
        json!([
            ["Brazil", 3, "30.75", "2024-03-08", 7.0 / 3.0, 7, false],
            ["Norway", 1, "30.00", "2024-03-07", 3.0, 3, true]
        ])
    );
    let columns = result["columns"].as_array().unwrap();
    let types: Vec<_> = columns
        .iter()
        .map(|column| (column["name"].as_str().unwrap(), column["data_type"].as_str().unwrap()))
        .collect();
    assert_eq!(
        types,
        [
            ("country", "text"),
            ("count", "integer"),
            ("total", "number"),
            ("max", "date"),
            ("avg", "number"),
            ("sum", "integer"),
            ("large", "boolean")
        ]
    );
}

#[tokio::test]
async fn statements_have_the_meaning_of_postgresql() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    for (sql, expected) in [
        (
            "SELECT 7 / 2, -7 / 2, 7 % 3, 7 / 2.0, id / 2 FROM orders WHERE id = 3",
            json!([[3, -3, 1, 3.5, 1]]),
        ),
        ("SELECT total / 4, total / (id - 1) FROM orders WHERE id = 1", json!([[2.625, null]])),
        (
            "SELECT country FROM customers ORDER BY country DESC, id",
            json!([[null], ["Norway"], ["Brazil"], ["Brazil"]]),
        ),
        ("SELECT country FROM customers ORDER BY country, id LIMIT 1 OFFSET 3", json!([[null]])),
        ("SELECT id FROM customers WHERE name LIKE 'a%'", json!([])),
        ("SELECT id FROM customers WHERE name ILIKE 'DÉ'", json!([[4]])),
        ("SELECT id FROM customers WHERE name ~ '^[AB]' ORDER BY id", json!([[1], [2]])),
        ("SELECT id FROM customers WHERE name = 'ANN'", json!([])),
        ("SELECT '5%' LIKE '5\\%', 'abc' LIKE 'a\\%'", json!([[true, false]])),
        (
            "SELECT ordered_on + 7, ordered_on - DATE '2024-01-01', ordered_on + INTERVAL '1 month' FROM orders WHERE id = 1",
            json!([["2024-01-12", 4, "2024-02-05 00:00:00"]]),
        ),
        (
            "SELECT date_trunc('month', ordered_on), to_char(ordered_on, 'YYYY-\"Q\"Q Mon'), extract(dow FROM ordered_on) FROM orders WHERE id = 2",
            json!([["2024-02-01 00:00:00", "2024-Q1 Feb", 2]]),
        ),
        (
            "SELECT extract(second FROM TIMESTAMP '2024-01-01 10:00:05.5'), INTERVAL '1 month 2 days' + INTERVAL '3 hours'",
            json!([[5.5, "1 mon 2 days 03:00:00"]]),
        ),
        ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders", json!([[20.25]])),
        (
            "SELECT round(CAST(total AS numeric) / 3, 2), round(avg(total), 1) FROM orders WHERE id = 1 GROUP BY id, total",
            json!([[3.5, 10.5]]),
        ),
        (
            "SELECT CAST('12' AS integer) + 1, CAST(id AS text) || 'x', CAST(total > 5 AS text) FROM orders WHERE id = 1",
            json!([[13, "1x", "true"]]),
        ),
        (
            "SELECT split_part('a b c', ' ', 2), lpad('7', 3, '0'), upper('é'), strpos('abc', 'c'), left('abc', -1)",
            json!([["b", "007", "É", 3, "ab"]]),
        ),
        (
            "SELECT string_agg(name, ', ' ORDER BY name DESC) FROM customers WHERE country = 'Brazil'",
            json!([["Cleo, Ann"]]),
        ),
        (
            "SELECT c.name, count(o.id) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY orders DESC, c.name",
            json!([["Ann", 2], ["Bob", 1], ["Cleo", 1], ["Dé", 0]]),
        ),
        (
            "SELECT DISTINCT ON (customer_id) customer_id, id FROM orders ORDER BY customer_id, id DESC",
            json!([[1, 2], [2, 3], [3, 4]]),
        ),
        ("SELECT n FROM generate_series(1, 3) AS n", json!([[1], [2], [3]])),
        (
            "SELECT id, lag(id) OVER (ORDER BY id), sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM orders ORDER BY id LIMIT 2",
            json!([[1, null, 1], [2, 1, 3]]),
        ),
        (
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT sum(i) FROM n",
            json!([[6]]),
        ),
        (
            "SELECT o.id, c.id FROM orders o JOIN customers c ON c.id = o.customer_id ORDER BY o.id DESC LIMIT 1",
            json!([[4, 3]]),
        ),
        (
            "SELECT sum(id) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE total IS NULL) FROM orders",
            json!([[5, 1]]),
        ),
        ("SELECT id FROM orders WHERE id = ANY (ARRAY[1, 4]) ORDER BY id", json!([[1], [4]])),
    ] {
        assert_eq!(shop.rows(sql).await, expected, "{sql}");
    }
}

#[tokio::test]
async fn values_of_every_type_are_returned_as_they_are_stored() {
    let sql = "CREATE TYPE mood AS ENUM ('glad', 'sad');
        CREATE TABLE kinds (d DATE, ts TIMESTAMP, tz TIMESTAMPTZ, ns TIMESTAMP_NS, t TIME, tiny UTINYINT, flag BOOLEAN,
            amount DECIMAL(38,10), big UBIGINT, huge HUGEINT, js JSON, raw BLOB, f FLOAT, dbl DOUBLE, s mood, u UUID,
            iv INTERVAL, list INTEGER[], pair STRUCT(a INTEGER, b VARCHAR), n BIGINT);
        INSERT INTO kinds VALUES ('2024-02-29', '2024-05-01 10:00:00.5', '2024-05-01 10:00:00+02', '2024-05-01 10:00:00.123456789',
            '10:00:00.25', 255, true, 1234567890123456789012345678.0123456789, 18446744073709551615,
            170141183460469231731687303715884105727, '{\"a\": [1, 2]}', '\\x00\\xFF\\x00', 0.1, 0.1, 'glad',
            '123e4567-e89b-12d3-a456-426614174000', INTERVAL '14 months 3 days 4 hours', [1, NULL, 3], {'a': 1, 'b': 'x'},
            9007199254740993);
        INSERT INTO kinds SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL;
        INSERT INTO kinds (d, ts) VALUES ('infinity', '-infinity'), ('-0044-03-15', '0001-01-01')";
    let Some(shop) = Shop::start(sql, &[]).await else { return };
    let sql = "SELECT d, ts, tz, ns, t, tiny, flag, amount, big, huge, js, raw, f, dbl, s, u, iv, list, pair, n FROM kinds";
    let result = shop.client.execute(sql).await.ok(200);
    assert_eq!(
        result["rows"][0],
        json!([
            "2024-02-29",
            "2024-05-01 10:00:00.5",
            "2024-05-01T08:00:00+00:00",
            "2024-05-01 10:00:00.123456789",
            "10:00:00.25",
            255,
            true,
            "1234567890123456789012345678.0123456789",
            "18446744073709551615",
            "170141183460469231731687303715884105727",
            "{\"a\": [1, 2]}",
            "3 bytes",
            0.1,
            0.1,
            "glad",
            "123e4567-e89b-12d3-a456-426614174000",
            "1 year 2 mons 3 days 04:00:00",
            "[1, NULL, 3]",
            "{a: 1, b: x}",
            "9007199254740993"
        ])
    );
    assert_eq!(result["rows"][1], json!(vec![Value::Null; 20]));
    assert_eq!(result["rows"][2][0], json!("infinity"));
    assert_eq!(result["rows"][2][1], json!("-infinity"));
    let types: Vec<&str> = result["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["data_type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "date",
            "timestamp",
            "timestamp",
            "timestamp",
            "time",
            "integer",
            "boolean",
            "number",
            "integer",
            "integer",
            "json",
            "binary",
            "number",
            "number",
            "text",
            "uuid",
            "other",
            "other",
            "other",
            "integer"
        ]
    );
    for form in [
        "text/csv",
        "application/x-ndjson",
        "application/vnd.apache.arrow.stream",
        "application/vnd.apache.parquet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ] {
        let body = json!({ "sql": sql });
        let exported = shop.client.send(execute_as(form, &body)).await;
        assert_eq!(exported.status, StatusCode::OK, "{form}: {}", exported.text);
    }
}

// Promise: dialects.duckdb-read-only
#[tokio::test]
async fn hostile_statements_never_run_and_write_nothing() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let before = std::fs::read(&shop.file.path).unwrap();
    for hostile in HOSTILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        for dialect in ["duckdb", "postgres"] {
            let body = json!({ "sql": hostile, "dialect": dialect });
            let answer = shop.client.post("/api/v1/sql/execute", body.to_string()).await;
            let refused = answer.status == StatusCode::UNPROCESSABLE_ENTITY;
            assert!(refused, "{hostile}: {} {}", answer.status, answer.text);
        }
    }
    assert_eq!(std::fs::read(&shop.file.path).unwrap(), before);
    let names = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let left: Vec<String> = names(shop.file.folder.path())
        .into_iter()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| !name.starts_with("store"))
        .collect();
    assert_eq!(left, ["shop.duckdb"]);
}

#[tokio::test]
async fn statements_in_its_own_dialect_are_taken_and_what_it_lacks_is_refused() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let body = json!({ "sql": "SELECT 7 / 2, 7 // 2, strftime(ordered_on, '%Y-%m') FROM orders WHERE id = 1",
        "dialect": "duckdb" });
    let rows = shop.client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
    assert_eq!(rows["rows"], json!([[3.5, 3, "2024-01"]]), "it has the meaning of its own dialect");
    let body = json!({ "sql": "SELECT id / 2 AS half FROM orders WHERE status = 'open'" });
    let checked = shop.client.post("/api/v1/sql/check", body.to_string()).await.ok(200);
    assert_eq!(checked["dialect"], "postgres");
    assert!(checked["native_sql"].as_str().unwrap().contains("divide(id, 2)"), "{checked}");
    let body = json!({ "sql": "SELECT initcap(name) FROM customers" });
    for route in ["check", "execute"] {
        let path = format!("/api/v1/sql/{route}");
        let answer = shop.client.post(&path, body.to_string()).await;
        let problem = answer.problem(422, "statement_refused");
        assert!(problem["detail"].as_str().unwrap().contains("DuckDB: initcap"), "{problem}");
    }
}

#[tokio::test]
async fn results_are_limited_in_rows_cells_columns_time_and_cost() {
    let sql = format!(
        "CREATE TABLE notes (id INTEGER, note VARCHAR); \
         INSERT INTO notes VALUES (1, repeat('é', 100000)), (2, 'short'); {SLOW}"
    );
    let more = ["--row-limit", "3", "--statement-seconds", "1", "--cost-limit", "0"];
    let Some(shop) = Shop::start(&sql, &more).await else { return };
    let all = shop.client.execute("SELECT id FROM customers ORDER BY id").await.ok(200);
    assert_eq!((&all["rows"], &all["truncated"]), (&json!([[1], [2], [3]]), &json!(true)));
    let exact = shop.client.execute("SELECT id FROM customers WHERE id < 4").await.ok(200);
    assert_eq!(exact["truncated"], false);
    let cut = shop.client.execute("SELECT id, note FROM notes ORDER BY id").await.ok(200);
    let note = cut["rows"][0][1].as_str().unwrap();
    assert!(note.len() <= 65_540 && note.ends_with('…'), "{}", note.len());
    assert_eq!(cut["cut_cells"][0], json!({ "row": 0, "column": 1, "length": 200_000 }));
    let columns = vec!["id"; 201].join(", ");
    let wide = shop.client.execute(&format!("SELECT {columns} FROM orders")).await;
    assert_eq!(wide.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wide.text);
    let late = shop.client.execute("SELECT sum(id) FROM slow").await;
    late.problem(504, "statement_timeout");
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]), "the proxy goes on");
    let failed = shop.client.execute("SELECT CAST(name AS integer) FROM customers").await;
    failed.problem(422, "statement_failed");
}

#[tokio::test]
async fn a_statement_that_costs_too_much_is_not_run() {
    let Some(shop) = Shop::start(SLOW, &["--max-estimated-rows", "5000"]).await else { return };
    let large = shop.client.execute("SELECT count(*) FROM slow").await;
    let large = large.problem(422, "too_many_estimated_rows");
    assert!(large["estimated_rows"].as_u64() > Some(5000), "{large}");
    assert!(!large["plan_step"].as_str().unwrap().is_empty(), "{large}");
    let Some(shop) = Shop::start(SLOW, &["--cost-limit", "5000"]).await else { return };
    let costly = shop.client.execute("SELECT count(*) FROM slow").await;
    let costly = costly.problem(422, "statement_too_costly");
    assert!(costly["detail"].as_str().unwrap().contains("at most 5000"), "{costly}");
    let first = shop.client.execute("SELECT id, total FROM orders").await;
    first.ok(200);
}

#[tokio::test]
async fn an_estimate_is_accepted_before_its_statement_runs() {
    let Some(shop) = Shop::start("", &["--confirm-estimated-rows", "3"]).await else { return };
    let sql = "SELECT sum(total) FROM orders";
    let asked = shop.client.execute(sql).await.problem(422, "estimate_not_accepted");
    assert_eq!(asked["estimated_rows"], 4, "{asked}");
    let body = json!({ "sql": sql, "accept_estimate": true });
    shop.client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
    let cross =
        shop.client.execute("SELECT count(*) FROM orders AS a CROSS JOIN orders AS b").await;
    let cross = cross.problem(422, "estimate_not_accepted");
    assert_eq!(
        (&cross["estimated_rows"], &cross["plan_step"]),
        (&json!(16), &json!("CROSS_PRODUCT"))
    );
}

#[tokio::test]
async fn a_statement_whose_reader_goes_away_is_cancelled() {
    let more = ["--connections", "1", "--cost-limit", "0"];
    let Some(shop) = Shop::start(SLOW, &more).await else { return };
    let body = json!({ "sql": "SELECT sum(id) FROM slow" });
    let (client, request) = (shop.client.clone(), execute_as("application/x-ndjson", &body));
    let reading = tokio::spawn(async move {
        let response = client.response(request).await;
        response.into_body().collect().await.map(drop)
    });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    reading.abort();
    let free = shop.rows("SELECT count(*) FROM orders").await;
    assert_eq!(free, json!([[4]]), "the only place is free");
}

#[tokio::test]
async fn an_export_streams_all_rows_and_ends_with_the_client() {
    let sql =
        "CREATE TABLE numbers AS SELECT range AS n, repeat('x', 90) AS label FROM range(50000)";
    let Some(shop) = Shop::start(sql, &["--connections", "1"]).await else { return };
    let body = json!({ "sql": "SELECT n, label FROM numbers ORDER BY n" });
    let exported = shop.client.send(execute_as("application/x-ndjson", &body)).await;
    assert_eq!(exported.text.lines().filter(|line| line.contains("xxx")).count(), 50_000);
    let response = shop.client.response(execute_as("text/csv", &body)).await;
    let mut stream = response.into_body();
    stream.frame().await.unwrap().unwrap();
    drop(stream);
    assert_eq!(shop.rows("SELECT count(*) FROM numbers").await, json!([[50_000]]));
}

#[tokio::test]
async fn a_file_that_was_replaced_is_read_anew() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]));
    let other = DuckDb::new(&format!("{SHOP}; DELETE FROM orders WHERE id = 4")).unwrap();
    std::fs::rename(&other.path, &shop.file.path).unwrap();
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[3]]));
    std::fs::write(&shop.file.path, "no database").unwrap();
    let broken = shop.client.execute("SELECT count(*) FROM orders").await;
    broken.problem(422, "unreadable_file");
    std::fs::remove_file(&shop.file.path).unwrap();
    let gone = shop.client.execute("SELECT count(*) FROM orders").await;
    gone.problem(503, "database_unavailable");
}

#[tokio::test]
async fn a_file_or_a_driver_that_is_wrong_is_named() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let folder = file.folder.path();
    let text = folder.join("text.duckdb");
    std::fs::write(&text, "no database, but long enough to look like one").unwrap();
    let cut = folder.join("cut.parquet");
    std::fs::write(&cut, "PAR1, and no end of the file").unwrap();
    let library = folder.join("library.so");
    std::fs::write(&library, "no library").unwrap();
    let mut head = [0; 64];
    head[..5].copy_from_slice(b"\x7fELF\x02");
    head[18] = 243;
    let foreign = folder.join("foreign.so");
    std::fs::write(&foreign, head).unwrap();
    let (good, driver) = (file.path.to_str().unwrap(), file.driver.to_str().unwrap());
    for (database, driver, words) in [
        (text.to_str().unwrap(), driver, ["text.duckdb", "not a valid DuckDB database"]),
        (good, library.to_str().unwrap(), ["it is no library", "; correct --driver"]),
        (good, foreign.to_str().unwrap(), ["it is a library for linux", "; correct --driver"]),
        (
            cut.to_str().unwrap(),
            driver,
            ["cut.parquet: the Parquet file is cut off", "copy it again"],
        ),
        (good, "/nowhere/libduckdb.so", ["there is no such file", "; correct --driver"]),
        (good, "lib/libduckdb.so", ["it is a relative path", "; correct --driver"]),
        (good, "absent", ["absent is not installed", "; install it, or set --driver"]),
        ("/nowhere/shop.duckdb", driver, ["/nowhere/shop.duckdb", "; correct --database"]),
    ] {
        let options = config(folder, &["--database", database, "--driver", driver]);
        let started = start(&options).await.err().map(|error| error.to_string());
        let output = run(&[
            "check",
            "--listen",
            "127.0.0.1:0",
            "--store",
            folder.join("other.sqlite").to_str().unwrap(),
            "--database",
            database,
            "--driver",
            driver,
        ]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success(), "{text}");
        for word in words {
            assert!(text.contains(word), "{word} is missing in {started:?}\n{text}");
        }
    }
}

/// A library that does this when it is loaded.
fn nasty(folder: &std::path::Path, name: &str, code: &str) -> std::path::PathBuf {
    let (source, library) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.so")));
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
         __attribute__((constructor)) static void loaded(void) {{ {code} }}\n\
         unsigned char duckdb_adbc_init(int version, void *driver, void *error) {{ return 2; }}\n"
    );
    std::fs::write(&source, text).unwrap();
    let mut compiler = std::process::Command::new("cc");
    let status = compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(status.unwrap().success());
    library
}

// Promise: dialects.driver-process
#[tokio::test]
async fn a_driver_that_crashes_hangs_or_prints_takes_nothing_with_it() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let folder = file.folder.path();
    for (name, code, words) in [
        ("crashes", "abort();", "signal: 6"),
        ("leaves", "exit(0);", "exit status: 0"),
        ("hangs", "for (;;) sleep(1);", "within 20 s"),
        ("prints", "printf(\"no message\\n\"); fflush(stdout);", "cannot be loaded"),
    ] {
        let library = nasty(folder, name, code);
        let database = file.path.to_str().unwrap();
        let options =
            config(folder, &["--database", database, "--driver", library.to_str().unwrap()]);
        let error = start(&options).await.err().unwrap().to_string();
        assert!(error.contains(words), "{name}: {error}");
    }
}

// Promise: dialects.driver-process
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_driver_that_dies_in_the_middle_is_started_again() {
    let more = ["--cost-limit", "0", "--statement-seconds", "60"];
    let Some(shop) = Shop::start(SLOW, &more).await else { return };
    let client = shop.client.clone();
    let reading = tokio::spawn(async move { client.execute("SELECT sum(id) FROM slow").await });
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let process = process_with(&shop.file.path).expect("a process has the file open");
    assert!(
        std::process::Command::new("kill").args(["-KILL", &process]).status().unwrap().success()
    );
    let answer = reading.await.unwrap().problem(503, "database_unavailable");
    assert!(answer["detail"].as_str().unwrap().contains("signal: 9"), "{answer}");
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]));
}

/// Number of the process that has a file open, other than this one.
#[cfg(target_os = "linux")]
fn process_with(file: &std::path::Path) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let mut names = processes.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.find(|process| {
        let links = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten();
        let mut links = links.flatten().filter_map(|link| std::fs::read_link(link.path()).ok());
        *process != std::process::id().to_string() && links.any(|target| target == file)
    })
}

#[tokio::test]
async fn parquet_files_are_tables() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let folder = file.folder.path().join("a [new] folder");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, query: &str| {
        let path = folder.join(name);
        file.run(&format!("COPY ({query}) TO '{}' (FORMAT parquet)", path.display())).unwrap();
    };
    write("customers.parquet", "SELECT * FROM customers");
    write(
        "order lines.parquet",
        "SELECT range AS id, range % 4 + 1 AS customer_id, range * 1.5 AS total FROM range(3000)",
    );
    std::fs::write(folder.join("notes.txt"), "no table").unwrap();
    let before = std::fs::read(folder.join("customers.parquet")).unwrap();
    let (database, driver) = (folder.to_str().unwrap(), file.driver.to_str().unwrap());
    let options = config(file.folder.path(), &["--database", database, "--driver", driver]);
    let client = Client::start(&options).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200).to_string();
    assert!(catalog.contains("order lines") && !catalog.contains("notes"), "{catalog}");
    let sql = "SELECT c.name, count(*), sum(l.total) FROM \"order lines\" l JOIN customers c ON c.id = l.customer_id \
         GROUP BY c.id, c.name ORDER BY c.id LIMIT 1";
    let found = client.execute(sql).await.ok(200);
    assert_eq!(found["rows"], json!([["Ann", 750, "1685250.0"]]), "{found}");
    let answered = client.ask("how many customers are in Brazil").await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"], json!([[2]]));
    client
        .execute("SELECT * FROM read_parquet('customers.parquet')")
        .await
        .problem(422, "statement_refused");
    assert_eq!(std::fs::read(folder.join("customers.parquet")).unwrap(), before);
    let one = folder.join("customers.parquet");
    let options =
        config(file.folder.path(), &["--database", one.to_str().unwrap(), "--driver", driver]);
    let client = Client::start(&options).await;
    assert_eq!(
        client.execute("SELECT count(*) FROM customers").await.ok(200)["rows"],
        json!([[4]])
    );
}

// Promise: files.beside-parquet
#[tokio::test]
async fn text_files_beside_parquet_files_are_tables_too() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let folder = file.folder.path().join("mixed");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join("hours.parquet");
    let hours =
        "SELECT range AS id, range % 3 + 1 AS employee_id, range * 0.5 AS hours FROM range(9)";
    file.run(&format!("COPY ({hours}) TO '{}' (FORMAT parquet)", path.display())).unwrap();
    let employees = "id;name;salary;hired;active;seen\n\
         1;\"Ann \"\"A\"\"\nSmith; née Lee\";1.250,50;31.12.2019;yes;2024-01-31 10:15\n\
         2;;2.000,25;01.02.2020;no;\n\
         3;NULL;;;;2024-02-01 00:00\n";
    std::fs::write(folder.join("employees.csv"), employees).unwrap();
    std::fs::write(folder.join("hours.tsv"), "note\nfirst\n\nlast\n").unwrap();
    std::fs::write(folder.join("twice.csv"), "id,total,total\n1,2,3\n").unwrap();
    let (database, driver) = (folder.to_str().unwrap(), file.driver.to_str().unwrap());
    let options = config(file.folder.path(), &["--database", database, "--driver", driver]);
    let client = Client::start(&options).await;
    let rows = client.execute("SELECT * FROM employees ORDER BY id").await.ok(200);
    assert_eq!(
        rows["rows"],
        json!([
            [1, "Ann \"A\"\nSmith; née Lee", 1250.5, "2019-12-31", true, "2024-01-31 10:15:00"],
            [2, null, 2000.25, "2020-02-01", false, null],
            [3, "NULL", null, null, null, "2024-02-01 00:00:00"],
        ]),
        "{rows}"
    );
    let catalog = client.get("/api/v1/catalog").await.ok(200);
    let table = catalog["catalog"]["tables"].as_array().unwrap().iter();
    let employees = table.clone().find(|table| table["name"] == "employees").unwrap();
    assert_eq!(employees["primary_key"], json!(["id"]));
    let twice = table.clone().find(|table| table["name"] == "twice").unwrap();
    let told = "column total occurs twice; the later one is total_2";
    assert_eq!(twice["description"], told);
    let names: Vec<&Value> = table.map(|table| &table["name"]).collect();
    assert_eq!(names, ["employees", "hours", "hours_2", "twice"], "the name was taken");
    assert_eq!(
        client.execute("SELECT count(note) FROM hours_2").await.ok(200)["rows"],
        json!([[2]])
    );
    let answered = client.ask("total hours per employee").await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 3, "{answered}");
    std::fs::write(folder.join("broken.csv"), "a,b\n1,2\n3\n").unwrap();
    let error = start(&options).await.err().unwrap().to_string();
    assert!(error.contains("broken.csv:3"), "{error}");
}

#[tokio::test]
async fn a_parquet_file_that_is_cut_off_is_named() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let path = file.folder.path().join("orders.parquet");
    file.run(&format!("COPY orders TO '{}' (FORMAT parquet)", path.display())).unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let driver = file.driver.to_str().unwrap();
    let options =
        config(file.folder.path(), &["--database", path.to_str().unwrap(), "--driver", driver]);
    let error = start(&options).await.err().unwrap().to_string();
    assert!(error.contains("orders.parquet") && error.contains("magic bytes"), "{error}");
}
