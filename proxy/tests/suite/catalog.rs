//! The catalog of the same shop in both databases, and their differences.

use serde_json::{Value, json};

use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

fn find<'a>(list: &'a Value, name: &str) -> &'a Value {
    list.as_array()
        .unwrap()
        .iter()
        .find(|item| item["name"] == name)
        .unwrap_or_else(|| panic!("{name}: {list}"))
}

async fn catalog(client: &Client) -> Value {
    client.get("/api/v1/catalog").await.ok(200)["catalog"].clone()
}

async fn check_shop(client: &Client) {
    let catalog = catalog(client).await;
    let names: Vec<_> =
        catalog["tables"].as_array().unwrap().iter().map(|table| table["name"].clone()).collect();
    assert_eq!(names, ["customers", "open_orders", "orders"]);
    assert_eq!(catalog["can_execute"], true);
    let customers = find(&catalog["tables"], "customers");
    assert_eq!(customers["primary_key"], json!(["id"]));
    assert_eq!(customers["row_estimate"], 4);
    let country = find(&customers["columns"], "country");
    assert_eq!(country["data_type"], "text");
    assert_eq!(
        country["values"],
        json!({ "values": ["Brazil", "Norway"], "coverage": "complete" })
    );
    assert_eq!(country["nullable"], true);
    let email = find(&customers["columns"], "email");
    assert_eq!(email["sensitive"], true);
    assert_eq!(email["values"], Value::Null);
    assert_eq!(email["unique"], true);
    let orders = find(&catalog["tables"], "orders");
    let ordered_on = find(&orders["columns"], "ordered_on");
    assert_eq!(ordered_on["data_type"], "date");
    assert_eq!(ordered_on["minimum"], "2024-01-05");
    assert_eq!(ordered_on["maximum"], "2024-03-08");
    assert_eq!(find(&orders["columns"], "total")["data_type"], "number");
    let view = find(&catalog["tables"], "open_orders");
    assert_eq!(view["kind"], "view");
    assert_eq!(view["row_estimate"], 2);
    assert_eq!(
        catalog["foreign_keys"],
        json!([{
            "from_table": "orders", "from_columns": ["customer_id"],
            "to_table": "customers", "to_columns": ["id"],
        }])
    );
}

#[tokio::test]
async fn the_shop_is_read_from_sqlite() {
    let shop = SqliteFile::new(SHOP);
    check_shop(&Client::start(&shop.config(&[])).await).await;
}

#[tokio::test]
async fn the_shop_is_read_from_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run("ANALYZE");
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    check_shop(&client).await;
}

#[tokio::test]
async fn sqlite_types_follow_stored_values() {
    let shop = SqliteFile::new(
        "CREATE TABLE events (day TEXT, at TEXT, note TEXT, epoch DATETIME, us_date DATE, anything);
         INSERT INTO events VALUES ('2024-01-01', '2024-01-01 10:00:00', '2024-01-01', 1700000000, '1/2/2024', 1.5);
         INSERT INTO events VALUES (NULL, '2024-01-02', 'later', 1700000001, '1/3/2024', 2);
         CREATE VIEW sums AS SELECT count(*) AS n, day || '' AS d FROM events GROUP BY day;",
    );
    let catalog = catalog(&Client::start(&shop.config(&[])).await).await;
    let events = find(&catalog["tables"], "events");
    for (name, expected) in [
        ("day", "date"),
        ("at", "timestamp"),
        ("note", "text"),
        ("epoch", "integer"),
        ("us_date", "text"),
        ("anything", "number"),
    ] {
        assert_eq!(find(&events["columns"], name)["data_type"], expected, "{name}");
    }
    let sums = find(&catalog["tables"], "sums");
    assert_eq!(find(&sums["columns"], "n")["data_type"], "integer");
    assert_eq!(find(&sums["columns"], "d")["data_type"], "date");
}

#[tokio::test]
async fn long_lists_are_partial_and_prose_is_not_listed() {
    let shop = SqliteFile::new(
        "CREATE TABLE things (code TEXT, story TEXT);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
         INSERT INTO things SELECT printf('c%04d', i), printf('%0200d', i) FROM n;",
    );
    let client = Client::start(&shop.config(&[])).await;
    let catalog = catalog(&client).await;
    let columns = &find(&catalog["tables"], "things")["columns"];
    let values = &find(columns, "code")["values"];
    assert_eq!(values["coverage"], "partial");
    assert_eq!(values["values"].as_array().unwrap().len(), 500);
    assert_eq!(values["values"][499], "c0500");
    assert_eq!(find(columns, "story")["values"], Value::Null);
    let found = client.get("/api/v1/values?table=things&column=code&search=C069").await.ok(200);
    assert_eq!(found["values"].as_array().unwrap().len(), 10, "values beyond the list are found");
}

