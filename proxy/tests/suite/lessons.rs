//! Lessons that corrections and repairs teach, over HTTP.

use serde_json::{Value, json};

use crate::support::{Client, Reply, SHOP, SqliteFile, Upstream};

const PERSON: &str = "someone-0123456789";
const QUESTION: &str = "ranking of the orders by status";
const WRONG: &str = r#"{"sql": "SELECT phase, COUNT(*) AS n FROM orders GROUP BY phase", "explanation": "Orders."}"#;
const RIGHT: &str = r#"{"sql": "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY status", "explanation": "Orders by status."}"#;

async fn ask(client: &Client, question: &str) -> Value {
    let body = json!({ "question": question, "today": "2024-04-01", "person": PERSON });
    client.post("/api/v1/query", body.to_string()).await.ok(200)
}

async fn lessons(client: &Client) -> Vec<Value> {
    let memory = client.get(&format!("/api/v1/memory/{PERSON}")).await.ok(200);
    memory["lessons"].as_array().cloned().unwrap_or_default()
}

fn sql(answered: &Value) -> &str {
    answered["view"]["sql"].as_str().expect("SQL is text")
}

// Promise: memory.lessons-learned
// Promise: memory.lessons-forgotten
#[tokio::test]
async fn a_correction_that_worked_holds_for_the_next_question_until_it_is_forgotten() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let answered = ask(&client, "how many clients are there").await;
    assert!(sql(&answered).contains("FROM customers"), "{answered}");
    assert!(lessons(&client).await.is_empty());
    let correction = json!({ "type": "table", "selected_table": "orders" });
    let body = json!({ "id": answered["id"], "correction": correction, "person": PERSON });
    let corrected = client.post("/api/v1/query/correct", body.to_string()).await.ok(200);
    assert!(sql(&corrected).contains("FROM orders"), "{corrected}");
    let learned = lessons(&client).await;
    let [lesson] = learned.as_slice() else { panic!("{learned:?}") };
    assert_eq!((&lesson["kind"], &lesson["words"]), (&json!("table_mapping"), &json!("clients")));
    assert_eq!((&lesson["confidence"], &lesson["uses"]), (&json!(0.95), &json!(0)));
    let again = ask(&client, "how many clients are there").await;
    assert!(sql(&again).contains("FROM orders"), "{again}");
    let assumed = &again["view"]["assumptions"][0];
    assert_eq!(assumed["phrase"], "clients", "{assumed}");
    let reason = assumed["clarification"]["reason"].as_str().expect("a reason is text");
    assert!(reason.contains("learned from a correction of yours"), "{reason}");
    let used = &lessons(&client).await[0];
    assert_eq!((&used["uses"], &used["successes"]), (&json!(1), &json!(1)));
    let other = client.ask("how many clients are there").await.ok(200);
    assert!(sql(&other).contains("FROM customers"), "it holds for that person only");
    let path = format!("/api/v1/memory/{PERSON}/{}", used["id"].as_str().expect("an id is text"));
    assert_eq!(client.delete(&path).await.status, 204);
    let after = ask(&client, "how many clients are there").await;
    assert!(sql(&after).contains("FROM customers"), "{after}");
}

// Promise: memory.lessons-for-models
#[tokio::test]
async fn what_a_model_repaired_is_told_to_it_the_next_time() {
    // Four drafts, and the repair of one.
    let replies = [WRONG, WRONG, WRONG, WRONG, RIGHT].map(|text| Reply::Stream(text.into()));
    let upstream = Upstream::start(replies).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let answered = ask(&client, QUESTION).await;
    assert_eq!(answered["outcome"], "answered", "{answered}");
    let kinds: Vec<Value> = lessons(&client).await.iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, ["error_pattern", "query_pattern"], "{}", answered["trace"]);
    upstream.say([Reply::Stream(RIGHT.into())]);
    let before = upstream.requests().len();
    assert_eq!(ask(&client, QUESTION).await["outcome"], "answered");
    let requests = upstream.requests();
    let prompt = requests[before].1["messages"].to_string();
    for part in ["error to avoid", "unknown column", "similar question", "GROUP BY status"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    let used = lessons(&client).await;
    assert!(used.iter().all(|one| one["successes"] == 1 && one["uses"] == 1), "{used:?}");
    // Written back as it was read.
    let path = format!("/api/v1/memory/{PERSON}");
    let memory = client.get(&path).await.ok(200);
    assert_eq!(client.put(&path, memory.to_string()).await.ok(200), memory);
}
