//! Questions that a client read with an engine of its own, as the page does.

use serde_json::{Value, json};
use wherefore_proxy::identity::Identity;

use crate::support::{Client, SHOP, SqliteFile};

const PERSON: &str = "someone-0123456789";
const KEY: &str = "question-0123456789";

/// A report of a question that waits for an answer about "recent".
fn waiting() -> Value {
    json!({
        "id": KEY, "thread": "thread-0123456789", "person": PERSON,
        "question": "show me recent orders", "outcome": "needs_clarification", "rounds": 1,
        "asked_ms_ago": 20, "ended_ms_ago": 10, "working_ms": 5,
        "decisions": [{
            "id": "c_1", "ambiguity": "vague_term", "phrase": "recent", "asked": true,
        }],
    })
}

/// A report of the same question, answered.
fn answered() -> Value {
    let mut report = waiting();
    report["outcome"] = json!("answered");
    report["sql"] = json!("SELECT 1");
    report["row_count"] = json!(4);
    report["asked_ms_ago"] = json!(90_000);
    report["decisions"][0]["source"] = json!("user");
    report["decisions"][0]["meaning"] = json!("the last 90 days");
    report["decisions"][0]["choice"] = json!("90_days");
    report
}

async fn client(more: &[&str]) -> (SqliteFile, Client) {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(more)).await;
    (file, client)
}

async fn record(client: &Client, report: &Value) -> Value {
    client.post("/api/v1/query/record", report.to_string()).await.ok(200)
}

async fn history(client: &Client) -> Value {
    client.get(&format!("/api/v1/history?person={PERSON}")).await.ok(200)["questions"].clone()
}

// Promise: http.marks
#[tokio::test]
async fn a_clarification_of_a_reported_question_is_marked_by_the_id_of_the_client() {
    let (_file, client) = client(&[]).await;
    record(&client, &waiting()).await;
    let mark = async |id: &str, person: &str| {
        let body = json!({ "id": id, "about": "c_1", "mark": "needless", "person": person });
        client.post("/api/v1/query/mark", body.to_string()).await.status.as_u16()
    };
    assert_eq!(mark(KEY, "someone-else-9876543210").await, 404, "of another person");
    assert_eq!(mark("question-9876543210", PERSON).await, 404);
    assert_eq!(mark(KEY, PERSON).await, 204);
    // A later report of the question keeps the mark.
    record(&client, &answered()).await;
    let figures = client.get("/api/v1/figures").await.ok(200);
    assert_eq!(figures["all"]["ambiguities"][0]["needless"], 1, "{figures}");
    let memory = client.get(&format!("/api/v1/memory/{PERSON}")).await.ok(200);
    assert_eq!(memory["needless"][0]["phrase"], "recent");
}

// Promise: history.page-corrections
#[tokio::test]
async fn the_texts_and_corrections_of_a_reported_question_are_kept() {
    let (_file, client) = client(&[]).await;
    record(&client, &answered()).await;
    let question = json!(["show me recent orders"]);
    let past = history(&client).await[0].clone();
    assert_eq!((&past["said"], &past["corrections"]), (&question, &json!([])));
    let mut report = answered();
    report["said"] = json!(["show me orders", "only recent ones"]);
    report["corrections"] = json!([{ "type": "text", "text": "no, I meant customers" }]);
    record(&client, &report).await;
    let past = history(&client).await[0].clone();
    assert_eq!(past["said"], report["said"]);
    assert_eq!(past["corrections"], report["corrections"]);
    for (field, value, pointer) in [
        ("said", json!(["a\u{0}"]), "/said/0"),
        ("said", json!(vec!["a"; 101]), "/said"),
        ("corrections", json!(vec![report["corrections"][0].clone(); 101]), "/corrections"),
    ] {
        let mut report = answered();
        report[field] = value;
        let answer = client.post("/api/v1/query/record", report.to_string()).await;
        assert_eq!(answer.problem(422, "invalid_record")["pointer"], pointer);
    }
}

// Promise: history.page
#[tokio::test]
async fn a_reported_question_counts_once_like_one_by_http() {
    let (_file, client) = client(&[]).await;
    let first = record(&client, &waiting()).await;
    assert_eq!(history(&client).await[0]["status"], "pending_clarification");
    for _ in 0..2 {
        assert_eq!(record(&client, &answered()).await, first);
    }
    let history = history(&client).await;
    let [past] = history.as_array().unwrap().as_slice() else { panic!("{history}") };
    assert_eq!((&past["id"], &past["thread_id"]), (&first["id"], &first["thread_id"]));
    assert_eq!((&past["status"], &past["outcome"]), (&json!("completed"), &json!("answered")));
    assert_eq!((&past["sql"], &past["row_count"]), (&json!("SELECT 1"), &json!(4)));
    let decided = json!([{ "phrase": "recent", "meaning": "the last 90 days", "source": "user" }]);
    assert_eq!(past["clarifications"], decided);
    let figures = client.get("/api/v1/figures").await.ok(200)["all"].clone();
    assert_eq!((&figures["questions"], &figures["asked_back"]), (&json!(1), &json!(1.0)));
    assert_eq!(figures["choices"][0]["choice"], "90_days");
    let next = json!({
        "question": "how many customers are there", "thread_id": first["thread_id"],
        "person": PERSON,
    });
    let next = client.post("/api/v1/query", next.to_string()).await.ok(200);
    assert_eq!(next["thread_id"], first["thread_id"], "its thread is one of the history");
}

