//! Invariants of the engine (`ARCHITECTURE.md`), checked on every dialogue and on random questions.
//!
//! The random part starts from a fixed seed; `PROPTEST_CASES` sets the number of cases.
#![expect(clippy::disallowed_methods, reason = "the scenarios and the source are files")]

#[path = "properties/actions.rs"]
mod actions;
#[path = "properties/answers.rs"]
mod answers;
#[path = "properties/bindings.rs"]
mod bindings;
#[path = "properties/questions.rs"]
mod questions;
mod support;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use actions::{Action, actions, conversations, drive};
use answers::answers_are_kept;
use bindings::pieces;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use support::catalogs::{engine, tests_folder};
use support::play::play;
use support::scenario::{Front, Kind, files};
use wherefore_engine::clarification::{Clarification, CustomInput};
use wherefore_engine::session::{Event, Outcome, SnapshotError, State, View};
use wherefore_engine::{Engine, Knowledge, Session};
use wherefore_sql::Dialect;

/// The day on which questions are asked.
pub(crate) const TODAY: &str = "2026-11-20";

/// An engine for each of the catalogs, in this dialect.
fn engines(dialect: Dialect) -> Vec<Engine> {
    ["clinic", "shop", "weather"]
        .iter()
        .map(|name| engine(&Front::of_catalog(name), dialect))
        .collect()
}

