//! What a language model assumed: its value, reason and confidence, and another meaning by the asker.

use serde_json::{Value, json};

use crate::support::{Client, Reply, SHOP, SqliteFile, Upstream};

const QUESTION: &str = "what ratio of the orders does each group have";
const ID: &str = "question-0123456789";

fn draft(column: &str, assumptions: &Value) -> Reply {
    let sql = format!(
        "SELECT o.{column}, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) FROM orders o GROUP BY o.{column}"
    );
    let draft = json!({ "sql": sql, "explanation": "x", "assumptions": assumptions });
    Reply::Document(draft.to_string())
}

// Promise: models.assumptions
#[tokio::test]
async fn an_assumption_of_a_model_is_shown_with_its_reason_and_changed() {
    let option = |column: &str| json!({ "label": column, "table": "orders", "column": column });
    let assumed = json!([{
        "term": "group", "value": "the status", "reason": "no group is stored", "confidence": 0.55,
        "options": [option("status"), option("customer_id"), option("ghost")],
    }]);
    let upstream = Upstream::start([draft("status", &assumed)]).await;
    let file = SqliteFile::new(SHOP);
    let writing = file.file("writing.toml", "drafts = [1, 1, 1]\n");
    let (url, writing) = (upstream.url(), writing.display().to_string());
    let options = ["--llm-url", &url, "--llm-model", "writer", "--writing", &writing];
    let client = Client::start(&file.config(&options)).await;
    let body = json!({ "question": QUESTION, "id": ID, "skip_clarification": true });
    let answered = client.post("/api/v1/query", body.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered", "{answered}");
    let stated = &answered["view"]["stated"][0];
    assert_eq!((&stated["value"], &stated["confidence"]), (&json!("the status"), &json!(0.55)));
    let shown = answered["view"]["assumptions"].as_array().unwrap();
    let shown = shown.iter().find(|shown| shown["source"] == "model").unwrap();
    assert_eq!(shown["meaning"], "the status", "{shown}");
    let offered = shown["clarification"]["options"].as_array().unwrap();
    assert_eq!(offered.len(), 2, "an option is in the catalog: {shown}");

    upstream.say([draft("status", &json!([])), draft("customer_id", &json!([]))]);
    let change = json!({ "id": answered["id"], "answer": {
        "clarification_id": shown["id"],
        "answer": { "type": "option", "option_id": offered[1]["id"] },
    } });
    let changed = client.post("/api/v1/query/change", change.to_string()).await.ok(200);
    assert_eq!(changed["outcome"], "answered", "{changed}");
    assert!(
        changed["view"]["sql"].as_str().unwrap().contains("GROUP BY o.customer_id"),
        "{changed}"
    );
    let shown = changed["view"]["assumptions"].to_string();
    assert!(shown.contains("\"source\":\"user\""), "{shown}");
}
