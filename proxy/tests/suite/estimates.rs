//! Statements whose estimated rows the caller must accept before they run.

use serde_json::{Value, json};

use crate::support::client::{Answer, execute_as};
use crate::support::{Both, Client, SHOP, SqliteFile};

const CROSS: &str = "SELECT COUNT(*) AS n FROM orders AS a CROSS JOIN orders AS b";
const ID: &str = "question-of-the-test";

/// The body with consent to its estimate.
fn accepted(mut body: Value) -> Value {
    body["accept_estimate"] = json!(true);
    body
}

/// Asserts that a problem says what was not run, and why.
#[track_caller]
fn assert_estimate(problem: &Value, rows: u64, limit: u64) {
    assert_eq!(problem["estimated_rows"], rows, "{problem}");
    assert_eq!(problem["confirm_estimated_rows"], limit, "{problem}");
    assert!(!problem["plan_step"].as_str().unwrap().is_empty(), "{problem}");
    assert!(!problem["sql"].as_str().unwrap().is_empty(), "{problem}");
    assert_eq!(problem["retryable"], false, "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains("accept_estimate"), "{problem}");
}

async fn post(client: &Client, path: &str, body: &Value) -> Answer {
    client.post(&format!("/api/v1/{path}"), body.to_string()).await
}

// Promise: security.accepted-estimate
#[tokio::test]
async fn a_statement_of_many_estimated_rows_runs_once_its_caller_accepts_the_estimate() {
    let more = ["--confirm-estimated-rows", "10", "--max-estimated-rows", "50"];
    // PostgreSQL estimates the rows of a table that was never analysed.
    let statements = format!("{SHOP}; ANALYZE");
    let both = Both::new(&statements, &more).await;
    for client in &both.clients {
        let body = json!({ "sql": CROSS });
        let asked = post(client, "sql/execute", &body).await;
        assert_estimate(&asked.problem(422, "estimate_not_accepted"), 16, 10);
        let file = client.send(execute_as("text/csv", &body)).await;
        assert_estimate(&file.problem(422, "estimate_not_accepted"), 16, 10);
        let ran = post(client, "sql/execute", &accepted(body.clone())).await.ok(200);
        assert_eq!(ran["rows"], json!([[16]]));
        let file = client.send(execute_as("text/csv", &accepted(body))).await;
        assert!(file.text.contains("16"), "{}", file.text);

        let few = json!({ "sql": "SELECT COUNT(*) AS n FROM orders" });
        assert_eq!(post(client, "sql/execute", &few).await.ok(200)["rows"], json!([[4]]));
        let huge = json!({ "sql": format!("{CROSS} CROSS JOIN orders AS c") });
        for body in [accepted(huge.clone()), huge] {
            let refused = post(client, "sql/execute", &body).await;
            refused.problem(422, "too_many_estimated_rows");
        }
    }
}

#[tokio::test]
async fn a_question_goes_on_under_its_id_once_its_estimate_is_accepted() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&["--confirm-estimated-rows", "2"])).await;
    let question = json!({ "question": "how many orders", "id": ID });
    for _ in 0..2 {
        let asked = post(&client, "query", &question).await;
        let problem = asked.problem(422, "estimate_not_accepted");
        assert_estimate(&problem, 4, 2);
        assert_eq!(problem["outcome"], "execution_failed", "{problem}");
    }
    let answered = post(&client, "query", &accepted(question.clone())).await.ok(200);
    assert_eq!(answered["view"]["result"]["rows"], json!([[4]]));
    // The id belongs to the request that ran.
    post(&client, "query", &question).await.problem(422, "id_reused");
}

#[tokio::test]
async fn a_clarification_waits_for_the_same_answer_until_its_estimate_is_accepted() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&["--confirm-estimated-rows", "2"])).await;
    let body = json!({ "question": "how many recent orders", "today": "2024-04-01" });
    let asked = post(&client, "query", &body).await.ok(202);
    let question = &asked["questions"][0];
    let answer = json!({ "type": "option", "option_id": question["options"][0]["id"] });
    let answer = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{ "clarification_id": question["id"], "answer": answer }],
    });
    let problem = post(&client, "query/clarify", &answer).await;
    assert_estimate(&problem.problem(422, "estimate_not_accepted"), 4, 2);
    let answered = post(&client, "query/clarify", &accepted(answer.clone())).await.ok(200);
    assert_eq!(answered["outcome"], "answered");
    post(&client, "query/clarify", &answer).await.problem(409, "already_answered");
}
