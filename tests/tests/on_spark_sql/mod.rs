//! What is checked alike on Sail and on Apache Spark: the shop's tables, questions, statements, texts and attacks.

use std::fmt::Write as _;

use serde_json::{Value, json};
use wherefore_tests::proxy::Proxy;
use wherefore_tests::spark_sql::SparkSql;

/// Statements that must be refused before they reach the server.
const HOSTILE: &str = include_str!("../../data/hostile_spark.txt");
/// Rows of the large table.
const MEASURES: u32 = 100_000;

/// Makes the tables of the shop as Parquet files, and one with many rows.
pub(crate) fn make_shop(server: &SparkSql) {
    let measures = format!(
        "CREATE TABLE measures USING parquet AS SELECT id, id % 1000 AS sensor, id % 7 AS level \
         FROM range(0, {MEASURES}, 1, 4)"
    );
    let statements = [
        "CREATE DATABASE extra",
        "CREATE TABLE customers (id BIGINT, name STRING COMMENT 'the full name', country STRING) USING parquet",
        "INSERT INTO customers VALUES (1, 'Ann', 'Brazil'), (2, 'Bob', 'Norway'), (3, 'Cleo', 'Brazil'), (4, 'Dé', NULL)",
        "CREATE TABLE orders (id BIGINT, customer_id BIGINT, status STRING, total DECIMAL(10,2), ordered_on DATE, \
         seen TIMESTAMP_NTZ, rush BOOLEAN, tags ARRAY<STRING>) USING parquet",
        "INSERT INTO orders VALUES \
         (1, 1, 'open', 10.50, DATE '2024-01-05', TIMESTAMP_NTZ '2024-01-05 10:15:30', true, array('a')), \
         (2, 1, 'paid', 20.25, DATE '2024-02-06', TIMESTAMP_NTZ '2024-02-06 00:00:00', false, NULL), \
         (3, 2, 'paid', 30.00, DATE '2024-03-07', TIMESTAMP_NTZ '2024-03-07 23:59:59', NULL, NULL), \
         (4, 3, 'open', NULL, DATE '2024-03-08', NULL, true, NULL)",
        "CREATE TABLE extra.odd_names (`Id` INT, `it's` STRING, `group` INT) USING parquet",
        "INSERT INTO extra.odd_names VALUES (1, 'it''s', 7), (2, 'back\\\\slash', 8)",
        "CREATE TABLE parts USING parquet AS SELECT id, concat('p', id) AS code FROM range(0, 3000, 1, 4)",
        "CREATE VIEW open_orders AS SELECT id, total FROM orders WHERE status = 'open'",
        measures.as_str(),
    ];
    server.run(&statements).unwrap();
}

/// A proxy on the server, with more options.
pub(crate) fn proxy(server: &SparkSql, more: &[&str]) -> Proxy {
    let mut options = server.options().unwrap();
    options.extend(more.iter().map(|&option| option.to_owned()));
    Proxy::start(&options).unwrap()
}

/// Rows of a statement in PostgreSQL's dialect.
pub(crate) fn rows(proxy: &Proxy, sql: &str) -> Value {
    let reply = proxy.post("sql/execute", &json!({ "sql": sql })).unwrap();
    assert_eq!(reply.status, 200, "{sql}: {}", reply.body);
    reply.body["rows"].clone()
}

