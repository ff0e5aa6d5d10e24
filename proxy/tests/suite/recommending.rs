//! How readily people are asked and what is recommended to them: marks, earlier choices, settings, experiments.

use std::time::Duration;

use serde_json::{Value, json};

use wherefore_proxy::startup::start;

use crate::support::{Client, SHOP, SqliteFile};

const PERSON: &str = "someone-0123456789";

async fn recent(client: &Client, person: &str) -> (u16, Value) {
    let body =
        json!({ "question": "show me recent orders", "today": "2024-04-01", "person": person });
    let answer = client.post("/api/v1/query", body.to_string()).await;
    (answer.status.as_u16(), answer.json())
}

async fn answer(client: &Client, asked: &Value, answer: Value) -> Value {
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{ "clarification_id": asked["questions"][0]["id"], "answer": answer }],
    });
    client.post("/api/v1/query/clarify", body.to_string()).await.ok(200)
}

async fn mark(client: &Client, asked: &Value, mark: &str) {
    let about = &asked["questions"][0]["id"];
    let body =
        json!({ "clarification_id": asked["clarification_id"], "about": about, "mark": mark });
    assert_eq!(client.post("/api/v1/query/mark", body.to_string()).await.status, 204);
}

// Promise: memory.needless
#[tokio::test]
async fn what_was_marked_as_needless_twice_is_no_longer_asked() {
    for history in ["90", "0"] {
        let file = SqliteFile::new(SHOP);
        let client = Client::start(&file.config(&["--history-days", history])).await;
        let person = (history == "0").then_some(PERSON);
        for _ in 0..2 {
            let (status, asked) = recent(&client, PERSON).await;
            assert_eq!(status, 202);
            answer(&client, &asked, json!({ "type": "best_guess" })).await;
            // The same mark again counts once.
            for _ in 0..2 {
                let body = json!({
                    "clarification_id": asked["clarification_id"], "mark": "needless",
                    "about": asked["questions"][0]["id"], "person": person,
                });
                let marked = client.post("/api/v1/query/mark", body.to_string()).await;
                assert_eq!(marked.status, 204);
            }
        }
        let (status, answered) = recent(&client, PERSON).await;
        assert_eq!(status, 200, "{answered}");
        let assumption = &answered["view"]["assumptions"][0];
        assert_eq!(assumption["source"], "best_guess");
        let reason = &assumption["from_memory"]["reason"];
        assert_eq!(reason, "you marked this question as needless 2 times");
        let (status, _) = recent(&client, "someone-else-9876543210").await;
        assert_eq!(status, 202, "marks of one person hold for nobody else");
        let path = format!("/api/v1/memory/{PERSON}");
        let memory = client.get(&path).await.ok(200);
        let marked = &memory["needless"][0];
        assert_eq!((&marked["phrase"], &marked["marks"]), (&json!("recent"), &json!(2)));
        let memory = client.put(&path, memory.to_string()).await.ok(200);
        let id = memory["needless"][0]["id"].as_str().expect("an id is text");
        assert_eq!(client.delete(&format!("{path}/{id}")).await.status, 204);
        assert_eq!(recent(&client, PERSON).await.0, 202);
    }
}

#[tokio::test]
async fn a_mark_as_helpful_takes_one_as_needless_back() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let (_, asked) = recent(&client, PERSON).await;
    mark(&client, &asked, "needless").await;
    mark(&client, &asked, "helpful").await;
    let memory = client.get(&format!("/api/v1/memory/{PERSON}")).await.ok(200);
    assert_eq!(memory["needless"], Value::Null);
}

// Promise: memory.recommended
#[tokio::test]
async fn what_a_person_chose_before_is_recommended_with_the_reason() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let (_, asked) = recent(&client, PERSON).await;
    assert_eq!(asked["questions"][0]["recommended"], "30_days");
    answer(&client, &asked, json!({ "type": "option", "option_id": "90_days" })).await;
    let (_, asked) = recent(&client, PERSON).await;
    let question = &asked["questions"][0];
    assert_eq!(question["recommended"], "90_days");
    let reason = question["reason"].as_str().expect("a reason is text");
    assert!(reason.ends_with("you chose “the last 90 days” before"), "{reason}");
    let answered = answer(&client, &asked, json!({ "type": "best_guess" })).await;
    assert_eq!(answered["view"]["assumptions"][0]["chosen"]["id"], "90_days");
}

