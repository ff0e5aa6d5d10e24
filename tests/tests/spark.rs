//! Apache Spark, with a master, two workers and a Spark Connect server, behind the real proxy. `cargo xtask test --suite
//! spark` installs it and runs this test.

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
use wherefore_tests::spark_sql::{Engine, SparkSql};

/// Time within which the server has logged something.
const PATIENCE: Duration = Duration::from_mins(1);

// Promise: dialects.spark
#[test]
fn a_shop_is_read_asked_about_and_kept_from_attacks() {
    let mut server = SparkSql::start(Engine::Spark).unwrap();
    make_shop(&server);
    let proxy = proxy(&server, &["--statement-seconds", "60"]);
    check_catalog(&proxy);
    check_questions(&proxy);
    check_statements(&proxy);
    check_texts(&proxy);
    check_hostile(&proxy, &server);
    a_cancelled_statement_ends_on_the_server(&server);
    a_worker_that_ends_takes_no_answer_with_it(&proxy, &mut server);
    a_server_that_ends_is_reported(&proxy, &mut server);
}

// Promise: dialects.same-answers
#[test]
fn statements_of_everyday_questions_have_the_same_rows_on_spark_and_on_sqlite() {
    let (_folder, file) = same_rows::sample();
    let server = SparkSql::start(Engine::Spark).unwrap();
    server.run(&sqlite_to_spark(&file).unwrap()).unwrap();
    let options = server.options().unwrap();
    let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
    options.extend(["--statement-seconds", "60"]);
    same_rows::compare_statements(&file, &options);
}

fn a_cancelled_statement_ends_on_the_server(server: &SparkSql) {
    let proxy = proxy(server, &["--statement-seconds", "3"]);
    let slow = proxy.post("sql/execute", &json!({ "sql": SLOW })).unwrap();
    assert_eq!(slow.body["code"], "statement_timeout", "{}", slow.body);
    let start = Instant::now();
    while !server.log("server").unwrap().contains("TaskKilled") {
        assert!(start.elapsed() < PATIENCE, "no task was killed");
        thread::sleep(Duration::from_millis(200));
    }
}

fn a_worker_that_ends_takes_no_answer_with_it(
    proxy: &wherefore_tests::proxy::Proxy,
    server: &mut SparkSql,
) {
    // Takes some seconds on two workers.
    let sql = "SELECT count(*) FROM measures a JOIN measures b ON a.sensor = b.sensor AND a.level = b.level \
         WHERE a.id + b.id > 5";
    let expected = rows(proxy, sql);
    thread::scope(|scope| {
        let running = scope.spawn(|| rows(proxy, sql));
        thread::sleep(Duration::from_millis(300));
        server.end_worker().unwrap();
        assert_eq!(running.join().unwrap(), expected);
    });
    assert_eq!(rows(proxy, "SELECT count(*) FROM orders"), json!([[4]]));
}

fn a_server_that_ends_is_reported(proxy: &wherefore_tests::proxy::Proxy, server: &mut SparkSql) {
    server.end();
    let reply = proxy.post("sql/execute", &json!({ "sql": "SELECT id FROM orders" })).unwrap();
    assert_eq!(reply.body["code"], "database_unavailable", "{}", reply.body);
    assert_eq!(proxy.get("catalog").unwrap().status, 200);
}
