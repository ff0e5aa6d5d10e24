//! End-to-end tests of the store: migration from an older version, and its login.

use clap::Parser;
use serde_json::json;
use wherefore_proxy::config::Config;
use wherefore_proxy::startup::start;

use crate::support::{Client, Cluster, SHOP, SqliteFile, fill};

/// Clarification id of the open session in the fixture, and the person with a memory.
const WAITING: &str = "clf_95f7647a262a461d4c38416e0125782c";
const PERSON: &str = "someone-0123456789";

#[tokio::test]
async fn a_store_of_an_older_version_keeps_its_sessions_and_memory() {
    let file = SqliteFile::new(SHOP);
    let store = file.folder.path().join("store.sqlite");
    fill(&store, include_str!("data/store_v2.sql"));
    let client = Client::start(&file.config(&[])).await;
    let memory = client.get(&format!("/api/v1/memory/{PERSON}")).await.ok(200);
    assert_eq!(memory["patterns"][0]["meaning"], "last 90 days");
    let asked = client.ask("show me recent orders").await.ok(202);
    let question = &asked["questions"][0];
    let answers = json!([{
        "clarification_id": question["id"],
        "answer": { "type": "option", "option_id": question["options"][0]["id"] },
    }]);
    let answer = json!({ "clarification_id": WAITING, "answers": answers });
    let answered = client.post("/api/v1/query/clarify", answer.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered");
    let copy = rusqlite::Connection::open(store.with_extension("sqlite.v2")).unwrap();
    let newest = copy.query_row("SELECT max(version) FROM refinery_schema_history", (), |row| {
        row.get::<_, i64>(0)
    });
    assert_eq!(newest.unwrap(), 2, "the store is copied before its tables change");
}

#[tokio::test]
async fn a_store_that_is_away_costs_the_history_but_not_the_answer() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run("CREATE ROLE keeper LOGIN; CREATE SCHEMA keeper AUTHORIZATION keeper");
    let (file, store) = (SqliteFile::new(SHOP), cluster.url("keeper"));
    let options = ["wherefore-proxy", "--store", &store, "--database", file.path.to_str().unwrap()];
    let client = Client::start(&Config::try_parse_from(options).unwrap()).await;
    cluster.stop();
    let answered = client.ask("how many customers are there").await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"], json!([[4]]));
    assert!(answered.get("id").is_none(), "it is not kept: {answered}");
    let with_memory = json!({ "question": "how many customers", "person": PERSON });
    client.post("/api/v1/query", with_memory.to_string()).await.ok(200);
    client.ask("show me recent orders").await.problem(503, "store_unavailable");
    client.get("/api/v1/history").await.problem(503, "store_unavailable");
    assert_eq!(client.get("/api/v1/ready").await.status, 503);
    cluster.resume();
    client.ask("show me recent orders").await.ok(202);
}

#[tokio::test]
async fn the_store_needs_a_login_of_its_own() {
    let options = |store: &str, source: &str| {
        Config::try_parse_from(["wherefore-proxy", "--store", store, "--database", source]).unwrap()
    };
    let source = "postgres://reader:s3cr3t@localhost/shop";
    let Err(error) = start(&options("postgres://reader:other@127.0.0.1/store", source)).await
    else {
        panic!("it started")
    };
    let error = error.to_string();
    assert!(error.contains("reader@127.0.0.1/store") && !error.contains("s3cr3t"), "{error}");
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run("CREATE ROLE keeper LOGIN; CREATE SCHEMA keeper AUTHORIZATION keeper");
    let (store, source) = (cluster.url("keeper"), cluster.url("asker"));
    let client = Client::start(&options(&store, &source)).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200).to_string();
    assert!(!catalog.contains("sessions"), "the store's tables are not asked about: {catalog}");
    client.ask("how many customers are there").await.ok(200);
}
