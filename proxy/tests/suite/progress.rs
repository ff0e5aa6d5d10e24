//! Running questions: their event streams, and cancellation on the same and another proxy.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::support::client::Answer;
use crate::support::events::Heard;
use crate::support::{
    Client, Cluster, Events, Reply, SHOP, SOON, SqliteFile, Upstream, config, fill,
};

const ID: &str = "question-0123456789";
/// A question that the engine cannot compose a statement for.
const HARD: &str = "what ratio of the orders does each status have";

/// A shop whose customers take very long to count after [`slow_down`].
const TICKETS: &str = "CREATE TABLE tickets (id INTEGER PRIMARY KEY, subject TEXT);
     INSERT INTO tickets VALUES (1, 'late'), (2, 'lost');";

fn slow_down(file: &SqliteFile) {
    fill(
        &file.path,
        "DROP TABLE tickets; CREATE VIEW tickets AS
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT i AS id, 'late' AS subject FROM n",
    );
}

async fn ask(client: &Client, question: &str, id: &str) -> Answer {
    let body = json!({ "question": question, "id": id, "today": "2024-04-01" });
    client.post("/api/v1/query", body.to_string()).await
}

fn asked(client: &Client, question: &'static str, id: &'static str) -> JoinHandle<Answer> {
    let client = client.clone();
    tokio::spawn(async move { ask(&client, question, id).await })
}

async fn cancel(client: &Client, id: &str) -> Answer {
    client.post("/api/v1/query/cancel", json!({ "id": id }).to_string()).await
}

/// Reads events until the statement runs.
async fn until_it_runs(events: &mut Events) -> Vec<Heard> {
    let mut heard = Vec::new();
    loop {
        let event = events.next().await.unwrap();
        assert_eq!(event.name, "progress", "{event:?}");
        heard.push(event.clone());
        if event.data["state"] == "executing_query" {
            return heard;
        }
    }
}

fn check_ids(events: &[Heard]) {
    let ids: Vec<u64> = events.iter().map(|event| event.id).collect();
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
}

// Promise: http.progress
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn states_are_heard_as_they_are_passed_and_a_stopped_question_says_so_to_everyone() {
    let file = SqliteFile::new(TICKETS);
    let client = Client::start(&file.config(&[])).await;
    slow_down(&file);
    let question = asked(&client, "how many tickets are there", ID);
    let mut events = Events::open(&client, &format!("{ID}/events"), 0).await;
    let mut heard = until_it_runs(&mut events).await;
    client.get(&format!("/api/v1/query/{ID}")).await.problem(409, "in_progress");
    let before = Instant::now();
    assert_eq!(cancel(&client, ID).await.status, 204);
    let answer = question.await.unwrap();
    assert!(before.elapsed() < SOON, "it took {:?}", before.elapsed());
    let problem = answer.problem(409, "cancelled");
    assert_eq!((&problem["outcome"], &problem["state"]), (&Value::Null, &json!("cancelled")));
    heard.extend(events.all().await);
    check_ids(&heard);
    let [.., last, done] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(last.data["state"], "cancelled");
    assert_eq!(done.name, "done");
    let told = json!({
        "status": 409, "outcome": null, "code": "cancelled", "answer": format!("/api/v1/query/{ID}"),
    });
    assert_eq!(done.data, told);
    assert_eq!(ask(&client, "how many tickets are there", ID).await.text, answer.text);
    assert_eq!(client.get(&format!("/api/v1/query/{ID}")).await.text, answer.text);
    assert_eq!(cancel(&client, ID).await.status, 204, "stopping twice is stopping once");
    let past = client.get("/api/v1/history").await.ok(200);
    assert_eq!(past["questions"][0]["status"], "abandoned");
}

