//! Feature flags override defaults in both directions for one question, and are in its trace.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::{Client, Reply, SHOP, SqliteFile, Upstream};

const PERSON: &str = "someone-0123456789";
const HARD: &str = "what ratio of the orders does each status have";
const WRITTEN: &str = r#"{"sql": "SELECT status, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) AS n FROM orders GROUP BY status ORDER BY status", "explanation": "Orders by status."}"#;

async fn ask(client: &Client, question: &str, flags: Value) -> Answer {
    let body = json!({
        "question": question, "today": "2024-04-01", "person": PERSON, "flags": flags,
    });
    client.post("/api/v1/query", body.to_string()).await
}

#[tokio::test]
async fn a_name_that_is_no_flag_is_refused() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let problem = ask(&client, "how many customers", json!({ "compose": true })).await;
    let problem = problem.problem(400, "invalid_request");
    assert!(problem["detail"].as_str().unwrap().contains("compose"), "{problem}");
    let odd = ask(&client, "how many customers", json!({ "composer": "yes" })).await;
    odd.problem(400, "invalid_request");
}

// Promise: asking.off-for-one-question
#[tokio::test]
async fn clarification_is_turned_off_for_one_question_and_on_where_the_server_has_it_off() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = ask(&client, "show me recent orders", json!({})).await.ok(202);
    assert_eq!(asked["trace"]["flags"]["clarification"], true);
    let off = json!({ "clarification": false });
    let answered = ask(&client, "show me recent orders", off).await.ok(200);
    assert_eq!(answered["trace"]["flags"]["clarification"], false);
    assert_eq!(answered["view"]["assumptions"][0]["source"], "best_guess");
    ask(&client, "show me recent orders", json!({})).await.ok(202);
    let silent = file.file(
        "experiment.toml",
        "name = 'silence'\n[[variants]]\nname = 'silent'\nshare = 1.0\n\
         settings = { enable_clarification = false, composer = false }\n",
    );
    let silent = Client::start(&file.config(&["--experiments", silent.to_str().unwrap()])).await;
    let unwritten = ask(&silent, "show me recent orders", json!({})).await.ok(200);
    assert_eq!(unwritten["outcome"], "generation_failed");
    assert_eq!(unwritten["trace"]["variant"], "silent");
    let both = json!({ "clarification": true, "composer": true });
    ask(&silent, "show me recent orders", both).await.ok(202);
}

// Promise: http.flag-names
#[tokio::test]
async fn clarification_is_turned_off_by_each_of_its_names() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    for off in [json!({ "enable_clarification": false }), json!({ "skip_clarification": true })] {
        let answered = ask(&client, "show me recent orders", off).await.ok(200);
        assert_eq!(answered["trace"]["flags"]["clarification"], false);
    }
    let on = json!({ "skip_clarification": false });
    ask(&client, "show me recent orders", on).await.ok(202);
}

#[tokio::test]
async fn the_model_and_the_composer_are_turned_off_and_the_trace_tells_what_was_done() {
    let upstream = Upstream::start([Reply::Stream(WRITTEN.into())]).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let without = ask(&client, HARD, json!({ "model": false })).await.ok(200);
    assert_eq!(without["outcome"], "generation_failed");
    assert_eq!((&without["trace"]["flags"]["model"], upstream.count()), (&json!(false), 0));
    let flags = json!({ "glosses": false, "sketch": false, "value_verification": true });
    let written = ask(&client, HARD, flags).await.ok(200);
    assert_eq!(written["view"]["writer"], "model", "{written}");
    let trace = &written["trace"];
    assert!(!trace["model"].as_array().unwrap().is_empty(), "{trace}");
    assert!(trace["stages_ms"]["writing"].as_f64().unwrap() > 0.0, "{trace}");
    assert!(trace["stages_ms"]["understanding"].as_f64().unwrap() > 0.0, "{trace}");
    assert!(trace["stages_ms"]["running"].as_f64().unwrap() > 0.0, "{trace}");
    assert_eq!(trace["flags"]["glosses"], false);
    assert_eq!(trace["flags"]["value_verification"], true);
    assert_eq!(trace["flags"]["bm25"], true);
    let before = upstream.count();
    let composed = ask(&client, "how many orders are there", json!({})).await.ok(200);
    assert_eq!((&composed["view"]["writer"], upstream.count()), (&json!("composer"), before));
    let composer = json!({ "composer": false });
    let written = ask(&client, "how many orders are there", composer).await.ok(200);
    assert_eq!(written["view"]["writer"], "model", "{written}");
}

#[tokio::test]
async fn without_learning_memory_neither_decides_nor_grows() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let path = format!("/api/v1/memory/{PERSON}");
    let answer = async |flags: Value| {
        let asked = ask(&client, "show me recent orders", flags.clone()).await.ok(202);
        let question = &asked["questions"][0];
        let body = json!({
            "clarification_id": asked["clarification_id"], "person": PERSON, "flags": flags,
            "answers": [{
                "clarification_id": question["id"],
                "answer": { "type": "option", "option_id": question["options"][0]["id"] },
            }],
            "remember": [question["id"]],
        });
        client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
        client.get(&path).await.ok(200)["patterns"].as_array().unwrap().len()
    };
    assert_eq!(answer(json!({ "learning": false })).await, 0);
    assert_eq!(answer(json!({ "learning": true })).await, 1);
    ask(&client, "show me recent orders", json!({})).await.ok(200);
    ask(&client, "show me recent orders", json!({ "learning": false })).await.ok(202);
}
