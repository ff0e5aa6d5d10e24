//! Proxies as processes: several on one store, killed during requests, and one with a full disk.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Cluster, Http, SHOP, Serving, SqliteFile};

/// Number of times the proxy is killed.
const KILLS: u32 = 100;
/// Answers that have to come before the store is looked at.
const ENOUGH: usize = 50;

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

/// Ids of all questions in the history.
fn history(client: &Http) -> Vec<String> {
    let (mut ids, mut before) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("history?limit=200{before}")).expect(200);
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
    let (one, other) = (
        Serving::start(file.folder.path(), &options),
        Serving::start(file.folder.path(), &options),
    );
    let (first, second) = (one.http(), other.http());
    let asked = first.post("query", &recent()).expect(202);
    let answered = second.post("query/clarify", &answer(&asked)).expect(200);
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(first.post("query/clarify", &answer(&asked)).expect(200), answered);
    let mut other_answer = answer(&asked);
    other_answer["answers"][0]["answer"] = json!({ "type": "best_guess" });
    first.post("query/clarify", &other_answer).expect(409);
    let past = first.get(&format!("history/{}", asked["id"].as_str().unwrap())).expect(200);
    assert_eq!(past["sql"], answered["view"]["sql"]);
    let with_id = json!({ "question": "how many customers", "id": "request-0123456789" });
    let counted = second.post("query", &with_id).expect(200);
    assert_eq!(first.post("query", &with_id).expect(200), counted);
    other.kill();
    let last = asked["questions"][0]["options"].as_array().unwrap().last().unwrap();
    let change = json!({ "id": asked["id"], "answer": {
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "option", "option_id": last["id"] },
    }});
    let changed = first.post("query/change", &change).expect(200);
    assert_ne!(changed["view"]["sql"], answered["view"]["sql"]);
}

// Promise: security.nothing-lost
#[test]
fn a_proxy_killed_while_it_answers_loses_nothing_that_was_acknowledged() {
    let file = SqliteFile::new(SHOP);
    let store = file.folder.path().join("store.sqlite");
    let (store, database) = (store.to_str().unwrap(), file.path.to_str().unwrap());
    let options = ["--store", store, "--database", database];
    let mut acknowledged = BTreeMap::new();
    let mut turn = 0;
    // On a slow machine few answers come before a process is killed.
    while turn < KILLS || acknowledged.len() <= ENOUGH && turn < 10 * KILLS {
        turn += 1;
        let process = Serving::start(file.folder.path(), &options);
        let client = process.http();
        let asking = std::thread::spawn(move || {
            let mut replies = Vec::new();
            for number in 0.. {
                let mut body = match number % 2 {
                    0 => recent(),
                    _ => json!({ "question": "how many customers are there" }),
                };
                body["id"] = json!(format!("request-{turn:04}-{number:06}"));
                let Some(reply) = client.try_post("query", &body) else { break };
                assert!(reply.status < 300, "{}", reply.body);
                replies.push((body, reply.status, reply.body));
            }
            replies
        });
        // A different delay each time, from before the first response until there are some.
        std::thread::sleep(Duration::from_millis(u64::from(turn * 7 % 60)));
        process.kill();
        for (body, status, reply) in asking.join().unwrap() {
            acknowledged.insert(reply["id"].as_str().unwrap().to_owned(), (body, status, reply));
        }
    }
    assert!(acknowledged.len() > ENOUGH, "only {} answers came", acknowledged.len());
    let process = Serving::start(file.folder.path(), &options);
    let client = process.http();
    let kept = history(&client);
    let lost: Vec<&String> = acknowledged.keys().filter(|id| !kept.contains(id)).collect();
    assert!(lost.is_empty(), "{} of {} are lost", lost.len(), acknowledged.len());
    for (body, status, reply) in acknowledged.values().take(100) {
        assert_eq!(client.post("query", body).expect(*status), *reply, "it was run again");
        if *status == 202 {
            client.post("query/clarify", &answer(reply)).expect(200);
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
    let process = Serving::start(file.folder.path(), &options);
    let kept = process.http().post("query", &recent()).expect(202);
    process.kill();
    let limited = Serving::start_limited("-f 256", file.folder.path(), &options);
    let client = limited.http();
    let full = (0..500).find_map(|_| {
        let reply = client.post("query", &recent());
        (reply.status != 202).then_some((reply.status, reply.body))
    });
    let (status, problem) = full.expect("the disk is full in the end");
    assert_eq!((status, &problem["code"]), (503, &json!("store_unavailable")), "{problem}");
    assert_eq!(problem["retryable"], true);
    let counted = json!({ "question": "how many customers are there" });
    // A question that ends takes less space than one that waits, so that some may still fit.
    let mut answered = (0..500).map(|_| client.post("query", &counted).expect(200));
    let answered = answered.find(|answered| answered["id"] == Value::Null);
    let answered = answered.expect("what is not kept says so");
    assert_eq!(answered["view"]["result"]["rows"], json!([[4]]));
    // Reports take less space than an answer, so that no answer fits once they do not.
    let report = |at: usize| {
        json!({
            "id": format!("reported-{at:016}"), "question": "x", "outcome": "answered", "rounds": 0,
            "asked_ms_ago": 1, "ended_ms_ago": 0, "working_ms": 1, "decisions": [],
        })
    };
    let full = (0..500).any(|at| client.post("query/record", &report(at)).status == 503);
    assert!(full, "no report fits in the end");
    client.post("query/clarify", &answer(&kept)).expect(503);
    // Each check writes a little, until that does not fit either; a check counts for a while.
    let is_told = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        client.get("ready").status == 503
    });
    assert!(is_told, "the full disk is told in the end");
    limited.kill();
    let process = Serving::start(file.folder.path(), &options);
    process.http().get("ready").expect(200);
    process.http().post("query/clarify", &answer(&kept)).expect(200);
}
