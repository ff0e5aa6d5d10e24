//! A MariaDB server as the data source: questions, statements, values, limits and failures.

use std::time::Duration;

use axum::http::StatusCode;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_engine::catalog::{Catalog, Coverage, DataType, TableKind};
use wherefore_proxy::startup::start;

use crate::support::client::execute_as;
use crate::support::serving::run;
use crate::support::{Client, MariaDb, SHOP, Serving, config};

const README: &str = include_str!("../../../README.md");

/// How often a state is looked for that has to come about.
const PAUSE: Duration = Duration::from_millis(20);

/// A server with a database, and a proxy on it.
struct Shop {
    client: Client,
    server: MariaDb,
    folder: TempDir,
}

impl Shop {
    /// The shop of the other tests with more statements and options.
    async fn start(sql: &str, more: &[&str]) -> Option<Self> {
        let server = MariaDb::start()?;
        server.run(&SHOP.replace("REFERENCES customers", "REFERENCES customers (id)"));
        server.run(sql);
        let folder = tempfile::tempdir().unwrap();
        let url = server.url("asker");
        let options = config(folder.path(), &[&["--database", url.as_str()], more].concat());
        let client = Client::start(&options).await;
        Some(Self { client, server, folder })
    }

    async fn catalog(&self) -> Catalog {
        let source = self.client.state.sources.get("default").unwrap();
        source.database.as_ref().unwrap().read_catalog().await.unwrap()
    }

    async fn rows(&self, sql: &str) -> Value {
        self.client.execute(sql).await.ok(200)["rows"].clone()
    }