// Promise: memory.recommended-by-others
#[tokio::test]
async fn what_others_of_the_tenant_choose_most_is_recommended_to_who_has_not_chosen() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    for number in 0..3 {
        let (_, asked) = recent(&client, &format!("someone-000000000{number}")).await;
        assert_eq!(asked["questions"][0]["recommended"], "30_days", "fewer than three choices");
        answer(&client, &asked, json!({ "type": "option", "option_id": "7_days" })).await;
    }
    // What was chosen is read again after a moment.
    for _ in 0..100 {
        let (_, asked) = recent(&client, PERSON).await;
        let question = &asked["questions"][0];
        if question["recommended"] == "7_days" {
            let reason = question["reason"].as_str().expect("a reason is text");
            assert!(reason.ends_with("“the last 7 days” is chosen most here, 3 of 3 times"));
            let for_clients = client.get("/api/v1/choices").await.ok(200);
            let chosen = json!({
                "ambiguity": "vague_term", "phrase": "recent", "option_id": "7_days", "times": 3,
            });
            assert_eq!(for_clients, json!({ "chosen": [chosen] }));
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("what others chose is never recommended");
}

// Promise: asking.person-settings
#[tokio::test]
async fn a_person_sets_how_they_are_asked() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let path = format!("/api/v1/memory/{PERSON}/settings");
    assert_eq!(client.get(&path).await.ok(200), json!({}));
    let seldom = json!({ "asking": "seldom", "rounds": 1 });
    assert_eq!(client.put(&path, seldom.to_string()).await.ok(200), seldom);
    let (status, answered) = recent(&client, PERSON).await;
    assert_eq!(status, 200, "{answered}");
    assert_eq!(answered["view"]["assumptions"][0]["source"], "default");
    assert_eq!(recent(&client, "someone-else-9876543210").await.0, 202);
    // Forgetting what was chosen changes no settings.
    assert_eq!(client.delete(&format!("/api/v1/memory/{PERSON}")).await.status, 204);
    assert_eq!(client.get(&path).await.ok(200), seldom);
    for (wrong, pointer) in [
        (json!({ "rounds": 21 }), "/rounds"),
        (json!({ "questions_per_round": 0 }), "/questions_per_round"),
    ] {
        let problem = client.put(&path, wrong.to_string()).await.problem(400, "invalid_request");
        assert_eq!(problem["pointer"], pointer);
    }
    client.put(&path, "{ \"asking\": \"never\" }").await.problem(400, "invalid_request");
    assert_eq!(client.put(&path, "{}").await.ok(200), json!({}));
    assert_eq!(recent(&client, PERSON).await.0, 202);
}

// Promise: asking.settings-file
#[tokio::test]
async fn a_file_sets_how_everyone_is_asked_and_is_checked_at_the_start() {
    let file = SqliteFile::new(SHOP);
    let with = |text: &str| {
        let path = file.file("settings.toml", text);
        file.config(&["--settings", path.to_str().expect("the path is text")])
    };
    let client = Client::start(&with("needless_marks = 1\ncorrections = 0\n")).await;
    let (_, asked) = recent(&client, PERSON).await;
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "correction": { "type": "text", "text": "use customers" },
    });
    let refused = client.post("/api/v1/query/correct", body.to_string()).await;
    refused.problem(422, "too_many_corrections");
    mark(&client, &asked, "needless").await;
    assert_eq!(recent(&client, PERSON).await.0, 200, "one mark is enough");
    for (text, part) in [
        ("rounds = 21", "rounds must be between 0 and 20; got 21"),
        ("round = 1", "unknown field `round`"),
        ("row_limit = 5", "row_limit is set by --row-limit"),
        ("asking = 'never'", "asking"),
    ] {
        let error = start(&with(text)).await.err().expect("the settings are faulty").to_string();
        assert!(error.contains(part) && error.contains("settings.toml"), "{error}");
    }
}

// Promise: asking.options-of-a-variant
#[tokio::test]
async fn a_variant_of_an_experiment_offers_other_options_in_another_order() {
    let file = SqliteFile::new(SHOP);
    let path = file.file(
        "experiment.toml",
        "name = 'days'\n[[variants]]\nname = 'long'\nshare = 1\n[[variants.settings.options]]\n\
         phrase = 'recent'\noptions = ['90_days', '30_days']\nonly = true\nrecommended = '90_days'\n",
    );
    let client = Client::start(&file.config(&["--experiments", path.to_str().unwrap()])).await;
    let offered = |asked: &Value| {
        let options = asked["questions"][0]["options"].as_array().expect("options are a list");
        options.iter().map(|option| option["id"].clone()).collect::<Vec<_>>()
    };
    let (_, asked) = recent(&client, PERSON).await;
    assert_eq!(offered(&asked), ["90_days", "30_days"]);
    assert_eq!(asked["questions"][0]["recommended"], "90_days");
    answer(&client, &asked, json!({ "type": "best_guess" })).await;
    // Who is in no variant is offered the usual options.
    let asked = client.ask("show me recent orders").await.ok(202);
    assert_eq!(offered(&asked), ["7_days", "30_days", "90_days"]);
    let figures = client.get("/api/v1/figures").await.ok(200);
    assert_eq!(figures["variants"][0]["variant"], "long");
    assert_eq!(figures["variants"][0]["figures"]["asked_back"], 1.0);
}

// Promise: asking.any-table
#[tokio::test]
async fn any_table_can_be_named_where_the_question_names_none() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = client.ask("show me data").await.ok(202);
    let question = &asked["questions"][0];
    assert_eq!(question["ambiguity"], "intent");
    assert_eq!(question["custom"]["type"], "text");
    let answered = answer(&client, &asked, json!({ "type": "text", "text": "customers" })).await;
    assert!(answered["view"]["sql"].as_str().expect("SQL is text").contains("FROM customers"));
    let asked = client.ask("show me data").await.ok(202);
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "correction": { "type": "table_selection", "selected_table": "customers" },
    });
    let corrected = client.post("/api/v1/query/correct", body.to_string()).await.ok(200);
    assert!(corrected["view"]["sql"].as_str().expect("SQL is text").contains("FROM customers"));
}
