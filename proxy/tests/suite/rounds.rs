//! Later rounds of a question: their answers can be fetched again, like that of the first request.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::serving::run;
use crate::support::{Heard, SHOP, Serving, SqliteFile, fill};

const ID: &str = "question-0123456789";
const PERSON: &str = "someone-0123456789";

/// A caller of a running proxy.
struct Caller<'a> {
    program: &'a Serving,
    /// Header line with credentials, if any.
    key: Option<&'a str>,
    /// Query string of a person, if any.
    person: &'a str,
}

impl Caller<'_> {
    fn call(&self, method: &str, path: &str, body: &str) -> Heard {
        let mut headers = vec!["Content-Type: application/json"];
        headers.extend(self.key);
        self.program.call(method, &format!("/api/v1/{path}"), &headers, body)
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value, status: u16) -> Value {
        json_of(&self.call("POST", path, &body.to_string()), status)
    }

    #[track_caller]
    fn answer_of(&self, id: &Value, status: u16) -> Value {
        let path = format!("query/{}{}", id.as_str().unwrap(), self.person);
        json_of(&self.call("GET", &path, ""), status)
    }

    fn ask(&self) -> Value {
        let mut question =
            json!({ "question": "show me recent orders", "today": "2024-04-01", "id": ID });
        if !self.person.is_empty() {
            question["person"] = json!(PERSON);
        }
        self.post("query", &question, 202)
    }
}

#[track_caller]
fn json_of(heard: &Heard, status: u16) -> Value {
    assert_eq!(heard.status, status, "{heard:?}");
    serde_json::from_str(heard.text.split("\r\n\r\n").nth(1).unwrap()).unwrap()
}

/// Answer with one of the options of the first clarification.
fn answer(asked: &Value, option: usize) -> Value {
    let question = &asked["questions"][0];
    json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{
            "clarification_id": question["id"],
            "answer": { "type": "option", "option_id": question["options"][option]["id"] },
        }],
    })
}

fn serving(shop: &SqliteFile, more: &[&str]) -> Serving {
    let options = [&["--database", shop.path.to_str().unwrap()], more].concat();
    Serving::start(shop.folder.path(), &options)
}

/// Answers a question, and fetches the answer again in every way.
fn check_round(caller: &Caller<'_>) {
    let asked = caller.ask();
    let (id, round) = (json!(ID), asked["clarification_id"].clone());
    assert_eq!(caller.answer_of(&id, 202), asked);
    let answered = caller.post("query/clarify", &answer(&asked, 0), 200);
    assert_eq!(answered["outcome"], "answered");
    assert_eq!(caller.answer_of(&id, 200), answered, "by the id of the question");
    assert_eq!(caller.answer_of(&round, 200), answered, "by the id of the round");
    assert_eq!(caller.post("query/clarify", &answer(&asked, 0), 200), answered);
    let other = caller.post("query/clarify", &answer(&asked, 1), 409);
    assert_eq!(other["code"], "already_answered");
    let corrected = json!({
        "clarification_id": round,
        "correction": { "type": "text", "text": "how many customers are there" },
    });
    let other = caller.post("query/correct", &corrected, 409);
    assert_eq!(other["code"], "already_answered");
    assert_eq!(caller.answer_of(&id, 200), answered, "nothing ran again");
}

// Promise: http.answer-again
#[test]
fn an_answer_after_a_clarification_is_fetched_again() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    check_round(&Caller { program: &program, key: None, person: "" });
}

#[test]
fn an_answer_of_a_person_is_fetched_again() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let person = format!("?person={PERSON}");
    check_round(&Caller { program: &program, key: None, person: &person });
}

