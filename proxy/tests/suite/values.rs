//! Cached lists of stored values: read once, served while they are refreshed, and kept if that fails.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use wherefore_engine::catalog::ColumnRef;
use wherefore_proxy::connections::Peer;
use wherefore_proxy::data_source::DataSource;
use wherefore_proxy::database::DatabaseError;
use wherefore_proxy::holder::Holder;
use wherefore_proxy::values::{FoundInColumn, ListCoverage, Page, ValueSettings, Values};

use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

const COUNTRIES: &str = "/api/v1/values?table=customers&column=country";

async fn on_postgres(cluster: &Cluster) -> (Client, Arc<DataSource>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--database", &cluster.url("asker"), "--requests-at-once", "4096"];
    let client = Client::start(&config(folder.path(), &options)).await;
    let source = client.state.sources.get("default").unwrap();
    (client, source, folder)
}

async fn find(
    values: &Values,
    source: &DataSource,
    text: &str,
) -> Result<FoundInColumn, DatabaseError> {
    let country = ColumnRef::new("customers", "country");
    let reader = source.value_reader(&Holder::Peer(Peer::default())).unwrap();
    values.find(&reader, &source.knowledge(), &country, text, Page::default()).await
}

/// Searches until the result is as expected, for at most 10 s.
async fn until(
    values: &Values,
    source: &DataSource,
    expected: impl Fn(&FoundInColumn) -> bool,
) -> FoundInColumn {
    for _ in 0..200 {
        if let Ok(found) = find(values, source, "").await
            && expected(&found)
        {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it did not become so: {:?}", find(values, source, "").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_who_ask_for_one_column_cost_one_query() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run("ALTER SYSTEM SET log_statement = 'all'");
    cluster.run("SELECT pg_reload_conf()");
    let (client, _, _folder) = on_postgres(&cluster).await;
    let queries = || cluster.log().matches("SELECT DISTINCT \"country\"::text").count();
    let before = queries();
    let catalog = "SELECT DISTINCT CAST(\"country\" AS text)";
    assert!(cluster.log().contains(catalog), "reading the catalog is logged");
    let asking: Vec<_> = (0..1_000)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.get(COUNTRIES).await.ok(200)["values"].clone() })
        })
        .collect();
    for asked in asking {
        assert_eq!(asked.await.unwrap(), json!(["Brazil", "Norway"]));
    }
    assert_eq!(queries() - before, 1);
}

#[tokio::test]
async fn an_old_list_is_served_while_it_is_read_anew() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let (_, source, _folder) = on_postgres(&cluster).await;
    // Long enough for the steps in which the list is new.
    let fresh = Duration::from_secs(3);
    let values = Values::new(ValueSettings { fresh, ..ValueSettings::default() });
    let first = find(&values, &source, "").await.unwrap();
    assert_eq!((first.coverage, first.listed), (ListCoverage::Complete, Some(2)));
    cluster.run("INSERT INTO customers VALUES (5, 'Eve', 'Chile', NULL)");
    assert_eq!(find(&values, &source, "").await.unwrap().values, first.values);
    tokio::time::sleep(fresh + Duration::from_millis(50)).await;
    let old = find(&values, &source, "").await.unwrap();
    assert_eq!(old.values, first.values);
    assert_eq!(old.coverage, ListCoverage::Stale);
    assert!(old.age > fresh);
    until(&values, &source, |found| found.values == ["Brazil", "Chile", "Norway"]).await;
}

#[tokio::test]
async fn a_list_outlives_the_server_and_is_read_again_after_it() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let (client, source, _folder) = on_postgres(&cluster).await;
    let short = Duration::from_millis(200);
    let settings = ValueSettings { fresh: short, failed: short, ..ValueSettings::default() };
    let values = Values::new(settings);
    let first = find(&values, &source, "").await.unwrap();
    cluster.stop();
    tokio::time::sleep(short * 3).await;
    let kept = until(&values, &source, |found| found.coverage == ListCoverage::Stale).await;
    assert_eq!(kept.values, first.values);
    assert!(kept.age > short * 2, "a failure does not make it young: {:?}", kept.age);
    // A column without a list is served from the catalog.
    let names = client.get("/api/v1/values?table=customers&column=name&search=bo").await.ok(200);
    assert_eq!(names["values"], json!(["Bob"]));
    cluster.resume();
    until(&values, &source, |found| found.coverage == ListCoverage::Complete).await;
}

