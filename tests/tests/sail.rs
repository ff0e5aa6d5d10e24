//! Sail, with two workers, behind the real proxy. `cargo xtask test --suite sail` installs it and runs these tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod on_spark_sql;
mod same_rows;

use std::thread;
use std::time::{Duration, Instant};

use on_spark_sql::{
    SLOW, check_catalog, check_hostile, check_questions, check_statements, check_texts, make_shop,
    proxy, rows,
};
use serde_json::json;
use wherefore_tests::copy::sqlite_to_spark;
use wherefore_tests::proxy::Reply;
use wherefore_tests::spark_sql::{Engine, SparkSql};

/// Time within which a server that was busy is free again.
const PATIENCE: Duration = Duration::from_mins(3);

// Promise: dialects.spark
#[test]
fn a_shop_is_read_asked_about_and_kept_from_attacks() {
    let server = SparkSql::start(Engine::Sail).unwrap();
    make_shop(&server);
    let proxy = proxy(&server, &[]);
    check_catalog(&proxy);
    check_questions(&proxy);
    check_statements(&proxy);
    check_texts(&proxy);
    check_hostile(&proxy, &server);
}

// Promise: dialects.same-answers
#[test]
fn statements_of_everyday_questions_have_the_same_rows_on_sail_and_on_sqlite() {
    let (_folder, file) = same_rows::sample();
    let server = SparkSql::start(Engine::Sail).unwrap();
    server.run(&sqlite_to_spark(&file).unwrap()).unwrap();
    let options = server.options().unwrap();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    same_rows::compare_statements(&file, &options);
}

#[test]
fn a_cancelled_statement_keeps_its_place_for_a_while() {
    let server = SparkSql::start(Engine::Sail).unwrap();
    make_shop(&server);
    let proxy = proxy(&server, &["--connections", "1", "--statement-seconds", "1"]);
    let run = |sql: &str| proxy.post("sql/execute", &json!({ "sql": sql })).unwrap();
    let slow = run(SLOW);
    assert_eq!(
        (slow.status, &slow.body["code"]),
        (504, &json!("statement_timeout")),
        "{}",
        slow.body
    );
    let next = run("SELECT count(*) FROM orders");
    assert_eq!(next.body["code"], "database_busy", "{}", next.body);
    let answered = until(|| run("SELECT count(*) FROM orders"), |reply| reply.status == 200);
    assert_eq!(answered.body["rows"], json!([[4]]));
}

// Promise: dialects.server-lost
#[test]
fn a_server_that_ends_is_reported_and_used_again() {
    let mut server = SparkSql::start(Engine::Sail).unwrap();
    make_shop(&server);
    let proxy = proxy(&server, &[]);
    server.end();
    let reply = proxy.post("sql/execute", &json!({ "sql": "SELECT id FROM orders" })).unwrap();
    assert_eq!(reply.body["code"], "database_unavailable", "{}", reply.body);
    assert!(reply.body["detail"].as_str().unwrap().contains("refused"), "{}", reply.body);
    assert_eq!(proxy.get("catalog").unwrap().status, 200);
    server.start_again().unwrap();
    make_shop(&server);
    assert_eq!(rows(&proxy, "SELECT count(*) FROM orders"), json!([[4]]));
}

#[test]
fn wrong_configurations_are_named() {
    let server = SparkSql::start(Engine::Sail).unwrap();
    let driver = server.driver().unwrap().display().to_string();
    let address = server.address();
    for (database, driver, words) in [
        ("sail://127.0.0.1", driver.as_str(), ["invalid address", "sail://HOST:PORT"]),
        ("sail://127.0.0.1:1", &driver, ["refused", "start the server"]),
        ("sail://nowhere.invalid:1", &driver, ["zero addresses", "host name"]),
        (&address.replace("sail:", "sail+tls:"), &driver, ["TLS handshake", "sail+tls://"]),
        (&address.replace("sail:", "sc:"), &driver, ["sc://", "handshake"]),
        (&address, "/nowhere/driver.so", ["there is no such file", "; correct --driver"]),
        (&address, "nowhere", ["not installed", "adbc-driver-flightsql"]),
        (&address, &driver, ["has none", "create the tables"]),
    ] {
        let folder = server.folder();
        let output = wherefore_tests::proxy::command()
            .unwrap()
            .args(["check", "--listen", "127.0.0.1:0", "--database", database, "--driver", driver])
            .arg("--store")
            .arg(folder.join("store.sqlite"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success(), "{text}");
        for word in words {
            assert!(text.contains(word), "{word} is missing in\n{text}");
        }
    }
}

/// The first reply of this kind.
fn until(mut ask: impl FnMut() -> Reply, is_wanted: impl Fn(&Reply) -> bool) -> Reply {
    let start = Instant::now();
    loop {
        let reply = ask();
        if is_wanted(&reply) {
            return reply;
        }
        assert!(start.elapsed() < PATIENCE, "{}", reply.body);
        thread::sleep(Duration::from_millis(500));
    }
}
