//! Tables whose stored names have a prefix that the statement of a language model leaves out.

use serde_json::json;

use crate::support::{Client, Reply, SHOP, SqliteFile, Upstream};

// Promise: models.logical-tables
#[tokio::test]
async fn a_statement_on_the_logical_name_of_a_table_runs_and_says_so() {
    let mut shop = SHOP.to_owned();
    for table in ["customers", "orders"] {
        for before in ["CREATE TABLE ", "INSERT INTO ", "REFERENCES ", "FROM "] {
            shop = shop.replace(&format!("{before}{table}"), &format!("{before}PROD_{table}"));
        }
    }
    let file = SqliteFile::new(&shop);
    let sql = "SELECT orders.status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY orders.status";
    let draft = json!({ "sql": sql, "explanation": "The share of the orders of each status." });
    let upstream = Upstream::start([Reply::Document(draft.to_string())]).await;
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let answered = client.ask("what ratio of the orders does each status have").await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    let written = answered["view"]["sql"].as_str().unwrap();
    assert!(written.contains("PROD_orders AS orders"), "{written}");
    assert_eq!(answered["view"]["result"]["rows"].as_array().unwrap().len(), 2, "{answered}");
    let notes = answered["view"]["notes"].to_string();
    assert!(notes.contains("replace `orders` with `PROD_orders AS orders`"), "{notes}");
}
