//! Memory, follow-ups and corrections over HTTP.

use serde_json::{Value, json};

use crate::support::{Client, SHOP, SqliteFile};

const PERSON: &str = "someone-0123456789";

async fn ask(client: &Client, body: Value) -> crate::support::client::Answer {
    client.post("/api/v1/query", body.to_string()).await
}

async fn choose_90_days(client: &Client, asked: &Value, remember: bool) -> Value {
    let question = &asked["questions"][0];
    let options = question["options"].as_array().expect("options are a list");
    let days = options.iter().find(|option| option["label"].to_string().contains("90"));
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{
            "clarification_id": question["id"],
            "answer": { "type": "option", "option_id": days.expect("90 days are offered")["id"] },
        }],
        "remember": if remember { vec![question["id"].clone()] } else { Vec::new() },
        "person": PERSON,
    });
    client.post("/api/v1/query/clarify", body.to_string()).await.ok(200)
}

fn recent() -> Value {
    json!({ "question": "show me recent orders", "today": "2024-04-01", "person": PERSON })
}

// Promise: memory.learned
// Promise: memory.forgotten
#[tokio::test]
async fn three_same_answers_are_an_assumption_that_can_be_forgotten() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    for _ in 0..3 {
        let asked = ask(&client, recent()).await.ok(202);
        choose_90_days(&client, &asked, false).await;
    }
    let answered = ask(&client, recent()).await.ok(200);
    let assumption = &answered["view"]["assumptions"][0];
    assert_eq!(assumption["source"], "memory");
    assert_eq!(assumption["from_memory"]["reason"], "chosen the last 3 times");
    let path = format!("/api/v1/memory/{PERSON}");
    let memory = client.get(&path).await.ok(200);
    assert_eq!(memory["patterns"][0]["frequency"], 3);
    let id = memory["patterns"][0]["id"].as_str().expect("an id is text");
    assert_eq!(client.delete(&format!("{path}/{id}")).await.status, 204);
    client.delete(&format!("{path}/{id}")).await.problem(404, "unknown_pattern");
    ask(&client, recent()).await.ok(202);
}

// Promise: memory.personal
// Promise: memory.forgotten
#[tokio::test]
async fn what_is_to_be_remembered_holds_at_once_and_for_that_person_only() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = ask(&client, recent()).await.ok(202);
    choose_90_days(&client, &asked, true).await;
    ask(&client, recent()).await.ok(200);
    client.ask("show me recent orders").await.ok(202);
    assert_eq!(client.delete(&format!("/api/v1/memory/{PERSON}")).await.status, 204);
    ask(&client, recent()).await.ok(202);
}

// Promise: memory.person-of-question
#[tokio::test]
async fn an_answer_without_a_person_is_remembered_for_who_asked() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = ask(&client, recent()).await.ok(202);
    let id = &asked["questions"][0]["id"];
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{
            "clarification_id": id,
            "answer": { "type": "option", "option_id": asked["questions"][0]["options"][0]["id"] },
        }],
        "remember": [id],
    });
    client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    let memory = client.get(&format!("/api/v1/memory/{PERSON}")).await.ok(200);
    assert_eq!(memory["patterns"][0]["phrase"], "recent");
}

#[tokio::test]
async fn memory_is_replaced_migrated_and_refused() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let path = format!("/api/v1/memory/{PERSON}");
    let old = json!([{
        "ambiguity": "vague_term", "phrase": "recent", "meaning": "last 7 days", "frequency": 4,
        "answer": { "type": "option", "option_id": "7_days" },
    }]);
    let memory = client.put(&path, old.to_string()).await.ok(200);
    assert_eq!(memory["version"], 1);
    assert_eq!(client.get(&path).await.ok(200), memory);
    client.put(&path, "{ \"version\": 99 }").await.problem(422, "memory_newer");
    client.put(&path, "{ \"patterns\": 1 }").await.problem(400, "invalid_request");
    client.put(&path, "[1]").await.problem(422, "memory_unreadable");
    let many = json!({ "version": 1, "patterns": vec![memory["patterns"][0].clone(); 501] });
    client.put(&path, many.to_string()).await.problem(422, "memory_too_large");
    client.get("/api/v1/memory/me").await.problem(403, "other_person");
    assert_eq!(client.get(&path).await.ok(200), memory);
}