    /// Waits until the server runs no statement with this text, or one.
    async fn wait_until_running(&self, text: &str, running: bool) {
        let sql = format!(
            "SELECT count(*) FROM information_schema.processlist \
             WHERE user = 'asker' AND info LIKE '%{text}%'"
        );
        while (self.server.run(&sql) == "0") == running {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// A view whose rows come slowly.
const SLOW: &str = "CREATE VIEW slow AS SELECT a.id, SLEEP(0.05) AS waited FROM orders a \
     CROSS JOIN orders b CROSS JOIN orders c CROSS JOIN orders d CROSS JOIN orders e";

#[tokio::test]
async fn the_catalog_has_tables_columns_keys_and_values() {
    let sql = "CREATE TABLE `Odd ``Names``` (
            Id INT UNSIGNED NOT NULL AUTO_INCREMENT COMMENT 'the number', small TINYINT(1), sure TINYINT(1) NOT NULL,
            state ENUM('open', 'it''s', 'closed') NOT NULL, code CHAR(3) CHARACTER SET latin1, `group` INT,
            PRIMARY KEY (Id), UNIQUE KEY (code), UNIQUE KEY pair (small, `group`)
        ) COMMENT 'odd things';
        INSERT INTO `Odd ``Names``` VALUES (1, 5, 1, 'open', 'abc', 7), (2, 0, 0, 'closed', 'ÄÖ', 8);
        ALTER TABLE customers COMMENT = 'who buys'";
    let Some(shop) = Shop::start(sql, &[]).await else { return };
    let catalog = shop.catalog().await;
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["Odd `Names`", "customers", "open_orders", "orders"]);
    let odd = &catalog.tables[0];
    assert_eq!((odd.description.as_str(), odd.row_estimate), ("odd things", Some(2)));
    assert_eq!(odd.primary_key, ["Id"]);
    let column = |name: &str| odd.columns.iter().find(|column| column.name == name).unwrap();
    assert_eq!(column("Id").description, "the number");
    assert!(column("Id").unique && column("code").unique && !column("small").unique);
    assert_eq!(column("Id").maximum.as_deref(), Some("2"));
    assert_eq!(column("small").data_type, DataType::Integer, "5 is no boolean");
    assert_eq!(column("sure").data_type, DataType::Boolean);
    assert!(!column("sure").nullable && column("code").nullable);
    let values = column("state").values.as_ref().unwrap();
    assert_eq!(values.values, ["closed", "it's", "open"]);
    assert_eq!(values.coverage, Coverage::Complete);
    assert_eq!(column("code").values.as_ref().unwrap().values, ["abc", "ÄÖ"]);
    let view = &catalog.tables[2];
    assert_eq!((view.kind, view.row_estimate), (TableKind::View, Some(2)));
    assert_eq!(view.description, "");
    let key = &catalog.foreign_keys[0];
    assert_eq!((key.from_table.as_str(), key.to_table.as_str()), ("orders", "customers"));
    assert_eq!((&key.from_columns[0], &key.to_columns[0]), (&"customer_id".into(), &"id".into()));
    assert_eq!(
        shop.rows(r#"SELECT "Id", "group" FROM "Odd `Names`" WHERE code = 'ÄÖ'"#).await,
        json!([[2, 8]])
    );
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
    assert!(answered["view"]["sql"].as_str().unwrap().contains("2024-01-0"), "{answered}");
    assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 4);
    let answered = client.ask("number of orders per country").await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
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
        .map(|column| (column["name"].as_str().unwrap(), &column["data_type"]))
        .collect();
    assert_eq!(
        types,
        [
            ("country", &json!("text")),
            ("count", &json!("integer")),
            ("total", &json!("number")),
            ("max", &json!("date")),
            ("avg", &json!("number")),
            ("sum", &json!("integer")),
            ("large", &json!("boolean"))
        ]
    );
    let sql = "SELECT c.name, count(o.id) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id \
         GROUP BY c.id ORDER BY orders DESC, c.name";
    assert_eq!(shop.rows(sql).await, json!([["Ann", 2], ["Bob", 1], ["Cleo", 1], ["Dé", 0]]));
    let sql = "SELECT name FROM customers ORDER BY country, name LIMIT 2 OFFSET 2";
    assert_eq!(shop.rows(sql).await, json!([["Bob"], ["Dé"]]), "NULL is sorted last");
}

// Promise: dialects.exact-texts
#[tokio::test]
async fn texts_are_compared_by_their_characters() {
    let words = ["resume", "Resume", "résumé", "resume ", "it's", "\\", "%_", "\"", "💡", "a\\'b"];
    let values: Vec<String> = words
        .iter()
        .map(|word| format!("('{}')", word.replace('\\', "\\\\").replace('\'', "''")))
        .collect();
    let sql = format!(
        "CREATE TABLE words (word VARCHAR(20)) COLLATE utf8mb4_general_ci; INSERT INTO words VALUES {}; \
         CREATE TABLE others (word VARCHAR(20)) COLLATE utf8mb4_unicode_ci; INSERT INTO others SELECT * FROM words",
        values.join(", ")
    );
    let Some(shop) = Shop::start(&sql, &[]).await else { return };
    for word in words {
        let literal = word.replace('\'', "''");
        let found = shop.rows(&format!("SELECT word FROM words WHERE word = '{literal}'")).await;
        assert_eq!(found, json!([[word]]));
    }
    for (sql, expected) in [
        ("SELECT count(DISTINCT word) FROM words", json!([[10]])),
        ("SELECT count(*) FROM (SELECT word FROM words GROUP BY word) AS grouped", json!([[10]])),
        ("SELECT count(*) FROM words w JOIN others o ON o.word = w.word", json!([[10]])),
        ("SELECT count(*) FROM words WHERE word IN ('RESUME', 'resume')", json!([[1]])),
        ("SELECT count(*) FROM words WHERE word LIKE 'r%'", json!([[3]])),
        ("SELECT count(*) FROM words WHERE word ILIKE 'R%'", json!([[4]])),
        ("SELECT count(*) FROM words WHERE word LIKE '\\%\\_'", json!([[1]])),
        ("SELECT max(word) FROM words WHERE word < 'a'", json!([["\\"]])),
        (
            "SELECT word FROM words WHERE word > 'resume' ORDER BY word",
            json!([["resume "], ["résumé"], ["💡"]]),
        ),
        ("SELECT count(*) FROM words WHERE 'a' = 'A'", json!([[0]])),
        ("SELECT word FROM words WHERE word BETWEEN 'R' AND 'S'", json!([["Resume"]])),
        (
            "SELECT count(*) FROM (SELECT word FROM words UNION SELECT word FROM others) AS united",
            json!([[10]]),
        ),
        ("SELECT replace(word, 'R', 'x') FROM words WHERE word = 'Resume'", json!([["xesume"]])),
        ("SELECT strpos(word, 'S') FROM words WHERE word = 'resume'", json!([[0]])),
    ] {
        assert_eq!(shop.rows(sql).await, expected, "{sql}");
    }
    let zero = json!({ "sql": "SELECT word FROM words WHERE word = 'a\u{0}b'" });
    let refused = shop.client.post("/api/v1/sql/execute", zero.to_string()).await;
    refused.problem(422, "statement_refused");
    let path = "/api/v1/values?table=words&column=word&search=RESUME";
    let found = shop.client.get(path).await.ok(200);
    assert_eq!(found["values"], json!(["Resume", "resume", "resume "]), "{found}");
    let listed = shop.client.get("/api/v1/values?table=words&column=word").await.ok(200);
    assert_eq!(listed["values"].as_array().unwrap().len(), 10, "{listed}");
}

#[tokio::test]
async fn values_of_every_type_are_returned_as_they_are_stored() {
    let sql = "SET sql_mode = ''; CREATE TABLE kinds (
            d DATE, dt DATETIME(6), ts TIMESTAMP NULL, t TIME, y YEAR, b BIT(9), flag BIT(1), dec65 DECIMAL(65,30),
            big BIGINT UNSIGNED, js JSON, raw BLOB, padded INT(8) ZEROFILL, f FLOAT, dbl DOUBLE, s SET('x', 'y'),
            vb VARBINARY(4), sure BOOLEAN, u UUID);
        INSERT INTO kinds VALUES ('0000-00-00', '2024-05-01 10:00:00.5', '2024-05-01 10:00:00', '-838:59:59', 1999, b'100000001',
            b'1', 12345678901234567890123456789012345.123456789012345678901234567890, 18446744073709551615,
            '{\"a\": [1, 2]}', x'00ff00', 42, 0.1, 0.1, 'x,y', x'0102', TRUE, '123e4567-e89b-12d3-a456-426614174000'),
            (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)";
    let Some(shop) = Shop::start(sql, &[]).await else { return };
    let sql = "SELECT d, dt, ts, t, y, b, flag, dec65, big, js, raw, padded, f, dbl, s, vb, sure, u FROM kinds ORDER BY y";
    let result = shop.client.execute(sql).await.ok(200);
    assert_eq!(
        result["rows"][0],
        json!([
            "0000-00-00",
            "2024-05-01 10:00:00.5",
            "2024-05-01 10:00:00",
            "-838:59:59",
            1999,
            257,
            true,
            "12345678901234567890123456789012345.123456789012345678901234567890",
            "18446744073709551615",
            "{\"a\": [1, 2]}",
            "3 bytes",
            42,
            0.1,
            0.1,
            "x,y",
            "2 bytes",
            true,
            "123e4567-e89b-12d3-a456-426614174000"
        ])
    );
    assert_eq!(result["rows"][1], json!(vec![Value::Null; 18]));
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
            "time",
            "integer",
            "integer",
            "boolean",
            "number",
            "integer",
            "text",
            "binary",
            "integer",
            "number",
            "number",
            "text",
            "binary",
            "boolean",
            "uuid"
        ]
    );
    for form in ["text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream"] {
        let body = json!({ "sql": sql });
        let exported = shop.client.send(execute_as(form, &body)).await;
        assert_eq!(exported.status, StatusCode::OK, "{form}: {}", exported.text);
    }
    let sums = "SELECT sum(big), sum(y), count(*) FROM kinds";
    assert_eq!(shop.rows(sums).await, json!([["18446744073709551615", 1999, 2]]));
    assert_eq!(shop.rows("SELECT y FROM kinds WHERE sure AND flag").await, json!([[1999]]));
}

