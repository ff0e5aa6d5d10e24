//! Snapshots of version 1: each restores the same view, and the session continues.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests panic, and read files")]

use std::path::PathBuf;

use serde_json::{Value, json};
use wherefore_engine::catalog::Catalog;
use wherefore_engine::intent::QueryTree;
use wherefore_engine::session::{EffectRequest, Event, SnapshotError, View};
use wherefore_engine::settings::Settings;
use wherefore_engine::writing::Writer;
use wherefore_engine::{Engine, Knowledge, Session};

/// Snapshot file, catalog, the next event, and the expected state and effects.
type Case = (&'static str, &'static str, fn(&View) -> Event, &'static str);

const CASES: &[Case] = &[
    ("idle", "shop", ask, "executing_query, execute"),
    ("cancelled_before_a_question", "shop", ask, "executing_query, execute"),
    ("awaits_answer", "shop", first_option, "executing_query, execute"),
    ("awaits_rows_after_an_answer", "shop", rows, "completed answered"),
    ("answered_after_an_answer", "shop", other_option, "executing_query, execute"),
    ("awaits_rows_of_a_follow_up", "shop", rows, "completed answered"),
    ("awaits_rows_by_memory", "shop", rows, "completed answered"),
    ("awaits_rows_after_a_correction", "shop", rows, "completed answered"),
    ("awaits_values", "shop", values, "awaiting_clarification needs_clarification"),
    ("awaits_answer_after_a_search", "shop", first_option, "executing_query, execute"),
    ("awaits_rows_of_a_template", "depot", rows, "completed answered"),
    ("not_run_of_a_template", "depot", retry, "executing_query, execute"),
    ("awaits_rows_of_a_ranking", "shop", two_rows, "executing_query, execute"),
    ("awaits_ties", "shop", rows, "completed answered"),
    ("not_run", "shop", retry, "executing_query, execute"),
    ("cancelled", "shop", rows, "refused unknown_effect"),
    ("out_of_scope", "shop", retry, "refused unexpected_event"),
    ("not_composable", "shop", retry, "refused unexpected_event"),
    ("awaits_model", "shop", failure, "failed generation_failed model_busy"),
    ("model_unavailable", "shop", retry, "generating_sql, write"),
    ("awaits_answer_for_a_model", "shop", first_option, "generating_sql, write"),
    ("awaits_rows_of_a_model", "shop", statement_failure, "repairing, write"),
    ("awaits_repair", "shop", failure, "failed generation_failed model_busy"),
    ("not_repaired", "shop", retry, "refused unexpected_event"),
    ("not_run_of_a_model", "shop", retry, "executing_query, execute"),
    ("answered_by_a_model", "shop", retry, "refused unexpected_event"),
];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))
}

fn snapshot(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("snapshots/v1/{name}.json"))).unwrap()
}

fn engine(catalog: &str) -> Engine {
    let text = std::fs::read_to_string(folder().join(format!("catalogs/{catalog}.json"))).unwrap();
    let mut catalog: Catalog = serde_json::from_str(&text).unwrap();
    catalog.can_execute = true;
    let settings = Settings { model: true, ..Settings::default() };
    Engine::new(Knowledge { catalog, settings, ..Knowledge::default() })
}

fn event(event: Value) -> Event {
    serde_json::from_value(event).unwrap()
}

/// An event with a result for the last effect, whose id is derived from the state.
fn result(view: &View, result: Value) -> Event {
    let state = view.state.name();
    let corrected = view.steps.iter().any(|step| step.detail == "reading the correction");
    let effect = match view.writer {
        _ if state == "repairing" => 3,
        Writer::Model => 2,
        _ if view.result.is_some() || corrected => 2,
        _ => 1,
    };
    event(json!({"type": "effect_result", "effect_id": effect, "result": result}))
}

fn rows_of(view: &View, count: usize) -> Event {
    let rows = vec![json!(["a name", 5]); count];
    let columns = json!([
        {"name": "name", "data_type": "text"}, {"name": "number", "data_type": "integer"},
    ]);
    result(view, json!({"type": "rows", "rows": {"columns": columns, "rows": rows}}))
}

fn failed(view: &View, code: &str) -> Event {
    let failure = json!({"code": code, "message": "it is busy", "retryable": true});
    result(view, json!({"type": "failed", "failure": failure}))
}

fn choose(id: &str, option: &str) -> Value {
    json!({"clarification_id": id, "answer": {"type": "option", "option_id": option}})
}

