//! The clarifications of every dialogue are the same object over HTTP, in JavaScript and over MCP, and the same text.
//!
//! The package must have been built: `cargo xtask test --only wasm` does both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;

use serde_json::{Value, json};
use wherefore_sql::Dialect;
use wherefore_tests::expect;
use wherefore_tests::package::{self, as_javascript, plain};
use wherefore_tests::proxy::Proxy;

use support::catalogs::{engine, tests_folder};
use support::play::play;
use support::scenario::{Kind, files};

const TODAY: &str = "2026-11-20";
/// Maximum number of rounds of clarifications of a question.
const ROUNDS: usize = 3;

/// A question in which bytes and UTF-16 code units differ before the ambiguous words.
const WIDE: &str = "für Zoë 🍷 recent orders";

/// Questions that start a dialogue, by the name of its catalog.
fn questions() -> BTreeMap<String, Vec<String>> {
    let mut questions = BTreeMap::from([("shop".to_owned(), vec![WIDE.to_owned()])]);
    for file in files() {
        let asked: &mut Vec<String> = questions.entry(file.front.catalog).or_default();
        let blocks = file.scenarios.iter().flat_map(|scenario| &scenario.blocks);
        for block in blocks.filter(|block| block.kind == Kind::User && block.flag.is_empty()) {
            if !asked.contains(&block.text) {
                asked.push(block.text.clone());
            }
        }
    }
    questions
}

#[test]
fn clarifications_are_the_same_object_in_http_javascript_and_mcp() {
    let mut served = Vec::new();
    for (name, questions) in questions() {
        let file = tests_folder().join(format!("data/catalogs/{name}.json"));
        // Without a history, nothing is recommended by what was chosen in the questions before.
        let history = ["--history-days", "0"].map(OsStr::new);
        let options = [OsStr::new("--catalog"), file.as_os_str(), history[0], history[1]];
        let proxy = Proxy::start(&options).unwrap();
        served.push((proxy, name, questions));
    }
    let asked: Vec<Value> = served
        .iter()
        .map(|(proxy, _, questions)| json!({ "url": proxy.origin(), "questions": questions }))
        .collect();
    let input = json!({ "today": TODAY, "rounds": ROUNDS, "sources": asked });
    let in_javascript = package::run("clarifications.mjs", &input).unwrap();
    let mut count = 0;
    for (source, (proxy, name, questions)) in served.iter().enumerate() {
        for (index, question) in questions.iter().enumerate() {
            let place = format!("{name}: {question:?}");
            let over_http = over_http(proxy, question);
            if over_http != json!([]) {
                assert_eq!(over_mcp(proxy, question), over_http, "MCP and HTTP, {place}");
            }
            let rounds = &in_javascript[source][index];
            let expected = as_javascript(&over_http, question);
            assert_eq!(plain(rounds), expected, "JavaScript and HTTP, {place}");
            count += over_http.as_array().unwrap().len();
            if question == WIDE {
                assert_ne!(expected, plain(&over_http), "spans are converted");
            }
        }
    }
    assert!(count > 70, "only {count} rounds of clarifications");
}

#[test]
fn clarifications_read_as_recorded() {
    let mut text = String::from("# Clarifications of the dialogues as plain text\n");
    for file in files() {
        let engine = engine(&file.front, Dialect::Sqlite);
        for scenario in &file.scenarios {
            let mut shown = Vec::new();
            play(&engine, &file.front.today, scenario, &mut |step| {
                let open = &step.session.view().clarifications;
                if *open != step.before.view().clarifications {
                    shown.extend(open.iter().map(|asked| asked.plain_text.clone()));
                }
            });
            if !shown.is_empty() {
                let stem = file.path.file_stem().unwrap().display();
                write!(text, "\n## {stem}: {}\n", scenario.title).unwrap();
            }
            for plain in shown {
                write!(text, "\n```\n{plain}\n```\n").unwrap();
            }
        }
    }
    expect::generated_file("tests/data/clarifications.md", "cargo xtask test --only wasm", &text);
}

/// The clarifications of each round.
fn over_http(proxy: &Proxy, question: &str) -> Value {
    let ask = json!({ "question": question, "today": TODAY });
    rounds(proxy.post("query", &ask).unwrap().body, |id, answers| {
        let answer = json!({ "clarification_id": id, "answers": answers });
        proxy.post("query/clarify", &answer).unwrap().body
    })
}

fn over_mcp(proxy: &Proxy, question: &str) -> Value {
    let call = |tool: &str, arguments: Value| {
        let reply = proxy.call_tool(tool, &arguments).unwrap();
        reply["result"]["structuredContent"].clone()
    };
    rounds(call("ask", json!({ "question": question, "today": TODAY })), |id, answers| {
        call("answer", json!({ "clarification_id": id, "answers": answers }))
    })
}

fn rounds(first: Value, mut answer: impl FnMut(&Value, Value) -> Value) -> Value {
    let mut rounds = Vec::new();
    let mut reply = first;
    while reply["outcome"] == "needs_clarification" {
        let questions = reply["questions"].clone();
        let shown = reply["view"]["clarifications"].clone();
        assert_eq!(shown, questions, "the view shows what is asked");
        let answers = questions.as_array().unwrap().iter().map(answer_to).collect();
        rounds.push(questions);
        if rounds.len() == ROUNDS {
            break;
        }
        reply = answer(&reply["clarification_id"], answers);
    }
    rounds.into()
}

/// The last option, which seldom ends the dialogue, or else the best guess.
fn answer_to(asked: &Value) -> Value {
    let last = asked["options"].as_array().and_then(|options| options.last());
    let answer = match last {
        Some(option) => json!({ "type": "option", "option_id": option["id"] }),
        None => json!({ "type": "best_guess" }),
    };
    json!({ "clarification_id": asked["id"], "answer": answer })
}