#[tokio::test]
async fn postgres_schemas_comments_and_types_are_read() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(
        "CREATE SCHEMA stock;
         CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad');
         CREATE DOMAIN euro AS numeric(10,2);
         CREATE TABLE stock.levels (id bigint PRIMARY KEY, mood mood, price euro, tags text[], at timestamptz,
             length interval, a int, b int, UNIQUE (a, b));
         COMMENT ON TABLE stock.levels IS 'What is there';
         COMMENT ON COLUMN stock.levels.price IS 'In euro';
         CREATE TABLE plain (id int, level_id bigint REFERENCES stock.levels);
         CREATE TABLE parted (id int) PARTITION BY RANGE (id);
         CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);",
    );
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    let catalog = catalog(&client).await;
    let names: Vec<_> =
        catalog["tables"].as_array().unwrap().iter().map(|table| table["name"].clone()).collect();
    assert_eq!(names, ["parted", "plain", "levels"]);
    let areas: Vec<_> =
        catalog["areas"].as_array().unwrap().iter().map(|area| area["name"].clone()).collect();
    assert_eq!(areas, ["public", "stock"]);
    let levels = find(&catalog["tables"], "levels");
    assert_eq!(levels["schema"], "stock");
    assert_eq!(levels["area"], "stock");
    assert_eq!(levels["description"], "What is there");
    let mood = find(&levels["columns"], "mood");
    assert_eq!(mood["data_type"], "text");
    assert_eq!(mood["values"], json!({ "values": ["glad", "ok", "sad"], "coverage": "complete" }));
    let price = find(&levels["columns"], "price");
    assert_eq!(price["data_type"], "number");
    assert_eq!(price["declared_type"], "euro");
    assert_eq!(price["description"], "In euro");
    assert_eq!(find(&levels["columns"], "tags")["data_type"], "other");
    assert_eq!(find(&levels["columns"], "at")["data_type"], "timestamp");
    assert_eq!(find(&levels["columns"], "length")["data_type"], "other");
    assert_eq!(find(&levels["columns"], "a")["unique"], false);
    assert_eq!(catalog["foreign_keys"][0]["to_table"], "stock.levels");
}

#[tokio::test]
async fn the_catalog_is_sent_once() {
    let shop = SqliteFile::new(SHOP);
    let client = Client::start(&shop.config(&[])).await;
    let first = client.get("/api/v1/catalog").await;
    let tag = first.headers["etag"].to_str().unwrap();
    let request = axum::http::Request::get("/api/v1/catalog").header("if-none-match", tag);
    let second = client.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(second.status, 304);
    assert_eq!(second.text, "");
}

async fn check_values(client: &Client) {
    let found = |query: &str| {
        let path = format!("/api/v1/values?{query}");
        let client = client.clone();
        async move { client.get(&path).await }
    };
    let values = |answer: crate::support::client::Answer| answer.ok(200)["values"].clone();
    assert_eq!(values(found("table=customers&column=country&search=BRA").await), json!(["Brazil"]));
    assert_eq!(values(found("table=customers&column=country").await), json!(["Brazil", "Norway"]));
    assert_eq!(values(found("table=customers&column=name&search=%25").await), json!([]));
    assert_eq!(values(found("table=orders&column=total&search=20").await), json!(["20.25"]));
    assert_eq!(values(found("table=orders&column=total&search=%27%20OR%201%3D1").await), json!([]));
    found("table=nothing&column=x&search=a").await.problem(404, "unknown_table");
    found("table=customers&column=x&search=a").await.problem(404, "unknown_column");
    found("table=customers&column=email&search=a").await.problem(403, "sensitive_column");
    found("table=customers").await.problem(400, "invalid_request");
    found("table=customers&column=name&offset=1").await.problem(400, "invalid_request");
    let long = format!("table=customers&column=name&search={}", "a".repeat(101));
    found(&long).await.problem(422, "search_too_long");
}

#[tokio::test]
async fn values_are_searched_on_sqlite() {
    let shop = SqliteFile::new(SHOP);
    check_values(&Client::start(&shop.config(&[])).await).await;
}

#[tokio::test]
async fn values_are_searched_on_postgres() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    check_values(&client).await;
}
