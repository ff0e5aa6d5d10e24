//! Completions of beginnings of questions, on the hand-written catalogs.
//!
//! `UPDATE_EXPECT=1` rewrites the expected completions.
#![expect(clippy::disallowed_methods, reason = "the cases are a file, and a variable rewrites")]

#[path = "support/catalogs.rs"]
mod catalogs;
#[path = "support/scenario.rs"]
#[expect(dead_code, reason = "only the front lines of a file are needed")]
mod scenario;

use std::fmt::Write;

use catalogs::{engine, tests_folder};
use proptest::prelude::*;
use scenario::Front;
use wherefore_engine::session::{Completion, Event, Start};
use wherefore_engine::{Engine, Session};
use wherefore_sql::Dialect;

const TODAY: &str = "2026-11-20";

fn offered(engine: &Engine, text: &str) -> Vec<Completion> {
    engine.completions(text, text.len(), TODAY)
}

fn accepted(text: &str, completion: &Completion) -> String {
    let (start, end) = (completion.span.start as usize, completion.span.end as usize);
    format!("{}{}{}", &text[..start], completion.insert, &text[end..])
}

/// Beginnings of a catalog with their completions: a line of `# catalog`, then each beginning in `|…|`.
fn told(file: &str) -> String {
    let mut told = String::new();
    let mut current = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    for line in file.lines() {
        if let Some(catalog) = line.strip_prefix("# ") {
            current = engine(&Front::of_catalog(catalog), Dialect::Sqlite);
            let _ = writeln!(told, "{line}");
        } else if let Some(text) = line.strip_prefix('|').and_then(|it| it.strip_suffix('|')) {
            let _ = writeln!(told, "\n{line}");
            for completion in offered(&current, text) {
                let kind = serde_json::to_string(&completion.kind).expect("a kind has a name");
                let asks = if completion.asks { ", asks" } else { "" };
                let _ = writeln!(
                    told,
                    "    {} ({}{asks})",
                    accepted(text, &completion),
                    kind.trim_matches('"')
                );
            }
        }
    }
    told
}

#[test]
fn beginnings_are_continued_as_written() {
    let path = tests_folder().join("data/completions.txt");
    let expected = std::fs::read_to_string(&path).unwrap();
    let found = told(&expected);
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1") {
        std::fs::write(&path, found).unwrap();
    } else {
        assert_eq!(found, expected);
    }
}

/// What is offered can be answered, and asks something else than what stands there and what else is offered.
fn check_offered(engine: &Engine, text: &str) {
    let found = offered(engine, text);
    assert!(found.len() <= 6, "{text:?}: {found:?}");
    let mut statements = Vec::new();
    for completion in &found {
        let whole = accepted(text, completion);
        let preview = engine.preview(&format!("{whole} "), TODAY);
        let sql = preview.sql.unwrap_or_else(|| panic!("{whole:?} has no statement"));
        assert!(preview.understanding.unread.is_empty(), "{whole:?} has unread words");
        assert_eq!(completion.asks, !preview.clarifications.is_empty(), "{whole:?}");
        assert!(!statements.contains(&sql), "{whole:?} asks what another one asks");
        assert_ne!(whole.trim(), text.trim(), "{text:?} is repeated");
        statements.push(sql);
    }
    assert!(found.is_sorted_by_key(|completion| completion.asks), "{text:?}");
}

#[test]
fn every_completion_of_every_beginning_can_be_answered() {
    for catalog in ["shop", "clinic", "music"] {
        let engine = engine(&Front::of_catalog(catalog), Dialect::Sqlite);
        for text in ["how m", "number of ", "average ", "list ", "top 5 ", "which ", "total "] {
            check_offered(&engine, text);
            for completion in offered(&engine, text).iter().take(2) {
                check_offered(&engine, &format!("{} ", accepted(text, completion)));
            }
        }
    }
}

#[test]
fn nothing_is_offered_for_an_empty_field_within_a_word_or_without_a_day() {
    let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    assert!(engine.completions("", 0, TODAY).is_empty());
    assert!(engine.completions("   ", 3, TODAY).is_empty());
    assert!(engine.completions("how many orders", 6, TODAY).is_empty());
    assert!(engine.completions("how m", 99, TODAY).is_empty());
    assert!(engine.completions("é", 1, TODAY).is_empty());
    assert!(engine.completions("how m", 5, "today").is_empty());
    assert!(!engine.completions("how m", 5, TODAY).is_empty());
}

#[test]
fn what_stands_behind_the_cursor_is_kept() {
    let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    let text = "how many ord where status is shipped";
    let found = engine.completions(text, 12, TODAY);
    let whole: Vec<String> = found.iter().map(|completion| accepted(text, completion)).collect();
    assert!(
        whole.iter().any(|whole| whole == "how many orders where status is shipped"),
        "{whole:?}"
    );
}

#[test]
fn a_follow_up_is_continued_by_what_fits_the_question_before() {
    let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    let mut session = Session::started(Start::default());
    let text = "number of orders".to_owned();
    let event = Event::Ask { text, today: TODAY.to_owned(), skip_clarification: false };
    session.step(&engine, event).unwrap();
    let context = session.context().expect("a statement");
    let found = engine.completions_after("by mo", 5, TODAY, &context);
    let labels: Vec<&str> = found.iter().map(|completion| completion.label.as_str()).collect();
    assert!(labels.contains(&"by month"), "{labels:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_makes_completions_panic_and_equal_texts_have_equal_ones(
        text in "([a-z]{1,9}|how many|by|in 2025|é|\"| |,|orders|customers){0,6}",
        place in 0_usize..40,
    ) {
        let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
        let found = engine.completions(&text, place, TODAY);
        prop_assert_eq!(&found, &engine.completions(&text, place, TODAY));
        for completion in found {
            prop_assert!(text.get(completion.span.start as usize..completion.span.end as usize).is_some());
        }
    }
}