#[tokio::test]
async fn statements_in_its_own_dialect_are_taken_and_what_it_lacks_is_refused() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let body = json!({ "sql": "SELECT IFNULL(country, 'none') AS c, YEAR('2024-05-01') FROM `customers` WHERE id = 4",
        "dialect": "mysql" });
    let rows = shop.client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
    assert_eq!(rows["rows"], json!([["none", 2024]]));
    let body = json!({ "sql": "SELECT 7 / 2, 7 DIV 2, DATE_FORMAT(ordered_on, '%Y-%m') FROM orders WHERE id = 1",
        "dialect": "mysql" });
    let rows = shop.client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
    assert_eq!(rows["rows"], json!([[3.5, 3, "2024-01"]]), "it has the meaning of its own dialect");
    let body = json!({ "sql": "SELECT id FROM orders WHERE status = 'open'" });
    let checked = shop.client.post("/api/v1/sql/check", body.to_string()).await.ok(200);
    assert_eq!(checked["dialect"], "postgres");
    assert!(checked["native_sql"].as_str().unwrap().contains("utf8mb4_nopad_bin"), "{checked}");
    let body = json!({ "sql": "SELECT split_part(name, ' ', 1) FROM customers" });
    for route in ["check", "execute"] {
        let path = format!("/api/v1/sql/{route}");
        let answer = shop.client.post(&path, body.to_string()).await;
        let problem = answer.problem(422, "statement_refused");
        assert!(problem["detail"].as_str().unwrap().contains("MySQL: split_part"), "{problem}");
    }
    for hostile in [
        "DELETE FROM orders",
        "SELECT sleep(1)",
        "SELECT load_file('/etc/passwd')",
        "SELECT id FROM orders; DROP TABLE orders",
        "SELECT id FROM orders INTO OUTFILE '/tmp/x'",
        "SELECT * FROM mysql.user",
        "SELECT /*!50000 sleep(5) */ id FROM orders",
        "SELECT @@datadir",
        "SELECT id FROM orders FOR UPDATE",
    ] {
        for dialect in ["mysql", "postgres"] {
            let body = json!({ "sql": hostile, "dialect": dialect });
            let answer = shop.client.post("/api/v1/sql/execute", body.to_string()).await;
            assert_eq!(
                answer.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{hostile}: {}",
                answer.text
            );
        }
    }
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]));
}

