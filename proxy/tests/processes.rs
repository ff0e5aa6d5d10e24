//! Proxies as processes: several on one store, killed while they answer, and one whose disk is full.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use support::process::ProcessClient;
use support::{Cluster, Process, SHOP, SqliteFile};

/// Times that the proxy is killed.
const KILLS: u32 = 100;

fn recent() -> Value {
    json!({ "question": "show me recent orders", "today": "2024-04-01" })
}

fn first_option(asked: &Value) -> Value {
    let question = &asked["questions"][0];
    json!({
        "clarification_id": question["id"],
        "answer": { "type": "option", "option_id": question["options"][0]["id"] },
    })
}

fn answer(asked: &Value) -> Value {
    json!({ "clarification_id": asked["clarification_id"], "answers": [first_option(asked)] })
}

#[track_caller]
fn expect(status: u16, reply: Option<(u16, Value)>) -> Value {
    let (found, body) = reply.expect("the proxy replies");
    assert_eq!(found, status, "{body}");
    body
}

/// Ids of every question of the history.
fn history(client: &ProcessClient) -> Vec<String> {
    let (mut ids, mut before) = (Vec::new(), String::new());
    loop {
        let page = expect(200, client.get(&format!("history?limit=200{before}")));
        let questions = page["questions"].as_array().unwrap();
        ids.extend(questions.iter().map(|question| question["id"].as_str().unwrap().to_owned()));
        let Some(next) = page["next"].as_str() else { return ids };
        before = format!("&before={next}");
    }
}

#[test]
fn a_question_put_to_one_proxy_is_answered_by_another() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run("CREATE ROLE keeper LOGIN");
    cluster.run("CREATE SCHEMA keeper AUTHORIZATION keeper");
    let file = SqliteFile::new(SHOP);
    let store = cluster.url("keeper");
    let options = ["--store", &store, "--database", file.path.to_str().unwrap()];
    let (one, other) = (Process::start(&options), Process::start(&options));
    let (first, second) = (one.client(), other.client());
    let asked = expect(202, first.post("query", &recent()));
    let answered = expect(200, second.post("query/clarify", &answer(&asked)));
    assert_eq!(answered["outcome"], "answered");
    expect(409, first.post("query/clarify", &answer(&asked)));
    let past = expect(200, first.get(&format!("history/{}", asked["id"].as_str().unwrap())));
    assert_eq!(past["sql"], answered["view"]["sql"]);
    let with_id = json!({ "question": "how many customers", "id": "request-0123456789" });
    let counted = expect(200, second.post("query", &with_id));
    assert_eq!(expect(200, first.post("query", &with_id)), counted);
    other.kill();
    let last = asked["questions"][0]["options"].as_array().unwrap().last().unwrap();
    let change = json!({ "id": asked["id"], "answer": {
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "option", "option_id": last["id"] },
    }});
    let changed = expect(200, first.post("query/change", &change));
    assert_ne!(changed["view"]["sql"], answered["view"]["sql"]);
}

#[test]
fn a_proxy_killed_while_it_answers_loses_nothing_that_was_acknowledged() {
    let file = SqliteFile::new(SHOP);
    let store = file.folder.path().join("store.sqlite");
    let (store, database) = (store.to_str().unwrap(), file.path.to_str().unwrap());
    let options = ["--store", store, "--database", database];
    let mut acknowledged = BTreeMap::new();
    for turn in 0..KILLS {
        let process = Process::start(&options);
        let client = process.client();
        let asking = std::thread::spawn(move || {
            let mut replies = Vec::new();
            for number in 0.. {
                let mut body = match number % 2 {
                    0 => recent(),
                    _ => json!({ "question": "how many customers are there" }),
                };
                body["id"] = json!(format!("request-{turn:04}-{number:06}"));
                let Some((status, reply)) = client.post("query", &body) else { break };
                assert!(status < 300, "{reply}");
                replies.push((body, status, reply));
            }
            replies
        });
        // Another moment each time: from before the first answer until some have come.
        std::thread::sleep(Duration::from_millis(u64::from(turn * 7 % 60)));
        process.kill();
        for (body, status, reply) in asking.join().unwrap() {
            acknowledged.insert(reply["id"].as_str().unwrap().to_owned(), (body, status, reply));
        }
    }
    assert!(acknowledged.len() > 50, "only {} answers came", acknowledged.len());
    let process = Process::start(&options);
    let client = process.client();
    let kept = history(&client);
    let lost: Vec<&String> = acknowledged.keys().filter(|id| !kept.contains(id)).collect();
    assert!(lost.is_empty(), "{} of {} are lost", lost.len(), acknowledged.len());
    for (body, status, reply) in acknowledged.values().take(100) {
        assert_eq!(expect(*status, client.post("query", body)), *reply, "it was run again");
        if *status == 202 {
            expect(200, client.post("query/clarify", &answer(reply)));
        }
    }
    process.kill();
    let connection = rusqlite::Connection::open(store).unwrap();
    let check = connection.query_row("PRAGMA integrity_check", (), |row| row.get::<_, String>(0));
    assert_eq!(check.unwrap(), "ok");
}

#[test]
fn a_full_disk_costs_the_history_but_not_the_answer() {
    let file = SqliteFile::new(SHOP);
    let store = file.folder.path().join("store.sqlite");
    let (store, database) = (store.to_str().unwrap(), file.path.to_str().unwrap());
    let options = ["--store", store, "--database", database];
    let process = Process::start(&options);
    let kept = expect(202, process.client().post("query", &recent()));
    process.kill();
    let limited = Process::start_limited(256, &options);
    let client = limited.client();
    let full = (0..500).find_map(|_| {
        let (status, body) = client.post("query", &recent()).expect("the proxy replies");
        (status != 202).then_some((status, body))
    });
    let (status, problem) = full.expect("the disk is full in the end");
    assert_eq!((status, &problem["code"]), (503, &json!("store_unavailable")), "{problem}");
    assert_eq!(problem["retryable"], true);
    let counted = json!({ "question": "how many customers are there" });
    let answered = expect(200, client.post("query", &counted));
    assert_eq!(answered["view"]["result"]["rows"], json!([[4]]));
    assert_eq!(answered["id"], Value::Null, "it is not kept, and does not say so");
    expect(503, client.post("query/clarify", &answer(&kept)));
    expect(503, client.get("ready"));
    limited.kill();
    let process = Process::start(&options);
    expect(200, process.client().get("ready"));
    expect(200, process.client().post("query/clarify", &answer(&kept)));
}
