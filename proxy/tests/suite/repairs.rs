//! What a language model is shown when it repairs a statement, and what the asker sees of that.

use serde_json::{Value, json};

use crate::support::{Client, Reply, SHOP, SqliteFile, Upstream, fill};

const QUESTION: &str = "what ratio of the orders does each status have";

/// A shop with more columns than a message of an error could list, and a table that is not linked to the orders.
fn wide_shop() -> String {
    let columns: Vec<String> =
        (1..=60).map(|at| format!("delivery_note_{at} VARCHAR(20)")).collect();
    format!(
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(60));
         CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers,
             status VARCHAR(10), {});
         CREATE TABLE sensor_readings (id INTEGER PRIMARY KEY, celsius REAL);",
        columns.join(", ")
    )
}

/// The data of the prompt of a request.
fn data(request: &Value) -> Value {
    let user = request["messages"][1]["content"].as_str().unwrap();
    let (start, end) = (user.find('{').unwrap(), user.rfind('}').unwrap());
    serde_json::from_str(&user[start..=end]).unwrap()
}

// Promise: models.repair-columns
#[tokio::test]
async fn an_unknown_column_is_repaired_with_all_columns_of_the_tables_concerned_and_no_other() {
    let wrong = r#"{"sql": "SELECT phase, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY phase", "explanation": "x"}"#;
    let upstream = Upstream::start([Reply::Document(wrong.into())]).await;
    let file = SqliteFile::new(&wide_shop());
    fill(
        &file.path,
        "INSERT INTO customers VALUES (1, 'Ann'); INSERT INTO orders (id, customer_id, status) VALUES (1, 1, 'open');",
    );
    let writing = file.file("writing.toml", "drafts = [1, 1, 1]\nrepairs = 1\n");
    let (url, writing) = (upstream.url(), writing.display().to_string());
    let options = ["--llm-url", &url, "--llm-model", "writer", "--writing", &writing];
    let client = Client::start(&file.config(&options)).await;
    let unwritten = client.ask(QUESTION).await.ok(200);
    let requests = upstream.requests();
    let [(_, draft), (_, repair)] = &requests[..] else { panic!("{} requests", requests.len()) };
    assert!(data(draft)["tables"].to_string().contains("sensor_readings"));
    let repair = data(repair);
    let tables: Vec<&Value> =
        repair["tables"].as_array().unwrap().iter().map(|table| &table["table"]).collect();
    assert_eq!(tables, [&json!("orders"), &json!("customers")], "{repair}");
    let columns = repair["tables"][0]["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 63, "{columns:?}");
    assert!(!repair["faults"].to_string().contains("delivery_note"), "{repair}");
    let problem = unwritten["view"]["problem"]["message"].as_str().unwrap();
    assert!(problem.contains("unknown column \"phase\""), "{problem}");
    assert!(!problem.contains("delivery_note"), "{problem}");
}

// Promise: models.missing-parts
#[tokio::test]
async fn a_count_for_a_ratio_goes_back_is_not_run_and_is_said() {
    let wrong = r#"{"sql": "SELECT COUNT(*) FROM customers", "explanation": "x"}"#;
    let right = r#"{"sql": "SELECT status, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) AS ratio FROM orders GROUP BY status", "explanation": "x"}"#;
    let upstream = Upstream::start([Reply::Document(wrong.into())]).await;
    let file = SqliteFile::new(SHOP);
    let writing = file.file("writing.toml", "drafts = [1, 1, 1]\n");
    let (url, writing) = (upstream.url(), writing.display().to_string());
    let options = ["--llm-url", &url, "--llm-model", "writer", "--writing", &writing];
    let client = Client::start(&file.config(&options)).await;
    let unwritten = client.ask(QUESTION).await.ok(200);
    assert_eq!(unwritten["outcome"], "generation_failed", "{unwritten}");
    let message = unwritten["view"]["problem"]["message"].as_str().unwrap();
    let doubt = "the question asks for “ratio”, but the statement divides nothing by a whole";
    assert!(message.contains(doubt), "{message}");
    let requests = upstream.requests();
    assert_eq!(requests.len(), 2, "the same doubt ends the repairs");
    assert!(data(&requests[1].1)["faults"].to_string().contains(doubt));
    upstream.say([Reply::Document(wrong.into()), Reply::Document(right.into())]);
    let answered = client.ask(QUESTION).await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    assert!(answered["view"]["sql"].as_str().unwrap().contains('/'), "{answered}");
}