#[tokio::test]
async fn results_are_limited_in_rows_cells_columns_time_and_cost() {
    let sql = format!(
        "CREATE TABLE notes (id INT PRIMARY KEY, note MEDIUMTEXT); \
         INSERT INTO notes VALUES (1, REPEAT('é', 100000)), (2, 'short'); {SLOW}"
    );
    let more = ["--row-limit", "3", "--statement-seconds", "1", "--cost-limit", "5000"];
    let Some(shop) = Shop::start(&sql, &more).await else { return };
    let all = shop.client.execute("SELECT id FROM customers ORDER BY id").await.ok(200);
    assert_eq!((&all["rows"], &all["truncated"]), (&json!([[1], [2], [3]]), &json!(true)));
    let limited =
        shop.client.execute("SELECT id FROM customers ORDER BY id LIMIT 10").await.ok(200);
    assert_eq!((&limited["rows"], &limited["truncated"]), (&json!([[1], [2], [3]]), &json!(true)));
    let exact = shop.client.execute("SELECT id FROM customers WHERE id < 4").await.ok(200);
    assert_eq!(exact["truncated"], false);
    let cut = shop.client.execute("SELECT id, note FROM notes ORDER BY id").await.ok(200);
    let note = cut["rows"][0][1].as_str().unwrap();
    assert!(note.len() <= 65_540 && note.ends_with('…'), "{}", note.len());
    assert_eq!(cut["cut_cells"][0], json!({ "row": 0, "column": 1, "length": 200_000 }));
    assert_eq!(cut["rows"][1], json!([2, "short"]));
    let columns = vec!["id"; 201].join(", ");
    let wide = shop.client.execute(&format!("SELECT {columns} FROM orders")).await;
    assert_eq!(wide.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wide.text);
    let late = shop.client.execute("SELECT sum(waited) FROM slow").await;
    late.problem(504, "statement_timeout");
    let product = "SELECT count(*) FROM slow s CROSS JOIN orders o CROSS JOIN orders p";
    let costly = shop.client.execute(product).await.problem(422, "statement_too_costly");
    assert!(costly["detail"].as_str().unwrap().contains("at most 5000"), "{costly}");
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]), "the proxy goes on");
}

