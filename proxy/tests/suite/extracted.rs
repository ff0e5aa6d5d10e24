//! Values of a template's parameters that a language model takes out of a question.

use serde_json::{Value, json};

use crate::support::{Client, Reply, SqliteFile, Upstream};

const PARCELS: &str = "CREATE TABLE depots (id INTEGER PRIMARY KEY, name VARCHAR(40));
     CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depots,
         label VARCHAR(80), weight INTEGER);
     INSERT INTO depots VALUES (1, 'Hamburg Harbour'), (2, 'Lyon Sud');
     INSERT INTO parcels VALUES (1, 1, 'fragile', 3), (2, 2, 'urgent', 95), (3, 2, 'fragile', 4);";

const PACK: &str = r#"
[[templates]]
name = "parcels_at_depot"
description = "Parcels that wait at a depot"
examples = ["parcels waiting for collection at {depot}"]
sql = "SELECT p.id FROM parcels AS p JOIN depots AS d ON d.id = p.depot_id WHERE d.name = :depot ORDER BY p.id"
[[templates.parameters]]
name = "depot"
type = "string"
table = "depots"
column = "name"

[[templates]]
name = "parcels_with_sticker"
description = "Parcels with a sticker"
examples = ["parcels bearing the sticker {sticker}"]
sql = "SELECT p.id FROM parcels AS p WHERE p.label = :sticker ORDER BY p.id"
[[templates.parameters]]
name = "sticker"
type = "string"

[[templates]]
name = "parcels_lifted"
description = "Parcels that take a crane of a capacity"
examples = ["parcels that a crane must lift above {capacity}"]
sql = "SELECT p.id FROM parcels AS p WHERE p.weight > :capacity ORDER BY p.id"
[[templates.parameters]]
name = "capacity"
type = "integer"
minimum = 1
maximum = 100
"#;

const FRENCH: &str = "parcels waiting for collection at the frenchy place";
const STICKY: &str = "parcels bearing the sticker breakablish";
const LIFTED: &str = "parcels that a crane must lift above elephantine";

/// A reply with a value and its alternatives.
fn says(name: &str, value: &str, alternatives: &[&str]) -> Reply {
    let found = json!({ "name": name, "value": value, "alternatives": alternatives });
    Reply::Document(json!({ "parameters": [found] }).to_string())
}

async fn start(replies: impl IntoIterator<Item = Reply>) -> (Client, Upstream, SqliteFile) {
    let upstream = Upstream::start(replies).await;
    let file = SqliteFile::new(PARCELS);
    let (pack, url) = (file.file("pack.toml", PACK), upstream.url());
    let pack = pack.to_str().unwrap();
    let model = ["--llm-url", &url, "--llm-model", "reader", "--llm-first-byte-seconds", "1"];
    let options = [&["--pack", pack], &model[..]].concat();
    (Client::start(&file.config(&options)).await, upstream, file)
}

#[track_caller]
fn rows(answered: &Value) -> &Value {
    assert_eq!(answered["outcome"], "answered", "{answered}");
    &answered["view"]["result"]["rows"]
}

#[track_caller]
fn parameter(answered: &Value) -> (&str, f64, &str) {
    let found = &answered["view"]["parameters"][0];
    let text = |name: &str| found[name].as_str().unwrap();
    (text("value"), found["confidence"].as_f64().unwrap(), text("source"))
}

/// Labels of the options of a clarification.
fn labels(clarification: &Value) -> Vec<&str> {
    let options = clarification["options"].as_array().unwrap();
    options.iter().map(|option| option["label"].as_str().unwrap()).collect()
}

// Promise: templates.extracted
#[tokio::test]
async fn a_value_that_passes_its_rule_runs_and_is_an_assumption_that_can_be_changed() {
    let others = ["Hamburg Harbour", "Atlantis"];
    let (client, upstream, _file) = start([says("depot", "lyon sud", &others)]).await;
    let answered = client.ask(FRENCH).await.ok(200);
    assert_eq!(rows(&answered), &json!([[2], [3]]));
    assert_eq!(parameter(&answered), ("Lyon Sud", 0.75, "extracted"));
    assert_eq!(answered["view"]["writer"], "template");
    let assumed = &answered["view"]["assumptions"][0];
    assert_eq!((&assumed["phrase"], &assumed["source"]), (&json!("frenchy"), &json!("model")));
    let clarification = &assumed["clarification"];
    assert_eq!(labels(clarification), ["depot “Lyon Sud”", "depot “Hamburg Harbour”"]);
    let trace = answered["trace"]["model"].to_string();
    assert!(trace.contains("Lyon Sud") && trace.contains("extracting"), "{trace}");
    let requests = upstream.requests();
    assert_eq!(requests.len(), 1, "one call is enough");
    let system = requests[0].1["messages"][0]["content"].as_str().unwrap();
    let user = requests[0].1["messages"][1]["content"].as_str().unwrap();
    assert!(user.contains(FRENCH) && !system.contains("frenchy"), "{system}");
    let other = json!({
        "id": answered["id"],
        "answer": { "clarification_id": clarification["id"],
            "answer": { "type": "option", "option_id": "Hamburg Harbour" } },
    });
    let changed = client.post("/api/v1/query/change", other.to_string()).await.ok(200);
    assert_eq!(rows(&changed), &json!([[1]]));
    assert_eq!(parameter(&changed), ("Hamburg Harbour", 0.95, "chosen"));
    assert_eq!(upstream.count(), 1, "the change needs no other call");
}

