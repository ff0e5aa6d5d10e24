//! Equal inputs give equal output bytes natively and in WebAssembly.
//!
//! The package must have been built: `cargo xtask test --only wasm` does both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use serde_json::{Value, json};
use wherefore_engine::{Engine, Knowledge};
use wherefore_tests::package::{self, as_javascript, plain};
use wherefore_tests::sessions::{Trace, drive};
use wherefore_tests::{expect, workspace};

const TODAY: &str = "2026-11-20";
/// Each question is asked several times: without clarifications, and with different options chosen.
const CHOICES: usize = 4;

#[test]
fn i2_sessions_give_the_same_bytes_natively_and_in_wasm() {
    let knowledge = knowledge();
    let engine = Engine::new(knowledge.clone());
    let questions = questions();
    let traces: Vec<(&str, Trace)> = questions
        .iter()
        .flat_map(|question| (0..CHOICES).map(move |choice| (question.as_str(), choice)))
        .map(|(question, choice)| (question, drive(&engine, question, TODAY, choice)))
        .collect();
    let replayed = replay(&knowledge, &traces);
    assert_eq!(replayed.len(), traces.len());
    for ((question, trace), wasm) in traces.iter().zip(&replayed) {
        for (index, step) in trace.steps.iter().enumerate() {
            let place = format!("event {index} of {question:?}: {:?}", trace.events[index]);
            let other = &wasm["steps"][index];
            assert_eq!(other["snapshot"].as_str(), Some(step.snapshot.as_str()), "{place}");
            assert_eq!(other["refused"].as_str(), step.refused, "{place}");
            let view =
                as_javascript(&serde_json::to_value(&step.view).unwrap(), &step.view.question);
            assert_eq!(plain(&other["view"]), view, "{place}");
            let effects = serde_json::to_value(&step.effects).unwrap();
            assert_eq!(plain(&other["effects"]), plain(&effects), "{place}");
        }
        let preview = serde_json::to_value(engine.preview(question, TODAY)).unwrap();
        assert_eq!(plain(&wasm["preview"]), as_javascript(&preview, question), "{question:?}");
    }
}

#[test]
fn types_for_typescript_are_the_committed_ones() {
    for name in ["wire.d.ts", "sql-wire.d.ts"] {
        let declarations = fs::read_to_string(package::folder().join("dist").join(name)).unwrap();
        let file = format!("pkg/js/{name}");
        expect::generated_file(&file, "cargo xtask test --only wasm", &declarations);
    }
}

fn knowledge() -> Knowledge {
    let text = fs::read_to_string(workspace::root().join("tests/data/bookshop.json")).unwrap();
    let mut knowledge: Knowledge = serde_json::from_str(&text).unwrap();
    knowledge.settings.model = true;
    knowledge
}

/// Questions of this crate and of the engine's dialogues.
fn questions() -> Vec<String> {
    let text = fs::read_to_string(workspace::root().join("tests/data/questions.txt")).unwrap();
    let mut questions: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut folders = vec![workspace::root().join("engine/tests/dialogues")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    for file in files {
        questions.extend(blocks(&fs::read_to_string(file).unwrap(), "user"));
    }
    questions
}

/// Fenced code blocks with this info string.
fn blocks(markdown: &str, kind: &str) -> Vec<String> {
    let fence = format!("```{kind}\n");
    let parts = markdown.split(&fence).skip(1);
    parts.filter_map(|part| Some(part.split_once("\n```")?.0.to_owned())).collect()
}

fn replay(knowledge: &Knowledge, traces: &[(&str, Trace)]) -> Vec<Value> {
    let sessions: Vec<Value> = traces
        .iter()
        .map(|(question, trace)| json!({"question": question, "events": trace.events}))
        .collect();
    let all = json!({"knowledge": knowledge, "today": TODAY, "sessions": sessions});
    let replayed = package::run("replay.mjs", &all).unwrap();
    serde_json::from_value(replayed).unwrap()
}