// Promise: http.progress
#[tokio::test]
async fn a_reader_who_comes_back_hears_what_it_missed_and_nothing_twice() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let answered = ask(&client, "how many customers are in Brazil", ID).await;
    let path = format!("{ID}/events");
    let all = Events::open(&client, &path, 0).await.all().await;
    check_ids(&all);
    let steps = answered.ok(200)["view"]["steps"].as_array().unwrap().clone();
    assert_eq!(all.len(), steps.len() + 1);
    assert!(all.iter().zip(&steps).all(|(event, step)| event.data == *step), "{all:?}");
    assert_eq!(all.last().unwrap().data["outcome"], "answered");
    for heard in 0..all.len() {
        let rest = Events::open(&client, &path, heard as u64).await.all().await;
        assert_eq!(rest, all[heard..]);
    }
    let again = axum::http::Request::get(format!("/api/v1/query/{path}"))
        .header("last-event-id", all.len().to_string());
    let again = client.send(again.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!(again.status, 204, "who heard the end is told to stay away");
    let answer = client.get(all.last().unwrap().data["answer"].as_str().unwrap()).await;
    assert_eq!(answer.text, answered.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_that_are_cut_off_time_and_again_miss_nothing_and_nothing_runs_twice() {
    let upstream = Upstream::start([Reply::Hang]).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let question = asked(&client, HARD, ID);
    let path = format!("{ID}/events");
    let mut heard: Vec<Heard> = Vec::new();
    let mut reads = 0;
    for _ in 0..1_000 {
        let last = heard.last().map_or(0, |event| event.id);
        let mut events = Events::open(&client, &path, last).await;
        let next = tokio::time::timeout(Duration::from_millis(1), events.next()).await;
        heard.extend(next.ok().flatten());
        reads += 1;
    }
    while upstream.hanging() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let drafts = upstream.count();
    cancel(&client, ID).await;
    question.await.unwrap().problem(409, "cancelled");
    let last = heard.last().map_or(0, |event| event.id);
    heard.extend(Events::open(&client, &path, last).await.all().await);
    check_ids(&heard);
    assert_eq!(heard.last().unwrap().name, "done");
    assert_eq!(reads, 1_000);
    assert_eq!(upstream.count(), drafts, "nothing was asked again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_proxy_of_the_store_tells_the_end_and_passes_on_the_stop() {
    let file = SqliteFile::new(TICKETS);
    let one = Client::start(&file.config(&[])).await;
    let other = Client::start(&file.config(&[])).await;
    slow_down(&file);
    let question = asked(&one, "how many tickets are there", ID);
    let mut near = Events::open(&one, &format!("{ID}/events"), 0).await;
    let mut heard = until_it_runs(&mut near).await;
    let far = Events::open(&other, &format!("{ID}/events"), heard.last().unwrap().id).await;
    let before = Instant::now();
    assert_eq!(cancel(&other, ID).await.status, 204);
    question.await.unwrap().problem(409, "cancelled");
    assert!(before.elapsed() < SOON, "it took {:?}", before.elapsed());
    heard.extend(far.all().await);
    check_ids(&heard);
    let done = heard.last().unwrap();
    assert_eq!((done.name.as_str(), &done.data["code"]), ("done", &json!("cancelled")));
    let marks = one.state.store.cancellations().await.unwrap();
    assert!(marks.is_empty(), "a mark that was heeded is gone: {marks:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_reaches_the_model() {
    let upstream = Upstream::start([Reply::Hang]).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let question = asked(&client, HARD, ID);
    while upstream.hanging() < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let before = Instant::now();
    assert_eq!(cancel(&client, ID).await.status, 204);
    question.await.unwrap().problem(409, "cancelled");
    while upstream.hanging() > 0 {
        assert!(before.elapsed() < SOON, "{} sockets", upstream.hanging());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_counts_as_running_after_its_client_left() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked_back = client.ask("how many recent orders are there").await.ok(202);
    fill(
        &file.path,
        "ALTER TABLE orders RENAME TO stored_orders;
         UPDATE stored_orders SET ordered_on = '2024-03-30';
         CREATE VIEW orders AS
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT stored.* FROM stored_orders AS stored, n",
    );
    let asked = &asked_back["questions"][0];
    let id = asked_back["clarification_id"].as_str().unwrap();
    let answer = json!({ "clarification_id": id, "answers": [{
        "clarification_id": asked["id"],
        "answer": { "type": "option", "option_id": asked["options"][0]["id"] },
    }] });
    let question = json!({ "question": "how many orders are there", "id": ID });
    for (path, body, id) in
        [("query", question.to_string(), ID), ("query/clarify", answer.to_string(), id)]
    {
        let asking = {
            let client = client.clone();
            tokio::spawn(async move { client.post(&format!("/api/v1/{path}"), body).await })
        };
        let mut events = Events::open(&client, &format!("{id}/events"), 0).await;
        until_it_runs(&mut events).await;
        asking.abort();
        let early = asking.await.map(|answer| answer.text);
        assert!(early.is_err(), "{path}: {early:?}");
        let limits = &client.state.limits;
        assert_eq!(limits.running(), 1, "{path}");
        assert_eq!(cancel(&client, id).await.status, 204);
        events.all().await;
        while limits.running() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// Waits until this many statements of the proxy run.
async fn until_active(cluster: &Cluster, count: &str, most: Duration) {
    let active = "SELECT count(*) FROM pg_stat_activity \
         WHERE application_name = 'wherefore' AND state <> 'idle'";
    let begun = Instant::now();
    while cluster.run(active) != count {
        assert!(begun.elapsed() < most, "{} run", cluster.run(active));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_reaches_postgres_in_the_first_round_and_in_later_ones() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let client =
        Client::start(&config(folder.path(), &["--database", &cluster.url("asker")])).await;
    let asked_back = client.ask("show me recent orders").await.ok(202);
    cluster.run("ALTER TABLE orders RENAME TO stored_orders");
    cluster.run("CREATE VIEW orders AS SELECT stored.* FROM stored_orders AS stored, pg_sleep(60)");
    let question = asked(&client, "how many orders are there", ID);
    until_active(&cluster, "1", SOON).await;
    assert_eq!(cancel(&client, ID).await.status, 204);
    until_active(&cluster, "0", SOON).await;
    question.await.unwrap().problem(409, "cancelled");
    let id = asked_back["clarification_id"].clone();
    let asked = &asked_back["questions"][0];
    let body = json!({ "clarification_id": id, "answers": [{
        "clarification_id": asked["id"],
        "answer": { "type": "option", "option_id": asked["options"][0]["id"] },
    }] });
    let answering = {
        let (client, body) = (client.clone(), body.to_string());
        tokio::spawn(async move { client.post("/api/v1/query/clarify", body).await })
    };
    until_active(&cluster, "1", SOON).await;
    assert_eq!(cancel(&client, id.as_str().unwrap()).await.status, 204);
    until_active(&cluster, "0", SOON).await;
    answering.await.unwrap().problem(409, "cancelled");
}

// Promise: http.cancel-while-asked
#[tokio::test]
async fn a_question_that_waits_is_closed_by_either_id() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    for by_made_id in [true, false] {
        let made = format!("question-{by_made_id}-0123456789");
        let waiting = ask(&client, "show me recent orders", &made).await.ok(202);
        let id = waiting["clarification_id"].as_str().unwrap();
        let stopped = cancel(&client, if by_made_id { &made } else { id }).await;
        assert_eq!(stopped.status, 204, "{}", stopped.text);
        let asked = &waiting["questions"][0];
        let body = json!({ "clarification_id": id, "answers": [{
            "clarification_id": asked["id"],
            "answer": { "type": "option", "option_id": asked["options"][0]["id"] },
        }] });
        let late = client.post("/api/v1/query/clarify", body.to_string()).await;
        late.problem(410, "clarification_expired");
        let path = format!("/api/v1/history/{}", waiting["id"].as_str().unwrap());
        assert_eq!(client.get(&path).await.ok(200)["status"], "abandoned");
        cancel(&client, id).await.problem(409, "already_ended");
    }
}

#[tokio::test]
async fn ids_that_are_unknown_or_of_others_are_not_found() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let body = json!({
        "question": "show me recent orders", "id": ID, "person": "someone-0123456789",
    });
    client.post("/api/v1/query", body.to_string()).await.ok(202);
    for person in ["", "?person=another-0123456789"] {
        for path in ["", "/events"] {
            let answer = client.get(&format!("/api/v1/query/{ID}{path}{person}")).await;
            answer.problem(404, "unknown_question");
        }
    }
    client.get("/api/v1/query/nothing-0123456789").await.problem(404, "unknown_question");
    cancel(&client, ID).await.problem(404, "unknown_question");
    cancel(&client, "clf_00").await.problem(404, "unknown_question");
    client.get(&format!("/api/v1/query/{ID}?person=someone-0123456789")).await.ok(202);
}

// Promise: http.join-state
#[tokio::test]
async fn joins_that_are_planned_are_a_state_that_is_heard() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let answered = ask(&client, "number of orders per country", ID).await.ok(200);
    assert!(answered["view"]["sql"].as_str().unwrap().contains("JOIN"), "{answered}");
    let heard = Events::open(&client, &format!("{ID}/events"), 0).await.all().await;
    let states: Vec<&str> = heard.iter().filter_map(|event| event.data["state"].as_str()).collect();
    let at = states.iter().position(|state| *state == "inferring_joins").unwrap();
    assert_eq!(states[at + 1], "generating_sql", "{states:?}");
    assert_eq!(heard[at].data["detail"], "joining orders and customers");
}

const WRONG: &str =
    r#"{"sql": "SELECT phase, COUNT(*) * 1.0 / 4 FROM orders GROUP BY phase", "explanation": "x"}"#;
const RIGHT: &str = r#"{"sql": "SELECT status, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY status", "explanation": "x"}"#;

/// States, details and times of the events of writing.
fn written(events: &[Heard]) -> Vec<(String, String)> {
    let mut last = 0;
    let steps = events.iter().filter(|event| event.data["elapsed_ms"].is_u64()).map(|event| {
        let elapsed = event.data["elapsed_ms"].as_u64().unwrap();
        assert!(last <= elapsed, "{events:?}");
        last = elapsed;
        let text = |name: &str| event.data[name].as_str().unwrap().to_owned();
        (text("state"), text("detail"))
    });
    steps.collect()
}

const STEPS: [(&str, &str); 6] = [
    ("generating_sql", "the model writes 1 draft"),
    ("judging", "draft 1 is wrong: N02 unknown column \"phase\""),
    ("repairing", "the model repairs draft 1, attempt 1"),
    ("judging", "draft 2 is sound"),
    ("judging", "the data source plans 1 draft"),
    ("executing_query", "running the statement"),
];

// Promise: models.progress
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drafts_checks_and_repairs_are_heard_with_their_times() {
    let upstream =
        Upstream::start([Reply::Document(WRONG.into()), Reply::Document(RIGHT.into())]).await;
    let file = SqliteFile::new(SHOP);
    let writing = file.file("writing.toml", "drafts = [1, 1, 1]\n");
    let (url, writing) = (upstream.url(), writing.display().to_string());
    let options = ["--llm-url", &url, "--llm-model", "writer", "--writing", &writing];
    let client = Client::start(&file.config(&options)).await;
    let answered = ask(&client, HARD, ID).await.ok(200);
    let heard = Events::open(&client, &format!("{ID}/events"), 0).await.all().await;
    check_ids(&heard);
    let told = written(&heard);
    let told: Vec<(&str, &str)> =
        told.iter().map(|(state, detail)| (state.as_str(), detail.as_str())).collect();
    assert_eq!(told, STEPS[..5], "{heard:?}");
    let steps = answered["view"]["steps"].as_array().unwrap();
    assert!(heard.iter().zip(steps).all(|(event, step)| event.data == *step), "{heard:?}");
    let after = steps.iter().position(|step| step["detail"] == STEPS[5].1).unwrap();
    assert_eq!(steps[after - 1]["detail"], STEPS[4].1);

    // The page, whose engine runs in the browser, only asks for the statement.
    let slow = Reply::Status(429, Some(1));
    upstream.say([slow, Reply::Document(WRONG.into()), Reply::Document(RIGHT.into())]);
    let other = "writing-0123456789";
    let task = json!({ "brief": { "question": HARD, "today": "2024-04-01" }, "id": other });
    let writing = {
        let (client, task) = (client.clone(), task.to_string());
        tokio::spawn(async move { client.post("/api/v1/llm/write_sql", task).await })
    };
    let heard = Events::open(&client, &format!("{other}/events"), 0).await.all().await;
    let told: Vec<String> = written(&heard).into_iter().map(|(_, detail)| detail).collect();
    assert_eq!(told, STEPS[..5].iter().map(|(_, detail)| *detail).collect::<Vec<_>>());
    assert_eq!(heard.last().unwrap().data["status"], 200);
    let answer = writing.await.unwrap().ok(200);
    assert_eq!(answer["progress"].as_array().unwrap().len(), 5, "{answer}");
    let bad = json!({ "brief": { "question": HARD, "today": "2024-04-01" }, "id": "short" });
    client.post("/api/v1/llm/write_sql", bad.to_string()).await.problem(422, "invalid_id");
}

// Promise: http.cancel-writing
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_is_only_written_is_stopped_by_who_hears_its_events() {
    let upstream = Upstream::start([Reply::Hang]).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let task = json!({ "brief": { "question": HARD, "today": "2024-04-01" }, "id": ID });
    let writing = {
        let (client, task) = (client.clone(), task.to_string());
        tokio::spawn(async move { client.post("/api/v1/llm/write_sql", task).await })
    };
    while upstream.hanging() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    client.get(&format!("/api/v1/query/{ID}")).await.problem(409, "in_progress");
    let mut events = Events::open(&client, &format!("{ID}/events"), 0).await;
    let first = events.next().await.unwrap();
    assert_eq!(first.data["state"], "generating_sql", "{first:?}");
    let before = Instant::now();
    assert_eq!(cancel(&client, ID).await.status, 204);
    let refused = writing.await.unwrap();
    refused.problem(409, "cancelled");
    while upstream.hanging() > 0 {
        assert!(before.elapsed() < SOON, "{} sockets", upstream.hanging());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let heard = events.all().await;
    check_ids(&heard);
    let [last, done] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!((&last.name, &last.data["state"]), (&"progress".to_owned(), &json!("cancelled")));
    assert_eq!(done.data["code"], "cancelled", "{heard:?}");
    let answer = client.get(done.data["answer"].as_str().unwrap()).await;
    assert_eq!(answer.text, refused.text);
    assert_eq!(cancel(&client, ID).await.status, 204, "stopping twice is stopping once");
}

// Promise: http.cancel-writing
#[tokio::test]
async fn what_was_written_is_found_where_its_last_event_says() {
    let upstream = Upstream::start([Reply::Document(RIGHT.into())]).await;
    let file = SqliteFile::new(SHOP);
    let url = upstream.url();
    let client = Client::start(&file.config(&["--llm-url", &url, "--llm-model", "writer"])).await;
    let task = json!({ "brief": { "question": HARD, "today": "2024-04-01" }, "id": ID });
    let written = client.post("/api/v1/llm/write_sql", task.to_string()).await;
    written.ok(200);
    let heard = Events::open(&client, &format!("{ID}/events"), 0).await.all().await;
    let done = heard.last().unwrap();
    assert_eq!((done.name.as_str(), &done.data["status"]), ("done", &json!(200)));
    let answer = client.get(done.data["answer"].as_str().unwrap()).await;
    assert_eq!(answer.text, written.text);
    let drafts = upstream.count();
    let again = client.post("/api/v1/llm/write_sql", task.to_string()).await;
    assert_eq!((again.text, upstream.count()), (written.text, drafts), "nothing is written twice");
    cancel(&client, ID).await.problem(409, "already_ended");
}
