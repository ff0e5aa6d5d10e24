//! The account of a question: which words made which clause, and how the other words were read.
//!
//! `UPDATE_EXPECT=1` rewrites the expected accounts.
#![expect(clippy::disallowed_methods, reason = "the scenarios are files, and a variable rewrites")]

#[path = "properties/questions.rs"]
mod questions;
mod support;

use std::fmt::Write;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use support::catalogs::{engine, tests_folder};
use support::play::play;
use support::scenario::{Front, files};
use wherefore_engine::Account;
use wherefore_engine::session::Preview;
use wherefore_engine::text::Span;
use wherefore_sql::Dialect;

const TODAY: &str = "2026-11-20";

/// Fails unless the spans cover every character that is not a space once, on character boundaries.
fn check_covered(text: &str, account: &Account) {
    let of_clauses = account.clauses.iter().flat_map(|clause| clause.spans.iter().copied());
    let mut spans: Vec<Span> =
        of_clauses.chain(account.rest.iter().map(|rest| rest.span)).collect();
    spans.sort();
    let mut end = 0;
    for span in spans {
        let (start, next) = (span.start as usize, span.end as usize);
        assert!(end <= start && start < next, "{text:?}: {span:?} overlaps, or is empty");
        let between = text.get(end..start);
        let is_space = between.is_some_and(|between| between.chars().all(char::is_whitespace));
        assert!(is_space, "{text:?}: {between:?} before {span:?} is not accounted for");
        end = next;
    }
    let left = text.get(end..).map(str::trim);
    assert_eq!(left, Some(""), "{text:?}: the end is not accounted for");
}

/// An account as text: one line for each clause, then one for all other words.
fn told(text: &str, preview: &Preview) -> String {
    let account = &preview.understanding.account;
    let mut told = format!("{text}\n");
    for clause in &account.clauses {
        let kind = serde_json::to_string(&clause.kind).expect("a kind has a name");
        let words: Vec<&str> = clause.spans.iter().map(|span| span.of(text)).collect();
        let source = match clause.default {
            Some(default) => format!("({})", default.reason()),
            None if words.is_empty() => "NOTHING".to_owned(),
            None => words.join(" | "),
        };
        let _ = writeln!(told, "    {}: {} <- {source}", kind.trim_matches('"'), clause.text);
    }
    let rest = account.rest.iter();
    let rest: Vec<String> =
        rest.map(|rest| format!("{} ({})", rest.span.of(text), rest.reading.words())).collect();
    if !rest.is_empty() {
        let _ = writeln!(told, "    rest: {}", rest.join(", "));
    }
    told
}

#[test]
fn questions_are_accounted_for_as_written() {
    let path = tests_folder().join("data/accounts.txt");
    let expected = std::fs::read_to_string(&path).unwrap();
    let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    let questions = expected.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
    let accounts: Vec<String> =
        questions.map(|question| told(question, &engine.preview(question, TODAY))).collect();
    let found = accounts.join("\n");
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| value == "1") {
        std::fs::write(&path, found).unwrap();
    } else {
        assert_eq!(found, expected);
    }
}

// Promise: asking.every-character
#[test]
fn every_word_of_the_dialogues_is_accounted_for() {
    for file in files() {
        let (path, mut accounted) = (file.path.display(), 0);
        let engine = engine(&file.front, Dialect::Sqlite);
        for scenario in &file.scenarios {
            play(&engine, &file.front.today, scenario, &mut |step| {
                let view = step.session.view();
                let account = &view.understanding.account;
                if !account.rest.is_empty() || !account.clauses.is_empty() {
                    check_covered(&view.question, account);
                    accounted += 1;
                }
            });
        }
        assert!(accounted > 0, "{path}: no question is accounted for");
    }
}

// Promise: asking.every-character
#[test]
fn every_word_of_any_text_is_accounted_for() {
    let config = Config { failure_persistence: None, ..Config::default() };
    for name in ["clinic", "shop"] {
        let engine = engine(&Front::of_catalog(name), Dialect::Sqlite);
        let texts =
            prop_oneof![questions::questions(engine.catalog()), questions::texts(engine.catalog())];
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(Config { cases: 128, ..config.clone() }, rng);
        let checked = runner.run(&texts, |text| {
            let preview = engine.preview(&text, TODAY);
            // An empty text, or one that is too long, is not read.
            let account = &preview.understanding.account;
            if !account.rest.is_empty() || !account.clauses.is_empty() {
                check_covered(&text, account);
            }
            Ok(())
        });
        if let Err(error) = checked {
            panic!("{error}");
        }
    }
}