/// The catalog has tables of all schemas, types, comments, ranges and values.
pub(crate) fn check_catalog(proxy: &Proxy) {
    let catalog = proxy.get("catalog").unwrap().body;
    let tables = catalog["catalog"]["tables"].as_array().unwrap();
    let table = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap();
    let column = |table: &str, name: &str| {
        let columns = self::columns(tables, table);
        columns.iter().find(|column| column["name"] == name).unwrap().clone()
    };
    assert_eq!(table("customers")["row_estimate"], 4);
    assert_eq!(table("odd_names")["schema"], "extra");
    assert_eq!(table("open_orders")["kind"], "view");
    assert_eq!(column("customers", "name")["description"], "the full name");
    for (name, data_type) in [
        ("id", "integer"),
        ("status", "text"),
        ("total", "number"),
        ("ordered_on", "date"),
        ("seen", "timestamp"),
        ("rush", "boolean"),
        ("tags", "other"),
    ] {
        assert_eq!(column("orders", name)["data_type"], data_type, "{name}");
    }
    let column = column("orders", "ordered_on");
    assert_eq!([&column["minimum"], &column["maximum"]], ["2024-01-05", "2024-03-08"]);
    let values = |table: &str, name: &str| {
        self::columns(tables, table)
            .iter()
            .find(|column| column["name"] == name)
            .map(|column| column["values"].clone())
            .unwrap()
    };
    let countries = json!({"values": ["Brazil", "Norway"], "coverage": "complete"});
    assert_eq!(values("customers", "country"), countries);
    let codes = values("parts", "code");
    assert_eq!(
        (codes["values"].as_array().unwrap().len(), &codes["coverage"]),
        (500, &json!("partial"))
    );
    let found = proxy.get("values?table=customers&column=name&search=A").unwrap();
    assert_eq!(found.body["values"], json!(["Ann"]), "{}", found.body);
    let found = proxy.get("values?table=customers&column=country").unwrap();
    assert_eq!(found.body["values"], json!(["Brazil", "Norway"]), "{}", found.body);
}

fn columns(tables: &[Value], name: &str) -> Vec<Value> {
    let table = tables.iter().find(|table| table["name"] == name).unwrap();
    table["columns"].as_array().unwrap().clone()
}

/// A question is answered, and another one after a clarification.
pub(crate) fn check_questions(proxy: &Proxy) {
    let ask = |question: &str| {
        let body = json!({ "question": question, "today": "2024-03-10" });
        proxy.post("query", &body).unwrap().body
    };
    let answered = ask("how many customers are in Brazil");
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert_eq!(answered["view"]["result"]["rows"], json!([[2]]));
    let asked = ask("show me recent orders");
    let options = asked["questions"][0]["options"].as_array().unwrap();
    let days = options.iter().find(|it| it["label"].as_str().unwrap().contains("30")).unwrap();
    let answers = json!([{
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "option", "option_id": days["id"] },
    }]);
    let body = json!({ "clarification_id": asked["clarification_id"], "answers": answers });
    let answered = proxy.post("query/clarify", &body).unwrap().body;
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 2, "{answered}");
}

/// Statements have the rows that they have on PostgreSQL.
pub(crate) fn check_statements(proxy: &Proxy) {
    let statements: [(&str, Value); 21] = [
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
        (
            "SELECT '5%' LIKE '5\\%', 'abc' LIKE 'a\\%', 'a\\b' LIKE 'a\\\\b'",
            json!([[true, false, true]]),
        ),
        (
            "SELECT ordered_on + 7, ordered_on - DATE '2024-01-01', ordered_on + INTERVAL '1 month' \
             FROM orders WHERE id = 1",
            json!([["2024-01-12", 4, "2024-02-05 00:00:00"]]),
        ),
        (
            "SELECT date_trunc('month', ordered_on), to_char(ordered_on, 'YYYY-\"Q\"Q Mon'), \
             to_char(ordered_on, 'IYYY-\"W\"IW'), extract(dow FROM ordered_on) FROM orders WHERE id = 2",
            json!([["2024-02-01 00:00:00", "2024-Q1 Feb", "2024-W06", 2]]),
        ),
        (
            "SELECT extract(second FROM TIMESTAMP '2024-01-01 10:00:05.5'), extract(epoch FROM seen - TIMESTAMP \
             '2024-01-05 10:15:00') FROM orders WHERE id = 1",
            json!([[5.5, 30.0]]),
        ),
        ("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders", json!([[20.25]])),
        (
            "SELECT CAST('12' AS integer) + 1, CAST(id AS text) || 'x', CAST(total > 5 AS text), CAST(2.5 AS integer) \
             FROM orders WHERE id = 1",
            json!([[13, "1x", "true", 3]]),
        ),
        (
            "SELECT split_part('a b c', ' ', 2), lpad('7', 3, '0'), upper('é'), strpos('abc', 'c'), left('abc', -1), \
             concat('a', NULL, 'b')",
            json!([["b", "007", "É", 3, "ab", "ab"]]),
        ),
        (
            "SELECT string_agg(name, ', ' ORDER BY name DESC) FROM customers WHERE country = 'Brazil'",
            json!([["Cleo, Ann"]]),
        ),
        (
            "SELECT c.name, count(o.id) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id \
             GROUP BY c.id, c.name ORDER BY orders DESC, c.name",
            json!([["Ann", 2], ["Bob", 1], ["Cleo", 1], ["Dé", 0]]),
        ),
        (
            "SELECT id, lag(id) OVER (ORDER BY id), sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) \
             FROM orders ORDER BY id LIMIT 2",
            json!([[1, null, 1], [2, 1, 3]]),
        ),
        (
            "SELECT sum(id) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE total IS NULL), bool_or(rush) \
             FROM orders",
            json!([[5, 1, true]]),
        ),
        (
            "SELECT \"Id\", \"it's\", \"group\" FROM extra.odd_names WHERE \"it's\" = 'back\\slash'",
            json!([[2, "back\\slash", 8]]),
        ),
        ("SELECT count(*), max(id), sum(level) FROM measures", json!([[100_000, 99_999, 299_995]])),
    ];
    for (sql, expected) in statements {
        assert_eq!(rows(proxy, sql), expected, "{sql}");
    }
    // A result of several batches keeps the order of the statement.
    let sorted = rows(proxy, "SELECT id FROM measures ORDER BY id DESC LIMIT 900");
    let expected: Vec<Value> = (99_100..100_000).rev().map(|id| json!([id])).collect();
    assert_eq!(sorted, Value::Array(expected));
}