#[tokio::test]
async fn a_statement_with_too_many_estimated_rows_is_not_run() {
    let more = ["--max-estimated-rows", "10", "--cost-limit", "0"];
    let Some(shop) = Shop::start("", &more).await else { return };
    let product = "SELECT count(*) FROM orders o CROSS JOIN orders p";
    let large = shop.client.execute(product).await.problem(422, "too_many_estimated_rows");
    assert_eq!((&large["estimated_rows"], &large["max_estimated_rows"]), (&json!(16), &json!(10)));
    assert!(large["plan_step"].as_str().unwrap().contains(" on "), "{large}");
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]));
    // It stops at the row limit, since nothing has to be sorted.
    shop.client.execute("SELECT o.id FROM orders o CROSS JOIN orders p").await.ok(200);
}

#[tokio::test]
async fn an_estimate_is_accepted_before_its_statement_runs() {
    let Some(shop) = Shop::start("", &["--confirm-estimated-rows", "10"]).await else { return };
    let product = "SELECT count(*) FROM orders o CROSS JOIN orders p";
    let asked = shop.client.execute(product).await.problem(422, "estimate_not_accepted");
    assert_eq!(asked["estimated_rows"], 16, "{asked}");
    let body = json!({ "sql": product, "accept_estimate": true });
    let ran = shop.client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
    assert_eq!(ran["rows"], json!([[16]]));
}

#[tokio::test]
async fn a_statement_whose_reader_goes_away_is_killed() {
    let Some(shop) = Shop::start(SLOW, &["--connections", "1"]).await else { return };
    let body = json!({ "sql": "SELECT id, waited FROM slow" });
    let (client, request) = (shop.client.clone(), execute_as("application/x-ndjson", &body));
    let reading = tokio::spawn(async move {
        let response = client.response(request).await;
        response.into_body().collect().await.map(drop)
    });
    shop.wait_until_running("slow", true).await;
    reading.abort();
    shop.wait_until_running("slow", false).await;
    assert_eq!(
        shop.rows("SELECT count(*) FROM orders").await,
        json!([[4]]),
        "the connection is free"
    );
}