fn ask(_: &View) -> Event {
    event(json!({"type": "ask", "text": "number of orders by status", "today": "2026-11-20"}))
}

fn first_option(view: &View) -> Event {
    let open = &view.clarifications[0];
    event(json!({"type": "answer", "answers": [choose(&open.id, &open.options[0].id)]}))
}

fn other_option(view: &View) -> Event {
    let assumed = &view.assumptions[0];
    let option = &assumed.clarification.options[1].id;
    event(json!({"type": "change", "answer": choose(&assumed.id, option)}))
}

fn rows(view: &View) -> Event {
    rows_of(view, 1)
}

fn two_rows(view: &View) -> Event {
    rows_of(view, 2)
}

fn values(view: &View) -> Event {
    result(view, json!({"type": "values", "found": []}))
}

fn failure(view: &View) -> Event {
    failed(view, "model_busy")
}

fn statement_failure(view: &View) -> Event {
    failed(view, "statement_failed")
}

fn retry(_: &View) -> Event {
    Event::Retry
}

/// State, outcome and problem after a step, with the kinds of its effects.
fn step(engine: &Engine, session: &mut Session, event: Event) -> String {
    let effects = match session.step(engine, event) {
        Ok(effects) => effects,
        Err(error) => return format!("refused {}", error.code()),
    };
    let view = session.view();
    let outcome = serde_json::to_value(view.outcome).unwrap();
    let mut told = view.state.name().to_owned();
    for part in [outcome.as_str(), view.problem.as_ref().map(|problem| problem.code.as_str())] {
        told.extend(part.map(|part| format!(" {part}")));
    }
    for effect in effects {
        told.push_str(match effect.request {
            EffectRequest::Execute { .. } => ", execute",
            EffectRequest::LookUpValues { .. } => ", look up",
            EffectRequest::Write { .. } => ", write",
        });
    }
    told
}

#[test]
fn a_snapshot_of_version_1_shows_what_it_showed() {
    for (name, ..) in CASES {
        let text = snapshot(name);
        let stored: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stored["version"], 1, "{name}");
        let session = Session::restore(&text).unwrap();
        let view: View = serde_json::from_value(stored["view"].clone()).unwrap();
        assert_eq!(*session.view(), view, "{name}");
        assert_eq!(serde_json::to_value(session.trace()).unwrap(), stored["trace"], "{name}");
        let tree = session.context().map(|context| context.tree);
        let held: Option<QueryTree> = serde_json::from_value(stored["tree"].clone()).unwrap();
        assert_eq!(tree, held, "{name}");
    }
}

#[test]
fn a_snapshot_of_version_1_goes_on() {
    for (name, catalog, event, expected) in CASES {
        let engine = engine(catalog);
        let mut session = Session::restore(&snapshot(name)).unwrap();
        let event = event(session.view());
        let mut again = Session::restore(&session.snapshot().unwrap()).unwrap();
        assert_eq!(step(&engine, &mut session, event.clone()), *expected, "{name}");
        assert_eq!(step(&engine, &mut again, event), *expected, "{name}, of the current version");
        assert_eq!(again, session, "{name}");
    }
}

#[test]
fn every_snapshot_of_version_1_is_a_case() {
    let files = std::fs::read_dir(folder().join("snapshots/v1")).unwrap();
    let mut files: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let mut cases: Vec<String> = CASES.iter().map(|(name, ..)| format!("{name}.json")).collect();
    files.sort();
    cases.sort();
    assert_eq!(files, cases);
}

#[test]
fn a_snapshot_of_version_1_that_awaits_nothing_is_refused() {
    let mut stored: Value = serde_json::from_str(&snapshot("awaits_rows_of_a_ranking")).unwrap();
    stored["pending"] = json!({});
    let refused = Session::restore(&stored.to_string()).unwrap_err();
    assert!(matches!(refused, SnapshotError::Unreadable(_)), "{refused}");
}

#[test]
fn a_phase_without_its_question_is_refused() {
    let awaits = Session::restore(&snapshot("awaits_rows_of_a_ranking")).unwrap();
    let mut stored: Value = serde_json::from_str(&awaits.snapshot().unwrap()).unwrap();
    stored["session"]["question"] = Value::Null;
    let refused = Session::restore(&stored.to_string()).unwrap_err();
    assert!(matches!(refused, SnapshotError::Unreadable(_)), "{refused}");
}