/// Checks a property on values drawn from a fixed seed.
fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value)) {
    let standard = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { standard.cases } else { cases };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner =
        TestRunner::new_with_rng(Config { cases, failure_persistence: None, ..standard }, rng);
    let result = runner.run(strategy, |value| {
        property(value);
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

/// Checks a property on random sequences of actions, on every catalog.
fn check_actions(cases: u32, property: impl Fn(&Engine, &[Action])) {
    for engine in engines(Dialect::Sqlite) {
        let questions = questions::questions(engine.catalog()).boxed();
        check(cases, &actions(questions), |actions| property(&engine, &actions));
    }
}

/// A session after a step of a dialogue.
struct Step {
    place: String,
    engine: Arc<Engine>,
    session: Session,
}

/// Every step of every dialogue, in both dialects.
static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let mut steps = Vec::new();
    for file in files() {
        for dialect in [Dialect::Sqlite, Dialect::Postgres] {
            let engine = Arc::new(engine(&file.front, dialect));
            for scenario in &file.scenarios {
                let place = format!("{}: {}", file.path.display(), scenario.title);
                play(&engine, &file.front.today, scenario, &mut |step| {
                    let (place, session) = (place.clone(), step.session.clone());
                    steps.push(Step { place, engine: Arc::clone(&engine), session });
                });
            }
        }
    }
    steps
});

#[test]
fn i1_the_engine_reads_no_clock_file_network_or_hash_order() {
    let source = tests_folder().join("../src");
    let rules: Vec<(&str, &str)> = include_str!("data/forbidden_uses.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut found = Vec::new();
    each_source_file(&source, &mut |path, text| {
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (name, reason) in rules.iter().filter(|(name, _)| code.contains(name)) {
                found.push(format!("{}:{}: {name}: {reason}", path.display(), number + 1));
            }
        }
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn each_source_file(folder: &Path, see: &mut dyn FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            each_source_file(&path, see);
        } else {
            see(&path, &std::fs::read_to_string(&path).expect("the source is text"));
        }
    }
}

#[test]
fn i2_the_same_events_give_the_same_bytes() {
    check_actions(16, |engine, actions| {
        let run = |engine: &Engine| {
            let mut bytes = Vec::new();
            drive(engine, actions, &mut |_, result, session| {
                bytes.push(match result {
                    Ok(effects) => serde_json::to_string(effects).unwrap(),
                    Err(error) => error.to_string(),
                });
                bytes.push(session.snapshot().unwrap());
            });
            bytes
        };
        let again = Engine::new(Knowledge {
            catalog: engine.catalog().clone(),
            settings: engine.settings().clone(),
            ..Knowledge::default()
        });
        assert_eq!(run(engine), run(&again));
    });
}

#[test]
fn i2_a_preview_gives_the_same_bytes_twice() {
    for engine in engines(Dialect::Postgres) {
        check(64, &questions::questions(engine.catalog()), |text| {
            let bytes = || serde_json::to_string(&engine.preview(&text, TODAY)).unwrap();
            assert_eq!(bytes(), bytes());
        });
    }
}

#[test]
fn i3_a_snapshot_round_trips_after_every_step() {
    for Step { place, session, .. } in STEPS.iter() {
        let snapshot = session.snapshot().unwrap();
        let restored = Session::restore(&snapshot).unwrap();
        assert_eq!(restored, *session, "{place}");
        assert_eq!(restored.snapshot().unwrap(), snapshot, "{place}");
    }
}

#[test]
fn i3_a_restored_session_goes_on_like_the_one_it_was_taken_from() {
    check_actions(24, |engine, actions| {
        let mut restored = Session::new();
        drive(engine, actions, &mut |event, result, session| {
            restored = Session::restore(&restored.snapshot().unwrap()).unwrap();
            assert_eq!(restored.step(engine, event.clone()), *result);
            assert_eq!(restored.snapshot().unwrap(), session.snapshot().unwrap());
        });
    });
}

#[test]
fn i3_a_snapshot_of_a_later_version_is_refused() {
    let mut snapshot: serde_json::Value =
        serde_json::from_str(&Session::new().snapshot().unwrap()).unwrap();
    let supported = snapshot["version"].as_u64().unwrap();
    snapshot["version"] = (supported + 1).into();
    snapshot["field_of_a_later_version"] = true.into();
    let refused = Session::restore(&snapshot.to_string()).unwrap_err();
    let expected = SnapshotError::Newer {
        found: u32::try_from(supported).unwrap() + 1,
        supported: u32::try_from(supported).unwrap(),
    };
    assert_eq!(refused, expected);
}

#[test]
fn i3_what_is_no_snapshot_is_refused() {
    for text in ["", "{}", "[]", "null", "{\"version\":1}", "{\"version\":-1}", "\u{0}"] {
        let refused = Session::restore(text).unwrap_err();
        assert!(matches!(refused, SnapshotError::Unreadable(_)), "{text}: {refused}");
    }
}

#[test]
fn i4_no_text_makes_a_preview_panic() {
    for engine in engines(Dialect::Sqlite) {
        check(192, &questions::texts(engine.catalog()), |text| {
            engine.preview(&text, TODAY);
        });
    }
}

#[test]
fn i4_no_day_makes_a_preview_panic() {
    let engine = &engines(Dialect::Postgres)[1];
    let day = prop_oneof![any::<String>(), "-?[0-9]{1,6}-[0-9]{1,2}-[0-9]{1,2}"];
    let days = (questions::questions(engine.catalog()), day);
    check(128, &days, |(text, today)| {
        engine.preview(&text, &today);
    });
    for today in ["-9999-01-01", "0000-01-01", "9999-12-31"] {
        for text in ["recent orders", "orders last year", "orders next 90 days", "sales trend"] {
            engine.preview(text, today);
        }
    }
}

#[test]
fn i4_no_order_of_events_makes_a_session_panic() {
    for engine in engines(Dialect::Sqlite) {
        let texts = questions::texts(engine.catalog()).boxed();
        check(128, &actions(texts), |actions| drive(&engine, &actions, &mut |_, _, _| {}));
    }
}

#[test]
fn i4_no_follow_up_makes_a_session_panic() {
    for engine in engines(Dialect::Sqlite) {
        let questions = questions::questions(engine.catalog()).boxed();
        check(48, &conversations(questions), |actions| {
            drive(&engine, &actions, &mut |_, _, session| {
                outcome_is_one("random", session.view());
                options_resolve("random", &engine, session.view());
                let restored = Session::restore(&session.snapshot().unwrap()).unwrap();
                assert_eq!(restored, *session);
            });
        });
    }
}

#[test]
fn i4_no_length_makes_a_session_panic() {
    let engine = &engines(Dialect::Sqlite)[1];
    let limit = engine.settings().question_bytes as usize;
    for piece in ["a", "orders ", "顧", "\u{202e}", "\"", "1,", "in 2025 "] {
        let long = piece.repeat(100_000 / piece.len());
        let longest = piece.repeat(limit / piece.len());
        for text in [long, longest] {
            engine.preview(&text, TODAY);
            let event = Event::Ask { text, today: TODAY.to_owned(), skip_clarification: true };
            let _ = Session::new().step(engine, event);
        }
    }
}

/// All clarifications of a view, open or answered.
fn clarifications(view: &View) -> impl Iterator<Item = &Clarification> {
    view.clarifications
        .iter()
        .chain(view.assumptions.iter().map(|assumption| &assumption.clarification))
}

fn options_resolve(place: &str, engine: &Engine, view: &View) {
    let question = &view.question;
    for clarification in clarifications(view) {
        for option in &clarification.options {
            for piece in pieces(&option.binding) {
                let resolves = piece.resolves_in(engine.catalog());
                assert!(resolves, "{place}: {question}: {}: {piece:?}", option.label);
            }
        }
        match &clarification.custom {
            Some(CustomInput::DateRange { column } | CustomInput::Number { column, .. }) => {
                assert!(engine.catalog().column(column).is_some(), "{place}: {question}: {column}");
            }
            Some(CustomInput::Text { .. }) | None => {}
        }
        let best = &clarification.recommended;
        let offered = |id: &String| clarification.options.iter().any(|option| option.id == *id);
        assert!(best.as_ref().is_none_or(offered), "{place}: {question}");
        let mut ids: Vec<&str> =
            clarification.options.iter().map(|option| option.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), clarification.options.len(), "{}", clarification.plain_text);
    }
}

#[test]
fn i7_every_option_of_the_dialogues_resolves_in_the_catalog() {
    for Step { place, engine, session } in STEPS.iter() {
        options_resolve(place, engine, session.view());
    }
}

#[test]
fn i7_every_option_resolves_in_the_catalog() {
    check_actions(96, |engine, actions| {
        drive(engine, actions, &mut |_, _, session| {
            options_resolve("random", engine, session.view());
        });
    });
}

fn outcome_is_one(place: &str, view: &View) {
    let told = format!(
        "{place}: {}: {:?} {:?} {:?}",
        view.question, view.state, view.outcome, view.problem
    );
    let asks = view.outcome == Some(Outcome::NeedsClarification);
    assert_eq!(asks, !view.clarifications.is_empty(), "{told}");
    assert_eq!(asks, view.state == State::AwaitingClarification, "{told}");
    let answered = view.outcome == Some(Outcome::Answered);
    assert_eq!(answered, view.state == State::Completed, "{told}");
    assert!(!answered || view.sql.is_some(), "{told}");
    let failed = matches!(
        view.outcome,
        Some(Outcome::ExecutionFailed | Outcome::GenerationFailed | Outcome::OutOfScope)
    );
    assert_eq!(failed, view.state == State::Failed, "{told}");
    assert_eq!(failed, view.problem.is_some(), "{told}");
    assert!(view.problem.iter().all(|problem| !problem.code.is_empty()), "{told}");
    let unwritten = matches!(view.outcome, Some(Outcome::GenerationFailed | Outcome::OutOfScope));
    assert!(!unwritten || view.sql.is_none(), "{told}");
    assert!(!unwritten || view.result.is_none(), "{told}");
}

#[test]
fn i8_the_outcomes_of_the_dialogues_are_never_mixed() {
    for Step { place, session, .. } in STEPS.iter() {
        outcome_is_one(place, session.view());
    }
}

#[test]
fn i8_outcomes_are_never_mixed() {
    check_actions(96, |engine, actions| {
        drive(engine, actions, &mut |_, _, session| outcome_is_one("random", session.view()));
    });
}

#[test]
fn i8_a_refused_step_leaves_the_session_as_it_was() {
    check_actions(48, |engine, actions| {
        let mut before = Session::new().snapshot().unwrap();
        drive(engine, actions, &mut |_, result, session| {
            if result.is_err() {
                assert_eq!(session.snapshot().unwrap(), before);
            }
            before = session.snapshot().unwrap();
        });
    });
}

/// An engine without a database, so that nothing waits for a search.
fn engine_alone(name: &str) -> Engine {
    engine(&Front { database: false, ..Front::of_catalog(name) }, Dialect::Sqlite)
}

#[test]
fn i9_every_answer_of_the_dialogues_is_found_in_the_statement() {
    for file in files() {
        let engine = engine_alone(&file.front.catalog);
        for scenario in &file.scenarios {
            for block in scenario.blocks.iter().filter(|block| block.kind == Kind::User) {
                answers_are_kept(&engine, &block.text);
            }
        }
    }
}

#[test]
fn i9_every_answer_is_found_in_the_statement() {
    for name in ["clinic", "shop", "weather"] {
        let engine = engine_alone(name);
        check(64, &questions::questions(engine.catalog()), |text| answers_are_kept(&engine, &text));
    }
}