#[test]
fn an_answer_is_fetched_again_with_the_key_that_asked_and_with_no_other() {
    let shop = SqliteFile::new(SHOP);
    let store = shop.folder.path().join("store.sqlite");
    let [ann, ben] = ["ann", "ben"].map(|user| {
        let added = run(&["key", "add", "--user", user, "--store", store.to_str().unwrap()]);
        let text = String::from_utf8(added.stdout).unwrap();
        format!("Authorization: Bearer {}", text.lines().next().unwrap())
    });
    let program = serving(&shop, &["--auth", "keys"]);
    let own = Caller { program: &program, key: Some(&ann), person: "" };
    check_round(&own);
    let other = Caller { program: &program, key: Some(&ben), person: "" };
    other.answer_of(&json!(ID), 404);
    let id = own.answer_of(&json!(ID), 200)["id"].clone();
    other.answer_of(&id, 404);
    let asked = own.post("query", &json!({ "question": "show me recent orders" }), 202);
    own.post("query/clarify", &answer(&asked, 0), 200);
    other.answer_of(&asked["clarification_id"], 404);
    let stolen = other.post("query/clarify", &answer(&asked, 0), 404);
    assert_eq!(stolen["code"], "unknown_clarification");
}

#[test]
fn the_latest_of_several_rounds_is_fetched() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    let corrected = json!({
        "clarification_id": asked["clarification_id"],
        "correction": { "type": "text", "text": "show me recent orders from Brazil" },
    });
    let second = caller.post("query/correct", &corrected, 202);
    assert_ne!(second["clarification_id"], asked["clarification_id"]);
    assert_eq!(caller.answer_of(&json!(ID), 202), second);
    assert_eq!(caller.post("query/correct", &corrected, 202), second);
    let answered = caller.post("query/clarify", &answer(&second, 0), 200);
    for id in [json!(ID), asked["clarification_id"].clone(), second["clarification_id"].clone()] {
        assert_eq!(caller.answer_of(&id, 200), answered, "{id}");
    }
}

/// Changes the answered question to another option of its first clarification.
fn change(asked: &Value, answered: &Value, option: usize) -> Value {
    json!({ "id": answered["id"], "answer": answer(asked, option)["answers"][0] })
}

// Promise: http.latest-state
#[test]
fn the_answer_of_a_changed_question_is_fetched_by_each_of_its_ids() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    for person in ["", "?person=someone-0123456789"] {
        let caller = Caller { program: &program, key: None, person };
        let asked = caller.ask();
        let first = caller.post("query/clarify", &answer(&asked, 0), 200);
        let changed = caller.post("query/change", &change(&asked, &first, 1), 200);
        assert_ne!(changed["view"]["sql"], first["view"]["sql"]);
        for id in [json!(ID), asked["id"].clone(), asked["clarification_id"].clone()] {
            assert_eq!(caller.answer_of(&id, 200), changed, "{id} of {person:?}");
        }
        let again = caller.post("query/clarify", &answer(&asked, 0), 200);
        assert_eq!(again, first, "a repeated request gets the same reply");
    }
}

// Promise: http.latest-state
#[test]
fn the_answer_of_a_corrected_question_is_fetched() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let question = json!({ "question": "how many customers are there", "id": ID });
    let first = caller.post("query", &question, 200);
    let correction = json!({ "type": "text", "text": "use orders instead" });
    let correction = json!({ "id": first["id"], "correction": correction });
    let corrected = caller.post("query/correct", &correction, 200);
    assert_ne!(corrected["view"]["sql"], first["view"]["sql"]);
    assert_eq!(caller.answer_of(&json!(ID), 200), corrected);
}

#[test]
fn a_change_that_is_refused_leaves_the_answer() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    let first = caller.post("query/clarify", &answer(&asked, 0), 200);
    let mut wrong = change(&asked, &first, 1);
    wrong["answer"]["answer"]["option_id"] = json!("no such option");
    caller.post("query/change", &wrong, 422);
    assert_eq!(caller.answer_of(&first["id"], 200), first);
}

