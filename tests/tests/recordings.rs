//! Compares replies of the engine, its SQL stage and the proxy to fixed input with committed recordings.
//!
//! `UPDATE_RECORDINGS=1 cargo test -p wherefore-tests --test recordings` overwrites the recordings; in any case,
//! every changed text is listed in `target/recordings/changed_texts.md`. Recordings of the native engine are valid
//! for the package as well, since `parity.rs` and `statements.rs` show that both give the same results.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::fs;
use std::net::TcpListener;

use serde_json::{Value, json};
use support::catalogs::engine;
use support::play::play;
use support::scenario::files;
use wherefore_engine::session::{Effect, Event, View};
use wherefore_engine::{Engine, Knowledge};
use wherefore_sql::Dialect;
use wherefore_tests::proxy::Proxy;
use wherefore_tests::recordings::client::Client;
use wherefore_tests::recordings::inputs::{Question, everyday, of_other_catalogs};
use wherefore_tests::recordings::sample::Sample;
use wherefore_tests::recordings::{Recording, conversation, mcp, model, routes, statements};
use wherefore_tests::sessions::drive;
use wherefore_tests::workspace;

const TODAY: &str = "2026-11-20";
/// Number of times that each question is asked: without clarifications, and with different options chosen.
const CHOICES: usize = 3;

/// A step of a session as JSON, without its snapshot.
fn step(refused: Option<&str>, effects: Option<&[Effect]>, view: &View) -> Value {
    json!({ "refused": refused, "effects": effects, "view": view })
}

#[test]
fn dialogues_on_sqlite() {
    dialogues("dialogues_sqlite", Dialect::Sqlite);
}

#[test]
fn dialogues_on_postgres() {
    dialogues("dialogues_postgres", Dialect::Postgres);
}

fn dialogues(area: &'static str, dialect: Dialect) {
    let mut recording = Recording::new(area);
    for file in files() {
        let engine = engine(&file.front, dialect);
        let stem = file.path.file_stem().unwrap().display().to_string();
        for scenario in &file.scenarios {
            let mut steps = Vec::new();
            play(&engine, &file.front.today, scenario, &mut |played| {
                let Ok(effects) = played.result else { return };
                let mut step = step(None, Some(effects), played.session.view());
                if let Event::Ask { text, today, .. } = played.event {
                    step["preview"] = json!(engine.preview(text, today));
                }
                steps.push(step);
            });
            recording.add(&format!("{stem}: {}", scenario.title), &Value::Array(steps));
        }
    }
    recording.check();
}

#[test]
fn sessions() {
    let text = fs::read_to_string(workspace::root().join("tests/data/bookshop.json")).unwrap();
    let mut knowledge: Knowledge = serde_json::from_str(&text).unwrap();
    knowledge.settings.model = true;
    let engine = Engine::new(knowledge);
    let mut recording = Recording::new("sessions");
    for question in of_other_catalogs().unwrap() {
        recording.add(&format!("{question}, preview"), &json!(engine.preview(&question, TODAY)));
        for choice in 0..CHOICES {
            let trace = drive(&engine, &question, TODAY, choice);
            let steps =
                trace.steps.iter().map(|one| step(one.refused, one.effects.as_deref(), &one.view));
            recording.add(&format!("{question}, choice {choice}"), &steps.collect());
        }
    }
    recording.check();
}

#[test]
fn sql() {
    let mut recording = Recording::new("sql");
    let written = statements::all().unwrap();
    for dialect in [Dialect::Postgres, Dialect::Sqlite] {
        let catalog = statements::catalog(dialect).unwrap();
        for one in &written {
            let name = format!("{} on {dialect:?}", one.name);
            recording.add(&name, &statements::judged(one, &catalog));
        }
    }
    for one in &written {
        let name = format!("{} carried over", one.name);
        recording.add(&name, &statements::carried_over(one));
    }
    recording.check();
}

#[test]
fn everyday_questions_over_http() {
    questions_over_http("questions", everyday().unwrap(), 1);
}

#[test]
fn questions_of_other_catalogs_over_http() {
    let other = of_other_catalogs().unwrap().into_iter();
    let other = other.map(|text| Question { text, before: None });
    questions_over_http("questions_elsewhere", other.collect(), 4);
}

/// Options of a proxy that recommends nothing by what was chosen in the questions before.
fn without_history(mut options: Vec<String>) -> Vec<String> {
    options.extend(["--history-days", "0"].map(str::to_owned));
    options
}

/// Records questions: one in `one_in` with all possible follow-up requests, the others only with answers.
fn questions_over_http(area: &'static str, questions: Vec<Question>, one_in: usize) {
    let sample = Sample::new().unwrap();
    let proxy = Proxy::start(&without_history(sample.options())).unwrap();
    let client = Client::new(&proxy);
    let mut recording = Recording::new(area);
    for (place, question) in questions.iter().enumerate() {
        let said = if place.is_multiple_of(one_in) {
            conversation::converse(&client, place, question)
        } else {
            conversation::ask_briefly(&client, question)
        };
        let said = said.unwrap();
        recording.add(&question.text, &said);
    }
    recording.check();
}

#[test]
fn routes_over_http() {
    let sample = Sample::new().unwrap();
    let proxy = Proxy::start(&sample.options()).unwrap();
    let client = Client::new(&proxy);
    let mut recording = Recording::new("routes");
    for (name, said) in routes::visit(&client).unwrap() {
        recording.add(name, &said);
    }
    let questions =
        ["show me recent orders", "recent orders", "big orders", "big orders", "orders in Berlin"];
    let said = conversation::remembered(&client, "person-with-a-memory", &questions).unwrap();
    recording.add("a person with a memory", &said);
    recording.check();
}

#[test]
fn tools() {
    let sample = Sample::new().unwrap();
    let proxy = Proxy::start(&without_history(sample.options())).unwrap();
    let client = Client::new(&proxy);
    let mut recording = Recording::new("mcp");
    recording.add("over HTTP", &mcp::over_http(&client).unwrap());
    recording.add("with forms", &mcp::with_forms(&client).unwrap());
    recording.add("on standard input", &mcp::on_standard_input(&sample).unwrap());
    recording.check();
}

#[test]
fn questions_that_a_model_answers() {
    let sample = Sample::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = sample.path("writing.toml");
    // One draft per question, so that the order of calls is fixed.
    fs::write(&settings, "drafts = [1, 1, 1]\n").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let more =
        ["--llm-url", &url, "--llm-model", "writer", "--writing", settings.to_str().unwrap()];
    let options = without_history(sample.options()).into_iter().chain(more.map(str::to_owned));
    let proxy = Proxy::start(&options.collect::<Vec<_>>()).unwrap();
    let client = Client::new(&proxy);
    let mut recording = Recording::new("model");
    for (question, said) in model::converse(&client, &listener).unwrap() {
        recording.add(&question, &said);
    }
    recording.check();
}