// Promise: templates.extracted
#[tokio::test]
async fn a_value_without_a_rule_is_less_sure_and_its_alternatives_are_offered() {
    let (client, _, _file) = start([says("sticker", "fragile", &["urgent"])]).await;
    let answered = client.ask(STICKY).await.ok(200);
    assert_eq!(rows(&answered), &json!([[1], [3]]));
    assert_eq!(parameter(&answered), ("fragile", 0.65, "extracted"));
    let clarification = &answered["view"]["assumptions"][0]["clarification"];
    assert_eq!(labels(clarification), ["sticker “fragile”", "sticker “urgent”"]);
    assert_eq!(clarification["custom"]["type"], "text", "a value of one's own is accepted");
}

// Promise: templates.extracted-invalid
#[tokio::test]
async fn a_value_that_fails_its_rule_is_asked_about_with_the_alternatives_that_pass() {
    let (client, upstream, _file) = start([says("capacity", "4000", &["90", "5000"])]).await;
    let asked = client.ask(LIFTED).await.ok(202);
    let question = &asked["questions"][0];
    assert_eq!(asked["view"]["result"], Value::Null, "{asked}");
    assert_eq!(labels(question), ["capacity 90"], "{question}");
    assert_eq!(question["reason"], "the capacity must be a whole number from 1 to 100");
    let body = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [{ "clarification_id": question["id"],
            "answer": { "type": "option", "option_id": "90" } }],
    });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert_eq!(rows(&answered), &json!([[2]]));
    assert_eq!(parameter(&answered), ("90", 0.95, "chosen"));
    assert_eq!(upstream.count(), 1);
}

// Promise: templates.extracted-safe
#[tokio::test]
async fn sql_in_a_value_is_a_literal_or_no_value() {
    let attack = "x'; DROP TABLE parcels; --";
    let (client, upstream, _file) = start([says("sticker", attack, &[attack])]).await;
    let answered = client.ask(STICKY).await.ok(200);
    assert_eq!(rows(&answered), &json!([]), "no label is called that");
    let sql = answered["view"]["sql"].as_str().unwrap();
    assert!(sql.contains("'x''; DROP TABLE parcels; --'"), "{sql}");
    upstream.say([says("depot", attack, &[]), Reply::Status(400, None)]);
    let asked = client.ask(FRENCH).await.ok(202);
    let refused = "“frenchy” cannot be used here. Do you mean Hamburg Harbour or Lyon Sud?";
    assert_eq!(asked["questions"][0]["question"], refused);
    assert_eq!(asked["view"]["result"], Value::Null, "{asked}");
    assert!(!asked["view"].to_string().contains("DROP"), "{asked}");
    upstream.say([says("capacity", "1 OR 1=1", &["2 OR 1=1"])]);
    let asked = client.ask(LIFTED).await.ok(202);
    assert_eq!(labels(&asked["questions"][0]), [""; 0], "{asked}");
    let counted = client.ask("how many parcels are there").await.ok(200);
    assert_eq!(rows(&counted), &json!([[3]]));
}

// Promise: templates.extracted-fails
#[tokio::test]
async fn a_model_that_misbehaves_gives_no_value_and_the_question_is_read_without_it() {
    let (client, upstream, _file) = start([Reply::Hang]).await;
    let nothing = Reply::Document(json!({ "parameters": [] }).to_string());
    let odd = [
        Reply::Document("Lyon Sud, I think.".to_owned()),
        Reply::Document(json!({ "parameters": "Lyon Sud" }).to_string()),
        Reply::Document(json!({ "parameters": [{ "name": "depot", "value": 7 }] }).to_string()),
        says("warehouse", "Lyon Sud", &[]),
        says("depot", "", &[]),
        Reply::Status(500, None),
        Reply::Malformed,
        Reply::Hang,
        nothing,
    ];
    for reply in odd {
        upstream.say([reply.clone(), Reply::Status(400, None)]);
        let read = client.ask(FRENCH).await.json();
        let told = format!("{reply:?}: {read}");
        assert_ne!(read["outcome"], "answered", "{told}");
        assert_eq!(read["view"]["parameters"], Value::Null, "{told}");
        let trace = read["trace"]["model"].to_string();
        assert!(trace.contains("extracting"), "{told}");
    }
}

#[tokio::test]
async fn without_a_model_or_with_it_off_nothing_is_asked_of_it() {
    let (client, upstream, _file) = start([says("depot", "Lyon Sud", &[])]).await;
    let body = json!({ "question": FRENCH, "flags": { "model": false } });
    let read = client.post("/api/v1/query", body.to_string()).await.json();
    assert_ne!(read["outcome"], "answered", "{read}");
    client.ask("parcels waiting for collection at Lyon Sud").await.ok(200);
    assert_eq!(upstream.count(), 0, "what the template knows needs no model");
}

// Promise: templates.extracted-meaning
#[tokio::test]
async fn words_that_mean_something_else_are_not_lost_in_a_value() {
    let (client, _upstream, _file) = start([says("depot", "Lyon Sud", &[])]).await;
    for question in [
        "parcels not waiting for collection",
        "parcels waiting for collection weight",
        "parcels waiting for collection 12",
    ] {
        let read = client.ask(question).await.json();
        assert_ne!(read["view"]["writer"], "template", "{read}");
        let trace = read["trace"]["model"].to_string();
        assert!(!trace.contains("extract_parameters"), "{question}: {trace}");
    }
}