#[tokio::test]
async fn a_failure_is_not_tried_again_at_once() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let (_, source, _folder) = on_postgres(&cluster).await;
    let reader = source.value_reader(&Holder::Peer(Peer::default())).unwrap();
    let patient =
        Values::new(ValueSettings { failed: Duration::from_mins(10), ..ValueSettings::default() });
    let total = ColumnRef::new("orders", "total");
    cluster.stop();
    let knowledge = source.knowledge();
    let search = |values: Values| {
        let (reader, knowledge, total) = (&reader, Arc::clone(&knowledge), &total);
        async move { values.search(reader, &knowledge, total, "20").await }
    };
    assert!(matches!(search(patient.clone()).await, Err(DatabaseError::Unavailable(_))));
    cluster.resume();
    assert!(matches!(search(patient).await, Err(DatabaseError::Unavailable(_))));
    assert_eq!(*search(Values::default()).await.unwrap(), ["20.25"]);
}

// Promise: history.values-coverage
#[tokio::test]
async fn coverage_is_told_and_a_partial_list_is_searched_in_the_database() {
    let file = SqliteFile::new(
        "CREATE TABLE things (code TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
         INSERT INTO things SELECT printf('item number %d', i) FROM n;",
    );
    let client = Client::start(&file.config(&[])).await;
    let search = async |text: &str| -> Value {
        let path = format!("/api/v1/values?table=things&column=code&search={text}");
        client.get(&path).await.ok(200)
    };
    let listed = search("").await;
    assert_eq!(listed["coverage"], "partial");
    assert_eq!(listed["listed"], 500);
    assert_eq!(listed["age_seconds"], 0);
    assert_eq!(search("number%20699").await["values"], json!(["item number 699"]));
    assert_eq!(search("itemm%20number%20698").await["values"][0], "item number 698");
    assert_eq!(search("something%20else").await["values"], json!([]));
    let small = SqliteFile::new(SHOP);
    let client = Client::start(&small.config(&["--value-limit", "1"])).await;
    assert_eq!(client.get(COUNTRIES).await.ok(200)["coverage"], "partial");
    let client = Client::start(&small.config(&[])).await;
    let near = client.get(&format!("{COUNTRIES}&search=norwey")).await.ok(200);
    assert_eq!((&near["values"], &near["coverage"]), (&json!(["Norway"]), &json!("complete")));
}

// Promise: history.values-pages
#[tokio::test]
async fn values_come_in_pages_with_their_total() {
    let file = SqliteFile::new(
        "CREATE TABLE things (code TEXT, kind TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
         INSERT INTO things SELECT printf('item %03d', i), printf('kind %03d', i % 120) FROM n;",
    );
    let client = Client::start(&file.config(&[])).await;
    let get = async |rest: &str| client.get(&format!("/api/v1/values?table=things&{rest}")).await;
    let (mut seen, mut after) = (Vec::new(), 0);
    loop {
        let page = get(&format!("column=kind&after={after}")).await.ok(200);
        assert_eq!((&page["total"], &page["coverage"]), (&json!(120), &json!("complete")));
        seen.extend(page["values"].as_array().unwrap().clone());
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    let all: Vec<Value> = (0..120).map(|kind| json!(format!("kind {kind:03}"))).collect();
    assert_eq!(seen, all);
    let partial = get("column=code").await.ok(200);
    let told = [&partial["next"], &partial["total"], &partial["listed"], &partial["coverage"]];
    assert_eq!(json!(told), json!([50, 500, 500, "partial"]));
    let few = get("column=code&search=item%2069").await.ok(200);
    assert_eq!((&few["next"], &few["total"]), (&Value::Null, &json!(10)));
    let many = get("column=code&search=item").await.ok(200);
    assert_eq!((&many["next"], &many["total"]), (&json!(50), &Value::Null));
    let second = get("column=code&search=item&after=50&limit=1").await.ok(200);
    assert_eq!(second["values"], json!(["item 051"]));
    let behind = get("column=kind&after=9999").await.ok(200);
    assert_eq!((&behind["values"], &behind["next"]), (&json!([]), &Value::Null));
    get("column=kind&limit=0").await.problem(422, "invalid_limit");
    get("column=kind&limit=501").await.problem(422, "invalid_limit");
    get("column=kind&after=-1").await.problem(400, "invalid_request");
}