// Promise: http.latest-state
#[test]
fn a_question_that_was_cancelled_while_it_waited_says_so() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    let cancel = json!({ "id": asked["clarification_id"] }).to_string();
    assert_eq!(caller.call("POST", "query/cancel", &cancel).status, 204);
    for id in [json!(ID), asked["id"].clone()] {
        let cancelled = caller.answer_of(&id, 409);
        assert_eq!(cancelled["code"], "cancelled", "{id}");
        assert_eq!(cancelled["question"], "show me recent orders", "{id}");
    }
}

// Promise: http.reply-id
#[test]
fn a_question_without_an_id_of_its_client_is_fetched_by_that_of_its_reply() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let question = json!({ "question": "show me recent orders", "today": "2024-04-01" });
    let asked = caller.post("query", &question, 202);
    assert_eq!(caller.answer_of(&asked["id"], 202), asked);
    let answered = caller.post("query/clarify", &answer(&asked, 0), 200);
    assert_eq!(caller.answer_of(&asked["id"], 200), answered);
}

#[test]
fn no_rows_are_stored_of_a_question_whose_client_chose_no_id() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let question = json!({ "question": "how many customers are in Norway by billing country",
        "skip_clarification": true, "today": "2024-04-01" });
    let answered = caller.post("query", &question, 200);
    assert_eq!(caller.answer_of(&answered["id"], 404)["code"], "unknown_question");
    let store = rusqlite::Connection::open(shop.folder.path().join("store.sqlite")).unwrap();
    let stored = "SELECT count(*) FROM requests WHERE body IS NOT NULL";
    assert_eq!(store.query_row(stored, (), |row| row.get::<_, i64>(0)).unwrap(), 0);
}

// Promise: http.answer-again
#[test]
fn an_answer_is_kept_for_a_day_and_across_a_restart() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    let answered = caller.post("query/clarify", &answer(&asked, 0), 200);
    program.kill();
    let store = rusqlite::Connection::open(shop.folder.path().join("store.sqlite")).unwrap();
    let kept = "SELECT min(expires_at) - unixepoch() FROM requests WHERE status IS NOT NULL";
    let seconds: i64 = store.query_row(kept, (), |row| row.get(0)).unwrap();
    assert!(seconds > 86_400 - 60, "{seconds}");
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    assert_eq!(caller.answer_of(&json!(ID), 200), answered);
    assert_eq!(caller.post("query/clarify", &answer(&asked, 0), 200), answered);
}

#[test]
fn an_answer_that_was_refused_can_be_mended() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &[]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    let mut wrong = answer(&asked, 0);
    wrong["answers"][0]["answer"]["option_id"] = json!("no such option");
    for _ in 0..2 {
        assert_eq!(caller.post("query/clarify", &wrong, 422)["code"], "invalid_answer");
    }
    caller.post("query/clarify", &answer(&asked, 0), 200);
}

#[test]
fn a_client_that_hangs_up_fetches_the_answer_later() {
    let shop = SqliteFile::new(SHOP);
    let program = serving(&shop, &["--cost-limit", "0"]);
    let caller = Caller { program: &program, key: None, person: "" };
    let asked = caller.ask();
    // Orders take a while to list, so that the client is gone before the answer.
    fill(
        &shop.path,
        "ALTER TABLE orders RENAME TO stored_orders; CREATE VIEW orders AS SELECT * FROM \
         stored_orders WHERE id <= (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
         WHERE i < 5000000) SELECT max(i) FROM n)",
    );
    let body = answer(&asked, 0).to_string();
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let head = format!(
        "POST /api/v1/query/clarify HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        program.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let begun = Instant::now();
    while caller.call("GET", &format!("query/{ID}"), "").status != 409 {
        assert!(begun.elapsed() < Duration::from_secs(30), "the round does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(stream);
    let answered = loop {
        let heard = caller.call("GET", &format!("query/{ID}"), "");
        if heard.status == 200 {
            break json_of(&heard, 200);
        }
        assert!(matches!(heard.status, 202 | 409), "{heard:?}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{heard:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(caller.post("query/clarify", &answer(&asked, 0), 200), answered);
}