#[tokio::test]
async fn a_follow_up_goes_on_from_the_context_of_an_answer() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let first = client.ask("how many customers are there").await.ok(200);
    let body = json!({ "question": "only in Brazil", "context": first["context"] });
    let second = ask(&client, body).await.ok(200);
    assert_eq!(second["view"]["result"]["rows"], json!([[2]]));
    assert_eq!(second["view"]["follow_up"]["kept"], json!(["number of customers"]));
}

// Promise: memory.correction-over-http
#[tokio::test]
async fn an_open_question_can_be_corrected() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = client.ask("show me recent orders").await.ok(202);
    let correct = |text: &str| {
        let correction = json!({ "type": "text", "text": text });
        json!({ "clarification_id": asked["clarification_id"], "correction": correction })
    };
    let refused = client.post("/api/v1/query/correct", correct("use xyzzy").to_string()).await;
    let problem = refused.problem(422, "unknown_name");
    assert_eq!(problem["span"], json!({ "start": 4, "end": 9 }));
    let correction = json!({
        "type": "table", "selected_table": "customers", "rejected_tables": ["orders"],
    });
    let body = json!({
        "clarification_id": asked["clarification_id"], "correction": correction,
    });
    let corrected = client.post("/api/v1/query/correct", body.to_string()).await.ok(202);
    let sql = corrected["view"]["sql"].as_str().unwrap();
    assert!(sql.contains("FROM customers"), "{sql}");
}

// Promise: memory.correction-of-answer-over-http
#[tokio::test]
async fn an_answer_can_be_corrected_as_data_and_in_words() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let first = client.ask("how many customers are there").await.ok(200);
    let correct = async |correction: Value| {
        let body = json!({ "id": first["id"], "correction": correction });
        client.post("/api/v1/query/correct", body.to_string()).await
    };
    let selection = json!({
        "type": "table_selection", "selected_table": "orders", "rejected_tables": ["customers"],
    });
    let corrected = correct(selection).await.ok(200);
    assert_eq!(corrected["id"], first["id"], "it is the same question");
    let sql = corrected["view"]["sql"].as_str().unwrap();
    assert!(sql.contains("FROM orders"), "{sql}");
    let words = json!({ "type": "text", "text": "use customers instead" });
    let again = correct(words).await.ok(200);
    assert!(again["view"]["sql"].as_str().unwrap().contains("FROM customers"));
    let unknown = json!({ "type": "text", "text": "use xyzzy" });
    correct(unknown).await.problem(422, "unknown_name");
    let history = client.get("/api/v1/history").await.ok(200);
    assert_eq!(history["questions"].as_array().unwrap().len(), 1);
    let both = json!({
        "id": first["id"], "clarification_id": "clf_0",
        "correction": { "type": "text", "text": "use orders" },
    });
    let both = client.post("/api/v1/query/correct", both.to_string()).await;
    both.problem(400, "invalid_request");
    let other = json!({ "id": "q_0", "correction": { "type": "text", "text": "use orders" } });
    let other = client.post("/api/v1/query/correct", other.to_string()).await;
    other.problem(404, "unknown_question");
}

// Promise: memory.correction-after-answer
#[tokio::test]
async fn words_behind_an_answer_correct_it() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let first = client.ask("how many customers are there").await.ok(200);
    let body = json!({
        "question": "no, I meant orders", "context": first["context"], "today": "2024-04-01",
    });
    let second = ask(&client, body).await.ok(200);
    assert_eq!(second["view"]["question"], "how many customers are there");
    let sql = second["view"]["sql"].as_str().unwrap();
    assert!(sql.contains("FROM orders"), "{sql}");
}