#[tokio::test]
async fn an_export_streams_all_rows_and_ends_with_the_client() {
    let sql = "CREATE TABLE numbers (n INT PRIMARY KEY, label VARCHAR(100)); \
         INSERT INTO numbers SELECT seq, REPEAT('x', 90) FROM seq_1_to_50000";
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
async fn a_login_that_may_do_more_than_read_is_refused_with_what_to_do() {
    let Some(server) = MariaDb::start() else { return };
    server.run(&SHOP.replace("REFERENCES customers", "REFERENCES customers (id)"));
    let grants = [
        ("almighty", "ALL ON *.*", ["ALL PRIVILEGES on the whole server", "may only SELECT"]),
        (
            "clerk",
            "SELECT, UPDATE (status) ON shop.orders",
            ["change rows of shop.orders", "REVOKE"],
        ),
        (
            "builder",
            "SELECT, CREATE, ALTER ON shop.*",
            ["create or change tables of shop.*", "REVOKE"],
        ),
        ("reader", "SELECT, FILE ON *.*", ["FILE", "more than access to tables"]),
        ("killer", "SELECT, PROCESS ON *.*", ["PROCESS", "more than access to tables"]),
        ("recruiter", "SELECT, CREATE USER ON *.*", ["CREATE USER", "REVOKE"]),
        ("copier", "SELECT, REPLICATION SLAVE ON *.*", ["replication", "REVOKE"]),
    ];
    let folder = tempfile::tempdir().unwrap();
    let url = |user: &str| format!("mariadb://{user}:pw@127.0.0.1:{}/shop", server.port());
    server.run("CREATE ROLE writer; GRANT SELECT, INSERT ON shop.* TO writer");
    for (user, grant, parts) in grants {
        server.run(&format!(
            "CREATE USER {user}@'%' IDENTIFIED BY 'pw'; GRANT {grant} TO {user}@'%'"
        ));
        refused(&folder, &url(user), &parts).await;
    }
    server.run(
        "CREATE USER member@'%' IDENTIFIED BY 'pw'; GRANT SELECT ON shop.* TO member@'%'; GRANT writer TO member@'%'",
    );
    refused(&folder, &url("member"), &["change rows of shop.*", "role"]).await;
    let address = url("almighty");
    let allowed = ["--database", address.as_str(), "--allow-privileged-login"];
    start(&config(folder.path(), &allowed)).await.unwrap_or_else(|error| panic!("{error}"));
}

#[tokio::test]
async fn a_login_made_as_the_readme_says_is_taken() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let blocks = README.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next());
    let of_login: Vec<&str> = blocks.filter(|sql| sql.contains("'wherefore'@")).collect();
    assert_eq!(of_login.len(), 1, "{of_login:?}");
    shop.server.run(of_login[0]);
    let url = format!("mysql://wherefore:a%20password@127.0.0.1:{}/shop", shop.server.port());
    let client = Client::start(&config(shop.folder.path(), &["--database", &url])).await;
    let source = client.state.sources.get("default").unwrap();
    let findings = source.database.as_ref().unwrap().check_login().await.unwrap();
    assert_eq!(findings, [], "it can only read");
}

