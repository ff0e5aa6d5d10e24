//! Joins that a person confirms, corrects or refuses before a statement is written.

use serde_json::{Value, json};

use crate::support::{Client, Events, SqliteFile};

const ID: &str = "question-0123456789";
const QUESTION: &str = "number of orders per customer name";

/// Orders with a customer, which is the obvious way to customers, and a payer.
const ORDERS: &str = "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40));
     CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers,
         payer_id INTEGER REFERENCES customers);
     INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob');
     INSERT INTO orders VALUES (1, 1, 2), (2, 1, 2), (3, 1, 2);";

async fn ask(client: &Client, flags: Value) -> (u16, Value) {
    let body = json!({ "question": QUESTION, "id": ID, "today": "2024-04-01", "flags": flags });
    let answer = client.post("/api/v1/query", body.to_string()).await;
    (answer.status.as_u16(), answer.json())
}

async fn correct(client: &Client, asked: &Value, correction: Value) -> (u16, Value) {
    let flags = json!({ "confirm_joins": true });
    let id = &asked["clarification_id"];
    let body = json!({ "clarification_id": id, "correction": correction, "flags": flags });
    let answer = client.post("/api/v1/query/correct", body.to_string()).await;
    (answer.status.as_u16(), answer.json())
}

async fn start() -> (Client, SqliteFile) {
    let file = SqliteFile::new(ORDERS);
    (Client::start(&file.config(&[])).await, file)
}

/// The question about the joins, which must be the only one.
fn planned(asked: &(u16, Value)) -> &Value {
    let (status, asked) = asked;
    assert_eq!((*status, &asked["outcome"]), (202, &json!("needs_clarification")), "{asked}");
    assert_eq!(asked["view"]["state"], "awaiting_correction", "{asked}");
    assert_eq!(asked["view"]["result"], Value::Null, "nothing has run: {asked}");
    let questions = asked["questions"].as_array().unwrap();
    assert_eq!(questions.len(), 1, "{asked}");
    &questions[0]
}

fn sql(answered: &(u16, Value)) -> &str {
    let (status, answered) = answered;
    assert_eq!((*status, &answered["outcome"]), (200, &json!("answered")), "{answered}");
    answered["view"]["sql"].as_str().unwrap()
}

// Promise: http.confirmed-joins
#[tokio::test]
async fn planned_joins_wait_for_a_confirmation_in_a_state_that_is_told() {
    let (client, _file) = start().await;
    let asked = ask(&client, json!({ "confirm_joins": true })).await;
    let question = planned(&asked);
    assert_eq!(question["question"], "Is orders.customer_id = customers.id right?");
    assert_eq!(question["ambiguity"], "join");
    let status = client.get(&format!("/api/v1/query/{ID}")).await.ok(202);
    assert_eq!(status["view"]["state"], "awaiting_correction", "{status}");
    let heard = Events::open(&client, &format!("{ID}/events"), 0).await.all().await;
    let states: Vec<&str> = heard.iter().filter_map(|event| event.data["state"].as_str()).collect();
    assert_eq!(states, ["query_understanding", "inferring_joins", "awaiting_correction"]);
    let body = json!({
        "clarification_id": asked.1["clarification_id"],
        "answers": [{
            "clarification_id": question["id"],
            "answer": { "type": "option", "option_id": question["options"][0]["id"] },
        }],
        "flags": { "confirm_joins": true },
    });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert!(sql(&(200, answered)).contains("customer_id"));
}

// Promise: http.confirmed-joins
#[tokio::test]
async fn planned_joins_are_corrected_or_refused_before_a_statement_is_written() {
    let (client, _file) = start().await;
    let asked = ask(&client, json!({ "confirm_joins": true })).await;
    let unknown = json!({ "type": "text", "text": "join orders.id with customers.id" });
    let (status, unused) = correct(&client, &asked.1, unknown).await;
    assert_eq!((status, &unused["code"]), (422, &json!("correction_unused")), "{unused}");
    let refused = json!({ "type": "column", "rejected_columns": [{ "table": "orders", "column": "customer_id" }] });
    let again = correct(&client, &asked.1, refused).await;
    assert_eq!(planned(&again)["question"], "Is orders.payer_id = customers.id right?");
    let named = json!({ "type": "text", "text": "join orders.payer_id with customers.id" });
    let answered = correct(&client, &again.1, named).await;
    assert!(sql(&answered).contains("payer_id"), "{answered:?}");
    assert_eq!(answered.1["view"]["result"]["rows"], json!([["Bob", 3]]), "{answered:?}");
}

#[tokio::test]
async fn joins_are_confirmed_only_where_that_is_wanted() {
    let (client, _file) = start().await;
    assert!(sql(&ask(&client, json!({})).await).contains("JOIN"));
    let (client, file) = start().await;
    let skipped = json!({ "confirm_joins": true, "clarification": false });
    assert!(sql(&ask(&client, skipped).await).contains("JOIN"));
    let settings = file.file("settings.toml", "confirm_joins = true\nrounds = 0\n");
    let asks = SqliteFile::new(ORDERS);
    let client = Client::start(&asks.config(&["--settings", settings.to_str().unwrap()])).await;
    planned(&ask(&client, json!({})).await);
    let body = json!({ "question": "how many orders are there" });
    client.post("/api/v1/query", body.to_string()).await.ok(200);
}
