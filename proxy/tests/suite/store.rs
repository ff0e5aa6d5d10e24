//! End-to-end tests of the store: migration from an older version, and its login.

use std::path::Path;
use std::time::Duration;

use clap::Parser;
use serde_json::{Value, json};
use wherefore_proxy::config::Config;
use wherefore_proxy::startup::start;

use crate::support::serving::run;
use crate::support::{Client, Cluster, SHOP, Serving, SqliteFile, fill};

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

/// What happens to the file of a store while a proxy uses it.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Deleted,
    LogDeleted,
    OtherStoreInPlace,
    OtherStoreMovedThere,
    OverwrittenWithText,
    Truncated,
}

impl Fate {
    const ALL: [Self; 6] = [
        Self::Deleted,
        Self::LogDeleted,
        Self::OtherStoreInPlace,
        Self::OtherStoreMovedThere,
        Self::OverwrittenWithText,
        Self::Truncated,
    ];

    /// Lets it happen, with the file of another store at hand.
    fn befall(self, store: &Path, other: &Path) {
        match self {
            Self::Deleted => std::fs::remove_file(store).unwrap(),
            Self::LogDeleted => std::fs::remove_file(store.with_extension("sqlite-wal")).unwrap(),
            Self::OtherStoreInPlace => drop(std::fs::copy(other, store).unwrap()),
            Self::OtherStoreMovedThere => std::fs::rename(other, store).unwrap(),
            Self::OverwrittenWithText => {
                std::fs::write(store, "no store at all ".repeat(99)).unwrap();
            }
            Self::Truncated => std::fs::write(store, "").unwrap(),
        }
    }
}

// Promise: security.vanished-store
#[test]
fn a_store_that_vanished_is_told_and_nothing_is_acknowledged() {
    for fate in Fate::ALL {
        let shop = SqliteFile::new(SHOP);
        let folder = shop.folder.path();
        let (store, other) = (folder.join("store.sqlite"), folder.join("other.sqlite"));
        for store in [&store, &other] {
            let added = run(&["key", "add", "--user", "ann", "--store", store.to_str().unwrap()]);
            assert!(added.status.success(), "{added:?}");
        }
        let program = Serving::start(folder, &["--database", shop.path.to_str().unwrap()]);
        let http = program.http();
        http.post("query", &json!({ "question": "show me recent orders" })).expect(202);
        fate.befall(&store, &other);
        let ready = http.get("ready").expect(503);
        assert_eq!(ready["parts"][1]["code"], "store_unavailable", "{fate:?}: {ready}");
        let vague = json!({ "question": "show me recent orders" });
        assert_eq!(http.post("query", &vague).expect(503)["code"], "store_unavailable", "{fate:?}");
        let once = json!({ "question": "how many customers are there", "id": "0123456789abcdef" });
        assert_eq!(http.post("query", &once).expect(503)["code"], "store_unavailable", "{fate:?}");
        let plain = json!({ "question": "how many customers are there" });
        let answered = http.post("query", &plain).expect(200);
        assert_eq!(answered["id"], Value::Null, "{fate:?}: it is not kept: {answered}");
        http.get("history").expect(503);
        http.get("health").expect(200);
    }
}

#[test]
fn a_store_that_vanished_signs_nobody_in() {
    for fate in Fate::ALL {
        let shop = SqliteFile::new(SHOP);
        let folder = shop.folder.path();
        let (store, other) = (folder.join("store.sqlite"), folder.join("other.sqlite"));
        let [own, others] = [&store, &other].map(|store| {
            let added = run(&["key", "add", "--user", "ann", "--store", store.to_str().unwrap()]);
            let text = String::from_utf8(added.stdout).unwrap();
            format!("Authorization: Bearer {}", text.lines().next().unwrap())
        });
        let options = ["--database", shop.path.to_str().unwrap(), "--auth", "keys"];
        let program = Serving::start(folder, &options);
        let call = |method: &str, path: &str, key: &str, body: &str| {
            let headers = [key, "Content-Type: application/json"];
            program.call(method, &format!("/api/v1/{path}"), &headers, body)
        };
        assert_eq!(call("GET", "catalog", &own, "").status, 200);
        fate.befall(&store, &other);
        for key in [&own, &others] {
            let asked = call("POST", "query", key, "{\"question\": \"how many customers\"}");
            for heard in [call("GET", "catalog", key, ""), asked] {
                assert_eq!(heard.status, 503, "{fate:?}: {heard:?}");
                assert!(heard.text.contains("store_unavailable"), "{fate:?}: {heard:?}");
            }
            assert_eq!(call("GET", "health", key, "").status, 200, "{fate:?}");
            let ready = call("GET", "ready", key, "");
            assert_eq!(ready.status, 503, "{fate:?}");
            assert!(ready.text.contains("\"status\":\"failed\""), "{fate:?}: {ready:?}");
        }
    }
}

#[test]
fn a_store_that_is_put_back_is_used_again() {
    let shop = SqliteFile::new(SHOP);
    let program = Serving::start(shop.folder.path(), &["--database", shop.path.to_str().unwrap()]);
    let (http, store) = (program.http(), shop.folder.path().join("store.sqlite"));
    std::fs::rename(&store, store.with_extension("away")).unwrap();
    http.get("ready").expect(503);
    std::fs::rename(store.with_extension("away"), &store).unwrap();
    // A check is used again for a second.
    while http.get("ready").status != 200 {
        std::thread::sleep(Duration::from_millis(50));
    }
}