async fn refused(folder: &TempDir, url: &str, parts: &[&str]) {
    let Err(error) = start(&config(folder.path(), &["--database", url])).await else {
        panic!("it started with {url}");
    };
    let error = error.to_string();
    for part in parts.iter().chain(&["--allow-privileged-login"]) {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
    assert!(!error.contains("pw@"), "{error}");
}

#[tokio::test]
async fn a_connection_over_a_socket_needs_no_host() {
    let Some(shop) = Shop::start("", &[]).await else { return };
    let socket = shop.server.socket();
    let url = format!("mysql://asker:ask@localhost/shop?socket={}", socket.display());
    let client = Client::start(&config(shop.folder.path(), &["--database", &url])).await;
    assert_eq!(client.execute("SELECT count(*) FROM orders").await.ok(200)["rows"], json!([[4]]));
}

#[test]
fn check_says_what_to_do_about_an_address_or_a_login() {
    let Some(server) = MariaDb::start() else { return };
    server.run("CREATE TABLE t (id INT); CREATE USER stranger@'%' IDENTIFIED BY 'pw'");
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    let port = server.port();
    for (url, words) in [
        (format!("mysql://asker:wrong@127.0.0.1:{port}/shop"), ["Access denied", "MYSQL_PWD"]),
        (
            format!("mysql://stranger:pw@127.0.0.1:{port}/shop"),
            ["to database 'shop'", "GRANT SELECT"],
        ),
        (
            format!("mysql://owner:own@127.0.0.1:{port}/nowhere"),
            ["Unknown database", "correct its name"],
        ),
        ("mysql://asker:ask@127.0.0.1:1/shop".to_owned(), ["refused", "nothing listens there"]),
        (
            "mysql://asker:ask@no.such.host.invalid/shop".to_owned(),
            ["lookup", "host name cannot be resolved"],
        ),
        (
            "mysql://asker:ask@127.0.0.1/".to_owned(),
            ["name of a database is missing", "correct the address"],
        ),
        (
            format!("mysql://asker:ask@127.0.0.1:{port}/shop?ssl-mode=required"),
            ["TLS", "turn on TLS"],
        ),
        (format!("mysql://owner:own@127.0.0.1:{port}/shop"), ["ALL PRIVILEGES", "may only SELECT"]),
    ] {
        let options = [
            "check",
            "--listen",
            "127.0.0.1:0",
            "--store",
            store.to_str().unwrap(),
            "--database",
            &url,
        ];
        let output = run(&options);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success(), "{url}: {text}");
        for word in words {
            assert!(text.contains(word), "{word} is missing for {url} in:\n{text}");
        }
        assert!(!text.contains(":ask@") && !text.contains("wrong@"), "{text}");
    }
    let options = [
        "check",
        "--listen",
        "127.0.0.1:0",
        "--store",
        "mysql://a:b@localhost/c",
        "--database",
        &server.url("asker"),
    ];
    let text = String::from_utf8_lossy(&run(&options).stdout).into_owned();
    assert!(text.contains("ok       rights") && text.contains("1 tables"), "{text}");
    assert!(text.contains("file of SQLite or a PostgreSQL database"), "{text}");
}

#[tokio::test]
async fn a_killed_connection_or_server_fails_with_a_code_and_the_proxy_goes_on() {
    let Some(shop) = Shop::start(SLOW, &[]).await else { return };
    let client = shop.client.clone();
    let reading = tokio::spawn(async move { client.execute("SELECT sum(waited) FROM slow").await });
    shop.wait_until_running("slow", true).await;
    let ids = shop.server.run(
        "SELECT id FROM information_schema.processlist WHERE info LIKE '%slow%' AND user = 'asker'",
    );
    for id in ids.lines() {
        shop.server.run(&format!("KILL CONNECTION {id}"));
    }
    reading.await.unwrap().problem(503, "database_unavailable");
    assert_eq!(shop.rows("SELECT count(*) FROM orders").await, json!([[4]]));
    shop.server.stop();
    let away = shop.client.ask("how many customers are in Brazil").await.ok(503);
    assert_eq!((&away["code"], &away["retryable"]), (&json!("database_unavailable"), &json!(true)));
    let body = json!({ "sql": "SELECT id FROM orders" });
    shop.client.post("/api/v1/sql/check", body.to_string()).await.ok(200);
    shop.server.resume();
    let back = shop.client.ask("how many customers are in Brazil").await.ok(200);
    assert_eq!(back["view"]["result"]["rows"], json!([[2]]));
}

#[test]
fn a_proxy_starts_while_the_server_is_away() {
    let Some(server) = MariaDb::start() else { return };
    server.run(&SHOP.replace("REFERENCES customers", "REFERENCES customers (id)"));
    let folder = tempfile::tempdir().unwrap();
    let url = server.url("asker");
    let options = ["--database", url.as_str()];
    Serving::start(folder.path(), &options).kill();
    server.stop();
    let program = Serving::start(folder.path(), &options);
    let http = program.http();
    let question = json!({ "question": "how many customers are in Brazil" });
    assert_eq!(http.post("query", &question).body["code"], "database_unavailable");
    server.resume();
    while http.post("query", &question).status != 200 {
        std::thread::sleep(PAUSE);
    }
}
