//! Questions over HTTP: answers, clarifications, expired and repeated answers.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

/// Runs a check on both databases.
async fn on_both(check: impl AsyncFn(&Client)) {
    let file = SqliteFile::new(SHOP);
    check(&Client::start(&file.config(&[])).await).await;
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    check(
        &Client::start(&config(file.folder.path(), &["--database", &cluster.url("asker")])).await,
    )
    .await;
}

async fn answer(client: &Client, id: &Value, answers: Value) -> crate::support::client::Answer {
    let body = json!({ "clarification_id": id, "answers": answers });
    client.post("/api/v1/query/clarify", body.to_string()).await
}

fn first_option(asked: &Value) -> Value {
    let question = &asked["questions"][0];
    json!([{
        "clarification_id": question["id"],
        "answer": { "type": "option", "option_id": question["options"][0]["id"] },
    }])
}

#[tokio::test]
async fn a_clear_question_is_answered_at_once() {
    on_both(async |client| {
        let answered = client.ask("how many customers are in Brazil").await.ok(200);
        assert_eq!(answered["outcome"], "answered");
        assert_eq!(answered["view"]["result"]["rows"], json!([[2]]));
        assert!(answered["view"]["sql"].as_str().unwrap().contains("'Brazil'"), "{answered}");
    })
    .await;
}

#[tokio::test]
async fn a_vague_question_is_asked_back_and_its_answer_is_in_the_statement() {
    on_both(async |client| {
        let asked = client.ask("show me recent orders").await.ok(202);
        assert_eq!(asked["outcome"], "needs_clarification");
        let id = &asked["clarification_id"];
        assert!(id.as_str().unwrap().strip_prefix("clf_").unwrap().len() == 32, "{id}");
        assert!(asked["steps"].as_array().unwrap().len() <= 5);
        let options = asked["questions"][0]["options"].as_array().unwrap();
        let days =
            options.iter().find(|option| option["label"].as_str().unwrap().contains("90")).unwrap();
        let answers = json!([{
            "clarification_id": asked["questions"][0]["id"],
            "answer": { "type": "option", "option_id": days["id"] },
        }]);
        let answered = answer(client, id, answers.clone()).await.ok(200);
        assert_eq!(answered["outcome"], "answered");
        assert!(answered["view"]["sql"].as_str().unwrap().contains("2024-01-0"), "{answered}");
        assert_eq!(answer(client, id, answers).await.ok(200), answered, "it is fetched again");
        let other = json!([{
            "clarification_id": asked["questions"][0]["id"],
            "answer": { "type": "best_guess" },
        }]);
        let problem = answer(client, id, other).await.problem(409, "already_answered");
        assert_eq!(problem["question"], "show me recent orders");
    })
    .await;
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused_with_their_place() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = client.ask("show me recent orders").await.ok(202);
    let id = &asked["clarification_id"];
    let question = &asked["questions"][0]["id"];
    let option = |question: &Value, option: &str| json!([{ "clarification_id": question, "answer": { "type": "option", "option_id": option } }]);
    let problem = answer(&client, id, option(question, "no such option"))
        .await
        .problem(422, "invalid_answer");
    assert_eq!(problem["pointer"], "/answers/0/answer");
    assert_eq!(problem["question"], "show me recent orders");
    let problem = answer(&client, id, option(&json!("nothing"), "a"))
        .await
        .problem(422, "unknown_clarification");
    assert_eq!(problem["pointer"], "/answers/0/clarification_id");
    answer(&client, id, json!([])).await.problem(422, "no_answers");
    answer(&client, id, json!([{ "clarification_id": question, "answer": { "type": "guess" } }]))
        .await
        .problem(400, "invalid_request");
    answer(&client, id, first_option(&asked)).await.ok(200);
}

