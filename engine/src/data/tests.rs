//! Tests that an invalid data file is rejected, with the reason.

use super::check::{DataFile, check};
use super::form::{CueWords, Pack, Phrases, RoleRules, Units};

/// Why a text is not a valid data file of type `T`.
fn fault<T: DataFile>(text: &str) -> String {
    check::<T>(text).expect_err(text)
}

#[test]
fn a_field_that_the_form_lacks_is_refused() {
    let text = r#"{"quantities": [{"name": "time", "units": [{"names": ["s"], "sizes": 1}]}]}"#;
    assert!(fault::<Units>(text).contains("unknown field `sizes`"));
}

#[test]
fn a_missing_list_is_refused() {
    assert!(fault::<CueWords>("{}").contains("missing field"));
}

#[test]
fn a_function_that_words_cannot_have_is_refused() {
    assert!(fault::<Phrases>(r#"{"cuont": ["how many"]}"#).contains("unknown variant `cuont`"));
}

#[test]
fn a_role_that_does_not_exist_is_refused() {
    let text = r#"{"roles": [{"name": "prize", "types": ["integer"], "words": ["price"]}]}"#;
    assert!(fault::<RoleRules>(text).contains("no role is called prize"));
}

#[test]
fn a_role_that_stands_there_twice_is_refused() {
    let rule = r#"{"name": "price", "types": ["integer"], "words": ["price"]}"#;
    let text = format!(r#"{{"roles": [{rule}, {rule}]}}"#);
    assert_eq!(fault::<RoleRules>(&text), "the role price stands there twice");
}

#[test]
fn a_phrase_that_stands_there_twice_is_refused() {
    let text = r#"{"count": ["how many", "number of", "how many"]}"#;
    assert_eq!(fault::<Phrases>(text), "Count: “how many” stands there twice");
}

#[test]
fn a_phrase_that_no_question_can_hold_is_refused() {
    for phrase in ["How many", "how  many", ""] {
        let text = format!(r#"{{"count": ["{phrase}"]}}"#);
        assert!(fault::<Phrases>(&text).contains("not words of small letters"), "{phrase:?}");
    }
}

#[test]
fn an_option_with_two_conditions_is_refused() {
    let text = term(r#"{"id": "a", "label": "a", "default": true, "flag": true, "above": 1}"#);
    assert!(fault::<Pack>(&text).contains("option a has 2 conditions"));
}

#[test]
fn a_term_without_a_default_is_refused() {
    let text = term(r#"{"id": "a", "label": "a", "flag": true}"#);
    assert!(fault::<Pack>(&text).starts_with("t: 0 options are the default"));
}

/// A pack with one term, which has this option.
fn term(option: &str) -> String {
    format!(
        r#"{{"name": "x", "terms": [{{"term": "t", "kind": "status", "forms": ["t"],
            "roles": [], "options": [{option}]}}]}}"#
    )
}
