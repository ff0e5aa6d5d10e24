//! A PostgreSQL outage under a running proxy: questions fail meanwhile, and work once it is back.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::serving::run;
use crate::support::{Cluster, Http, SHOP, SOON, Serving};

#[test]
fn r5_questions_are_retryable_while_the_server_is_away_and_answered_soon_after() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let program = Serving::start(folder.path(), &["--database", &cluster.url("asker")]);
    let http = program.http();
    let ask = || {
        let question = json!({ "question": "how many customers are in Brazil" });
        http.post("query", &question)
    };
    for _ in 0..2 {
        assert_eq!(ask().body["outcome"], "answered");
        cluster.stop();
        for _ in 0..3 {
            let reply = ask();
            assert_eq!(reply.status, 503, "{}", reply.body);
            assert_eq!(reply.body["code"], "database_unavailable");
            assert_eq!(reply.body["retryable"], true);
            assert_eq!(reply.body["outcome"], "execution_failed");
            // Requests that need no database still succeed.
            let checked = http.post("sql/check", &json!({ "sql": "SELECT id FROM orders" }));
            assert_eq!(checked.status, 200);
        }
        cluster.resume();
        let back = Instant::now();
        while ask().status != 200 {
            assert!(back.elapsed() < SOON, "it does not recover");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Waits until a question gets a response with this status.
fn wait_for(http: &Http, status: u16) -> Value {
    let question = json!({ "question": "how many customers are in Brazil" });
    let begun = Instant::now();
    loop {
        let reply = http.post("query", &question);
        if reply.status == status {
            return reply.body;
        }
        assert!(begun.elapsed() < SOON, "{} {}", reply.status, reply.body);
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn r5_a_proxy_starts_while_the_server_is_away_and_goes_on_once_it_is_back() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let address = cluster.url("asker");
    let options = ["--database", address.as_str()];
    cluster.stop();
    let store = folder.path().join("store.sqlite");
    let never = [&options[..], &["--listen", "127.0.0.1:0", "--store", store.to_str().unwrap()]];
    let refused = run(&never.concat());
    assert!(!refused.status.success(), "no catalog was ever read");

    cluster.resume();
    Serving::start(folder.path(), &options).kill();
    cluster.stop();
    let program = Serving::start(folder.path(), &options);
    let http = program.http();
    let problem = wait_for(&http, 503);
    assert_eq!(problem["code"], "database_unavailable");
    let catalog = http.get("catalog").expect(200);
    assert!(catalog["catalog"]["tables"].as_array().is_some_and(|tables| !tables.is_empty()));
    cluster.resume();
    cluster.run("CREATE TABLE returned (id INTEGER PRIMARY KEY)");
    assert_eq!(wait_for(&http, 200)["outcome"], "answered");
    let begun = Instant::now();
    while !http.get("catalog").expect(200).to_string().contains("returned") {
        assert!(begun.elapsed() < SOON, "the catalog is not read anew");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_login_that_may_write_by_now_is_not_used_once_the_server_is_back() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let address = cluster.url("asker");
    let options = ["--database", address.as_str()];
    Serving::start(folder.path(), &options).kill();
    cluster.run("GRANT INSERT ON orders TO asker");
    cluster.stop();
    let program = Serving::start(folder.path(), &options);
    cluster.resume();
    let refused = program.http().post("query", &json!({ "question": "how many customers" }));
    assert_eq!(refused.body["code"], "permission_denied", "{} {}", refused.status, refused.body);
    assert!(refused.body.to_string().contains("INSERT"), "{}", refused.body);
}
