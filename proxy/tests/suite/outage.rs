//! A PostgreSQL server that goes away under a running proxy: questions say so, and go on once it is back.

use std::time::{Duration, Instant};

use crate::support::{Cluster, SHOP, Serving};
use serde_json::json;

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
            // What needs no database goes on.
            let checked = http.post("sql/check", &json!({ "sql": "SELECT id FROM orders" }));
            assert_eq!(checked.status, 200);
        }
        cluster.resume();
        let back = Instant::now();
        while ask().status != 200 {
            assert!(back.elapsed() < Duration::from_secs(5), "it does not recover");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
