//! What the asker settled is shown as settled.
#![expect(clippy::disallowed_methods, reason = "the catalogs are files")]

#[expect(dead_code, reason = "only the catalogs are needed")]
mod support;

use support::catalogs::engine;
use support::scenario::Front;
use wherefore_engine::Session;
use wherefore_engine::clarification::{Answer, ClarificationAnswer};
use wherefore_engine::session::Event;
use wherefore_sql::Dialect;

// Promise: confidence.settled
#[test]
fn a_word_that_the_asker_settled_is_certain_and_has_the_meaning_chosen() {
    let engine = engine(&Front::of_catalog("shop"), Dialect::Sqlite);
    let mut session = Session::new();
    let (text, today) = ("recent orders".to_owned(), "2026-11-20".to_owned());
    session.step(&engine, Event::Ask { text, today, skip_clarification: false }).unwrap();
    let told = |session: &Session| {
        let mentions = &session.view().understanding.mentions;
        mentions.iter().find(|mention| mention.phrase == "recent").cloned().unwrap()
    };
    let before = told(&session);
    assert!(before.confidence < 0.95, "{before:?}");
    let clarification = session.view().clarifications[0].clone();
    let option = clarification.options[0].clone();
    let answer = Answer::Option { option_id: option.id.clone() };
    let answers = vec![ClarificationAnswer { clarification_id: clarification.id, answer }];
    session.step(&engine, Event::Answer { answers }).unwrap();
    let after = told(&session);
    assert!(after.confidence >= 0.95, "{after:?}");
    assert_eq!((after.meaning, after.reason), (option.label, "your answer".to_owned()));
}