#[tokio::test]
async fn a_negative_number_is_refused_where_no_stored_one_is_negative() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = client.ask("orders with a high total").await.ok(202);
    let question = &asked["questions"][0];
    assert_eq!(question["custom"]["minimum"], 10.5, "{question}");
    let answer = |value: f64| {
        let answer = json!({
            "clarification_id": question["id"], "answer": { "type": "number", "value": value },
        });
        json!({ "clarification_id": asked["clarification_id"], "answers": [answer] }).to_string()
    };
    let problem = client.post("/api/v1/query/clarify", answer(-5.0)).await;
    let problem = problem.problem(422, "invalid_answer");
    assert_eq!(problem["pointer"], "/answers/0/answer", "{problem}");
    client.post("/api/v1/query/clarify", answer(5.0)).await.ok(200);
}

#[tokio::test]
async fn a_late_answer_keeps_the_question() {
    let file = SqliteFile::new(SHOP);
    let mut client = Client::start(&file.config(&[])).await;
    client.set_session_lifetime(Duration::ZERO);
    let asked = client.ask("show me recent orders").await.ok(202);
    for _ in 0..2 {
        let late = answer(&client, &asked["clarification_id"], first_option(&asked)).await;
        let problem = late.problem(410, "clarification_expired");
        assert_eq!(problem["question"], "show me recent orders");
        client.state.store.sweep(90).await.unwrap();
    }
}

#[tokio::test]
async fn any_proxy_on_the_store_takes_the_answer_and_only_one_does() {
    let file = SqliteFile::new(SHOP);
    let (first, second) =
        (Client::start(&file.config(&[])).await, Client::start(&file.config(&[])).await);
    let asked = first.ask("show me recent orders").await.ok(202);
    let id = &asked["clarification_id"];
    let other = json!([{
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "best_guess" },
    }]);
    let (left, right) =
        tokio::join!(answer(&first, id, first_option(&asked)), answer(&second, id, other));
    let mut statuses = [left.status.as_u16(), right.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn what_cannot_be_answered_says_so() {
    on_both(async |client| {
        let refused = client.ask("delete all customers").await.ok(200);
        assert_eq!(refused["outcome"], "out_of_scope");
        assert_eq!(refused["view"]["result"], Value::Null);
        let count = client.ask("how many customers").await.ok(200);
        assert_eq!(count["view"]["result"]["rows"], json!([[4]]));
    })
    .await;
}

#[tokio::test]
async fn clarification_can_be_skipped() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let body = json!({ "question": "show me recent orders", "today": "2024-04-01", "skip_clarification": true });
    let answered = client.post("/api/v1/query", body.to_string()).await.ok(200);
    assert_eq!(answered["outcome"], "answered");
    assert!(!answered["view"]["assumptions"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_database_that_vanishes_costs_neither_the_question_nor_the_answer() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = client.ask("show me recent orders").await.ok(202);
    let id = &asked["clarification_id"];
    let away = file.folder.path().join("away");
    std::fs::rename(&file.path, &away).unwrap();
    let problem = client.ask("how many customers").await.problem(503, "database_unavailable");
    assert_eq!(problem["question"], "how many customers");
    assert_eq!(problem["outcome"], "execution_failed");
    assert!(problem["sql"].as_str().unwrap().contains("count"), "{problem}");
    assert_eq!(problem["retryable"], true);
    answer(&client, id, first_option(&asked)).await.problem(503, "database_unavailable");
    std::fs::rename(&away, &file.path).unwrap();
    answer(&client, id, first_option(&asked)).await.ok(200);
}

#[tokio::test]
async fn without_a_database_statements_are_written_and_not_run() {
    let file = SqliteFile::new("");
    let path = file.file("shop.sql", SHOP);
    let client =
        Client::start(&config(file.folder.path(), &["--catalog", path.to_str().unwrap()])).await;
    let answered = client.ask("how many customers").await.ok(200);
    assert!(answered["view"]["sql"].as_str().unwrap().contains("customers"), "{answered}");
    assert_eq!(answered["view"]["result"], Value::Null);
    assert_eq!(answered["view"]["notes"][0]["kind"], "not_run");
}