#[tokio::test]
async fn a_question_answered_before_its_first_report_was_asked_back_all_the_same() {
    let (_file, client) = client(&[]).await;
    record(&client, &answered()).await;
    let figures = client.get("/api/v1/figures").await.ok(200)["all"].clone();
    assert_eq!(figures["ambiguities"][0]["asked"], 1);
}

#[tokio::test]
async fn a_cancelled_question_is_abandoned() {
    let (_file, client) = client(&[]).await;
    let mut report = waiting();
    report["outcome"] = Value::Null;
    record(&client, &report).await;
    assert_eq!(history(&client).await[0]["status"], "abandoned");
}

#[tokio::test]
async fn the_same_id_of_another_owner_is_another_question() {
    let (_file, client) = client(&[]).await;
    let first = record(&client, &waiting()).await;
    let mut report = answered();
    report["person"] = json!("another-0123456789");
    assert_ne!(record(&client, &report).await["id"], first["id"]);
    assert_eq!(history(&client).await[0]["status"], "pending_clarification");
    let request = axum::http::Request::post("/api/v1/query/record")
        .header("content-type", "application/json")
        .extension(Identity { tenant: "elsewhere".into(), user: None });
    let body = axum::body::Body::from(answered().to_string());
    client.send(request.body(body).unwrap()).await.problem(403, "unknown_tenant");
}

#[tokio::test]
async fn reports_that_are_too_large_or_malformed_are_refused_with_their_place() {
    let (_file, client) = client(&[]).await;
    let long = "a".repeat(5_000);
    for (pointer, value, code) in [
        ("/id", json!("short"), "invalid_id"),
        ("/thread", json!("short"), "invalid_id"),
        ("/question", json!(" "), "invalid_record"),
        ("/question", json!(long), "invalid_record"),
        ("/question", json!("a\u{7}"), "question_control_characters"),
        ("/sql", json!("a".repeat(70_000)), "invalid_record"),
        ("/problem", json!("a\0"), "invalid_record"),
        ("/decisions/0/phrase", json!(long), "invalid_record"),
        ("/decisions/0/meaning", json!(long), "invalid_record"),
        ("/person", json!("me"), "other_person"),
    ] {
        let mut report = answered();
        report["problem"] = json!("p");
        *report.pointer_mut(pointer).unwrap() = value;
        let answer = client.post("/api/v1/query/record", report.to_string()).await;
        let status = if code == "other_person" { 403 } else { 422 };
        assert_eq!(answer.problem(status, code)["pointer"], pointer);
    }
    let mut report = answered();
    report["decisions"] = json!(vec![report["decisions"][0].clone(); 101]);
    let answer = client.post("/api/v1/query/record", report.to_string()).await;
    assert_eq!(answer.problem(422, "invalid_record")["pointer"], "/decisions");
    for (field, value) in [("outcome", json!("good")), ("rounds", json!(-1)), ("rows", json!(1))] {
        let mut report = answered();
        report[field] = value;
        let answer = client.post("/api/v1/query/record", report.to_string()).await;
        answer.problem(400, "invalid_request");
    }
    assert_eq!(history(&client).await, json!([]));
}

#[tokio::test]
async fn a_client_with_an_engine_of_its_own_takes_part_in_an_experiment() {
    let file = SqliteFile::new(SHOP);
    let experiment = "name = 'asking'\n[[variants]]\nname = 'never'\nshare = 1\n\
         settings = { enable_clarification = false }\n";
    let path = file.file("experiment.toml", experiment);
    let client = Client::start(&file.config(&["--experiments", path.to_str().unwrap()])).await;
    let asks = async |path: &str| {
        let catalog = client.get(&format!("/api/v1/catalog{path}")).await.ok(200);
        catalog["settings"]["enable_clarification"].clone()
    };
    assert_eq!(asks("").await, true);
    assert_eq!(asks(&format!("?person={PERSON}")).await, false);
    record(&client, &answered()).await;
    let figures = client.get("/api/v1/figures").await.ok(200);
    assert_eq!(figures["variants"][0]["variant"], "never");
    assert_eq!(figures["variants"][0]["figures"]["questions"], 1);
}

#[tokio::test]
async fn no_text_of_a_reported_question_is_kept_where_no_history_is_wanted() {
    let (_file, client) = client(&["--history-days", "0"]).await;
    record(&client, &answered()).await;
    assert_eq!(history(&client).await, json!([]));
    let figures = client.get("/api/v1/figures").await.ok(200)["all"].clone();
    assert_eq!(figures["questions"], 1);
    assert_eq!(figures["ambiguities"][0]["phrase"], Value::Null);
}