/// A text literal has the same text on the server, whatever its characters, and an output any name.
pub(crate) fn check_texts(proxy: &Proxy) {
    let alphabet: Vec<char> = "\\'\"`${}%_;-/*#\n\r\té😀aNu0 ".chars().collect();
    let mut texts: Vec<String> = [
        "\\",
        "\\'",
        "' OR 1 = 1 -- ",
        "\\' OR 1 = 1 -- ",
        "${spark.app.name}",
        "$${env:HOME}",
        "\\u0041",
        "\\x41\\101",
    ]
    .map(str::to_owned)
    .into();
    let mut state = 17_u64;
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..8 {
            // A linear congruential generator: the same texts in each run.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        texts.push(text);
    }
    for part in texts.chunks(40) {
        let mut items = String::new();
        for (place, text) in part.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(items, "{comma}'{}' AS t{place}", text.replace('\'', "''")).unwrap();
        }
        assert_eq!(rows(proxy, &format!("SELECT {items}")), json!([part]));
    }
    for name in ["it's", "a`b", "\"", "\\", "$x", "a; b -- c", "é"] {
        let sql =
            format!("SELECT n FROM (SELECT 1 AS \"{0}\") AS s (n)", name.replace('"', "\"\""));
        assert_eq!(rows(proxy, &sql), json!([[1]]), "{sql}");
    }
}

/// No hostile statement runs, whether it is checked or reaches the server as a part of a query.
pub(crate) fn check_hostile(proxy: &Proxy, server: &SparkSql) {
    let lines = HOSTILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for hostile in lines {
        let reply = proxy.post("sql/execute", &json!({ "sql": hostile })).unwrap();
        assert_eq!(reply.status, 422, "{hostile}: {}", reply.body);
    }
    let sent: Vec<String> = [
        "DROP TABLE orders",
        "INSERT INTO orders SELECT * FROM orders",
        "CREATE TABLE stolen AS SELECT 1",
        "SET spark.sql.ansi.enabled=false",
        "SELECT 1) LIMIT 1; DROP TABLE orders; (SELECT 1",
    ]
    .iter()
    .map(|sql| format!("(\n{sql}\n) LIMIT 2"))
    .collect();
    assert_eq!(server.failures(&sent).unwrap().len(), sent.len());
    assert_eq!(rows(proxy, "SELECT count(*) FROM orders"), json!([[4]]));
    assert!(!std::path::Path::new("/tmp/stolen").exists());
}

/// A statement that takes several seconds.
pub(crate) const SLOW: &str = "SELECT count(*) FROM measures a JOIN measures b ON a.id % 2 = b.id % 2 \
     WHERE a.id + b.id > 5";
