//! Catalogs that are served before the values of all tables are listed.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Cluster, DuckDb, SHOP, SOON, Serving};

/// Views whose rows are counted for longer than a catalog waits.
fn slow_views(rows: &str) -> String {
    let views = (1..=4).map(|number| format!("; CREATE VIEW slow_{number} AS {rows}"));
    SHOP.to_owned() + &views.collect::<String>()
}

/// Follows a catalog from its first version, without the slow views, to the complete one.
fn values_follow(options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let program = Serving::start(folder.path(), options);
    let http = program.http();
    let catalog = || http.get("catalog").expect(200)["catalog"].clone();
    let part = |name: &str| -> Value {
        let ready = http.get("ready").expect(200);
        let parts = ready["parts"].as_array().unwrap().clone();
        parts.into_iter().find(|part| part["name"] == name).unwrap()["status"].clone()
    };
    let served = program.call("GET", "/api/v1/catalog", &[], "");
    let tag = served.header("etag").unwrap().to_owned();
    let first = catalog();
    assert!(first["unread_tables"].as_u64().is_some_and(|unread| (1..=4).contains(&unread)));
    assert_eq!((part("catalog"), part("database")), ("reading".into(), "ok".into()));
    // Tables are read before views, so that their values are known from the start.
    let table = |catalog: &Value, name: &str| -> Value {
        let tables = catalog["tables"].as_array().unwrap().clone();
        tables.into_iter().find(|table| table["name"] == name).unwrap()
    };
    let orders = table(&first, "orders");
    assert!(orders["columns"].to_string().contains("\"coverage\":\"complete\""), "{orders}");
    let begun = Instant::now();
    while part("catalog") == "reading" {
        assert!(begun.elapsed() < SOON, "the rest is not read");
        std::thread::sleep(Duration::from_millis(50));
    }
    let complete = catalog();
    assert!(complete.get("unread_tables").is_none(), "{complete}");
    assert_eq!(table(&complete, "orders"), orders);
    let known = format!("If-None-Match: {tag}");
    let renewed = program.call("GET", "/api/v1/catalog", &[&known], "");
    assert_eq!(renewed.status, 200, "the first version is out of date");
    let known = format!("If-None-Match: {}", renewed.header("etag").unwrap());
    assert_eq!(program.call("GET", "/api/v1/catalog", &[&known], "").status, 304);
}

// Promise: history.values-follow
#[test]
fn a_duckdb_file_is_served_before_all_values_are_listed() {
    let rows =
        "SELECT hash(a.range, b.range) % 7 AS id FROM range(3000000) a CROSS JOIN range(3000000) b";
    let Some(file) = DuckDb::new(&slow_views(rows)) else { return };
    values_follow(&file.options());
}

// Promise: history.values-follow
#[test]
fn a_postgresql_database_is_served_before_all_values_are_listed() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(&slow_views(
        "SELECT a * b AS id FROM generate_series(1, 3000000) a CROSS JOIN generate_series(1, 3000000) b",
    ));
    cluster.run("ANALYZE; GRANT SELECT ON ALL TABLES IN SCHEMA public TO asker");
    values_follow(&["--database", &cluster.url("asker")]);
}
