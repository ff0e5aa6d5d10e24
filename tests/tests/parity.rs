//! Equal inputs give equal output bytes natively and in WebAssembly: scripted sessions, and every step of every dialogue.
//!
//! The package must have been built: `cargo xtask test --only wasm` does both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::fs;

use serde_json::{Value, json};
use wherefore_engine::session::Event;
use wherefore_engine::{Engine, Knowledge, TemplateStatement};
use wherefore_sql::Dialect;
use wherefore_tests::package::{self, as_javascript, plain};
use wherefore_tests::sessions::{Trace, drive};
use wherefore_tests::{expect, workspace};

use support::catalogs::engine;
use support::play::play;
use support::scenario::files;

const TODAY: &str = "2026-11-20";
/// Each question is asked several times: without clarifications, and with different options chosen.
const CHOICES: usize = 4;

#[test]
fn i2_sessions_give_the_same_bytes_natively_and_in_wasm() {
    let knowledge = knowledge();
    let engine = Engine::new(knowledge.clone());
    let knowledge = Knowledge { thesaurus: Some(engine.thesaurus().to_owned()), ..knowledge };
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

/// A step of a dialogue, as the native engine took it.
struct Played {
    place: String,
    /// Index of the knowledge.
    knowledge: usize,
    before: String,
    event: Event,
    /// Snapshot, view, and either `effects` or `refused`.
    after: Value,
    /// The question, to which spans refer.
    question: String,
    preview: Option<Value>,
}

#[test]
fn i2_every_dialogue_gives_the_same_bytes_natively_and_in_wasm() {
    let mut known: Vec<String> = Vec::new();
    let mut steps: Vec<Played> = Vec::new();
    for file in files() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let engine = engine(&file.front, dialect);
            for scenario in &file.scenarios {
                let place = format!("{}: {} ({dialect})", file.path.display(), scenario.title);
                play(&engine, &file.front.today, scenario, &mut |step| {
                    let knowledge = knowledge_of(step.engine);
                    let index = known.iter().position(|it| *it == knowledge).unwrap_or(known.len());
                    if index == known.len() {
                        known.push(knowledge);
                    }
                    let view = step.session.view();
                    let mut after = json!({ "snapshot": step.session.snapshot().unwrap() });
                    match step.result {
                        Ok(effects) => after["effects"] = json!(effects),
                        Err(error) => after["refused"] = json!(error.code().as_str()),
                    }
                    after["view"] = json!(view);
                    let preview = match step.event {
                        Event::Ask { text, today, .. } => {
                            let preview = json!(step.engine.preview(text, today));
                            Some(as_javascript(&preview, text))
                        }
                        _ => None,
                    };
                    steps.push(Played {
                        place: place.clone(),
                        knowledge: index,
                        before: step.before.snapshot().unwrap(),
                        event: step.event.clone(),
                        after,
                        question: view.question.clone(),
                        preview,
                    });
                });
            }
        }
    }
    assert!(steps.len() > 1_000, "only {} steps were played", steps.len());
    let knowledge: Vec<Value> =
        known.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let asked: Vec<Value> = steps
        .iter()
        .map(|it| json!({"knowledge": it.knowledge, "before": it.before, "event": it.event}))
        .collect();
    let input = json!({"knowledge": knowledge, "steps": asked});
    let replayed = package::run("replay_steps.mjs", &input).unwrap();
    assert_eq!(replayed.as_array().map(Vec::len), Some(steps.len()));
    for (native, wasm) in steps.iter().zip(replayed.as_array().unwrap()) {
        let place = format!("{}: {:?}", native.place, native.event);
        assert_eq!(wasm["snapshot"], native.after["snapshot"], "{place}");
        assert_eq!(wasm["refused"], native.after["refused"], "{place}");
        let view = as_javascript(&native.after["view"], &native.question);
        assert_eq!(plain(&wasm["view"]), view, "{place}");
        assert_eq!(plain(&wasm["effects"]), plain(&native.after["effects"]), "{place}");
        if let Some(preview) = &native.preview {
            assert_eq!(plain(&wasm["preview"]), *preview, "{place}");
        }
    }
}

/// What an engine knows, as JSON. The package cannot read the SQL of templates.
fn knowledge_of(engine: &Engine) -> String {
    let (catalog, settings) = (engine.catalog().clone(), engine.settings().clone());
    let statements = TemplateStatement::read_all(&catalog);
    let thesaurus = Some(engine.thesaurus().to_owned());
    let knowledge = Knowledge { catalog, settings, statements, thesaurus, ..Knowledge::default() };
    serde_json::to_string(&knowledge).unwrap()
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
