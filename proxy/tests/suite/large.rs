//! Results far larger than memory: memory use stays constant, and streams without a reader are cancelled.

use std::time::Duration;

use http_body_util::BodyExt;
use serde_json::json;

use crate::support::client::execute_as;
use crate::support::{Client, Cluster, SOON, Serving, SqliteFile, config};

/// A view of a million rows of 10 kB each.
const POSTGRES: &str = "CREATE VIEW big AS \
     SELECT g AS id, repeat('x', 10000) AS filler FROM generate_series(1, 1000000) AS g";
const SQLITE: &str = "CREATE VIEW big AS \
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) \
     SELECT i AS id, printf('%.10000c', 'x') AS filler FROM n";
const MOST: u64 = 64 << 20;

/// Requests 10 GB in every format, and checks the peak memory of the process.
fn ask_for_all(program: &Serving) {
    let sql = "SELECT id, filler FROM big";
    let before = program.memory("VmHWM");
    let shown = program.http().post("sql/execute", &json!({ "sql": sql }));
    assert_eq!(shown.status, 200);
    assert_eq!(shown.body["truncated"], true);
    for form in ["text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream"] {
        let bytes = program.http().export_bytes(sql, form);
        assert!((90_000_000..120_000_000).contains(&bytes), "{form}: {bytes} bytes");
    }
    for form in [
        "application/vnd.apache.parquet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ] {
        program.http().export(sql, form);
    }
    let more = program.memory("VmHWM") - before;
    assert!(more < MOST, "it held {} MB more", more >> 20);
}

#[test]
fn ten_gigabytes_of_postgres_do_not_fill_the_memory() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(POSTGRES);
    let folder = tempfile::tempdir().unwrap();
    ask_for_all(&Serving::start(folder.path(), &["--database", &cluster.url("asker")]));
}

#[test]
fn ten_gigabytes_of_sqlite_do_not_fill_the_memory() {
    let file = SqliteFile::new(SQLITE);
    ask_for_all(&Serving::start(file.folder.path(), &["--database", file.path.to_str().unwrap()]));
}

/// Reads the first bytes of a result, and drops the rest.
async fn read_a_little(client: &Client) {
    let request = execute_as("text/csv", &json!({ "sql": "SELECT id, filler FROM big" }));
    let mut body = client.response(request).await.into_body();
    for _ in 0..3 {
        body.frame().await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_result_that_is_let_go_is_cancelled_in_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(POSTGRES);
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    read_a_little(&client).await;
    let dropped = std::time::Instant::now();
    let active = "SELECT count(*) FROM pg_stat_activity \
         WHERE application_name = 'wherefore' AND state <> 'idle'";
    while cluster.run(active) != "0" {
        assert!(dropped.elapsed() < SOON, "it still runs");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_result_that_is_let_go_frees_its_connection_to_sqlite() {
    let file = SqliteFile::new(SQLITE);
    let client = Client::start(&file.config(&["--connections", "1"])).await;
    read_a_little(&client).await;
    client.execute("SELECT id FROM big LIMIT 1").await.ok(200);
}
