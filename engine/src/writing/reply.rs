//! Parses replies of a model: one JSON object, possibly surrounded by other text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::packet::plain;
use super::{StatedAssumption, SubQuestion, WrittenOption};

/// Maximum length of a reply, in bytes.
const REPLY: usize = 200_000;
/// Maximum number of positions at which a JSON object is tried.
const PLACES: usize = 50;
/// Maximum number of assumptions, steps, questions and options that are kept.
const KEPT: usize = 10;

/// The reply of a model to a writing task.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// A statement.
    Draft(Draft),
    /// The data cannot answer the question; the reason.
    OutOfScope(String),
    /// Questions instead of a statement.
    Questions(Vec<Asked>),
}

/// A draft as the model wrote it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Draft {
    pub(super) sql: String,
    pub(super) explanation: String,
    pub(super) assumptions: Vec<StatedAssumption>,
    pub(super) steps: Vec<SubQuestion>,
}

/// A question as the model asked it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Asked {
    pub(super) term: String,
    pub(super) question: String,
    pub(super) options: Vec<AskedOption>,
}

/// An option of a question of the model.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct AskedOption {
    pub(super) label: String,
    pub(super) table: String,
    pub(super) column: String,
    pub(super) value: String,
}

/// Parses the reply to a writing task; `None` if it has none of the requested forms.
pub(super) fn reply(text: &str) -> Option<Reply> {
    let object = object(text, |object| {
        ["sql", "clarifications", "out_of_scope"].iter().any(|name| object.get(name).is_some())
    })?;
    let sql = text_of(&object, "sql", usize::MAX);
    if !sql.trim().is_empty() {
        return Some(Reply::Draft(Draft {
            sql,
            explanation: text_of(&object, "explanation", 600),
            assumptions: list(&object, "assumptions", |entry| {
                let assumption = StatedAssumption {
                    term: text_of(entry, "term", 160),
                    value: text_of(entry, "value", 300),
                    reason: text_of(entry, "reason", 300),
                    confidence: entry["confidence"].as_f64().map(|sure| sure.clamp(0.0, 1.0)),
                    options: options(entry).into_iter().map(AskedOption::unchecked).collect(),
                };
                (!assumption.term.is_empty() && !assumption.value.is_empty()).then_some(assumption)
            }),
            steps: list(&object, "steps", |entry| {
                let (name, question) =
                    (text_of(entry, "name", 64), text_of(entry, "question", 300));
                (!name.is_empty()).then_some(SubQuestion { name, question })
            }),
        }));
    }
    let questions = questions(&object);
    if !questions.is_empty() {
        return Some(Reply::Questions(questions));
    }
    let reason = text_of(&object, "out_of_scope", 300);
    (!reason.is_empty()).then_some(Reply::OutOfScope(reason))
}

/// Questions of a reply.
pub(super) fn questions(object: &Value) -> Vec<Asked> {
    list(object, "clarifications", |entry| {
        let options = options(entry);
        let term = text_of(entry, "term", 160);
        (!term.is_empty()).then(|| Asked {
            term,
            question: text_of(entry, "question", 300),
            options,
        })
    })
}

fn options(entry: &Value) -> Vec<AskedOption> {
    list(entry, "options", |option| {
        Some(AskedOption {
            label: text_of(option, "label", 160),
            table: text_of(option, "table", 200),
            column: text_of(option, "column", 200),
            value: text_of(option, "value", 256),
        })
    })
}

impl AskedOption {
    /// The option as it is, whether or not the catalog contains it.
    fn unchecked(self) -> WrittenOption {
        let Self { label, table, column, value } = self;
        let given = |text: String| Some(text).filter(|text| !text.is_empty());
        WrittenOption { label, table, column: given(column), value: given(value), figure: None }
    }

    /// The texts of an option.
    pub(super) fn of(option: &WrittenOption) -> Self {
        let WrittenOption { label, table, column, value, .. } = option.clone();
        let (column, value) = (column.unwrap_or_default(), value.unwrap_or_default());
        Self { label, table, column, value }
    }
}

/// The first complete JSON object in a text that `wanted` accepts; surrounding text is ignored.
pub(super) fn object(text: &str, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    let text = text.get(..text.floor_char_boundary(REPLY))?;
    let text = text.rsplit_once("</think>").map_or(text, |(_, after)| after);
    text.match_indices('{').take(PLACES).find_map(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        values.next()?.ok().filter(|value| wanted(value))
    })
}

/// A string member without invisible characters, truncated to `most` characters; empty if absent.
pub(super) fn text_of(object: &Value, name: &str, most: usize) -> String {
    match object.get(name) {
        Some(Value::String(text)) if most == usize::MAX => text.clone(),
        Some(Value::String(text)) => plain(text.trim(), most),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(value)) => value.to_string(),
        _ => String::new(),
    }
}

/// Strings of an array member.
pub(super) fn texts(object: &Value, name: &str) -> Vec<String> {
    let values = object.get(name).and_then(Value::as_array).into_iter().flatten();
    values.filter_map(Value::as_str).take(40).map(|text| plain(text, 300)).collect()
}

fn list<T>(object: &Value, name: &str, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    let values = object.get(name).and_then(Value::as_array).into_iter().flatten();
    values.take(KEPT).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sql(text: &str) -> Option<String> {
        match reply(text) {
            Some(Reply::Draft(draft)) => Some(draft.sql),
            _ => None,
        }
    }

    #[test]
    fn an_object_is_found_in_whatever_stands_around_it() {
        for text in [
            r#"{"sql": "SELECT 1"}"#,
            "Here it is:\n```json\n{\"sql\": \"SELECT 1\"}\n```\nHope it helps {}",
            r#"<think>maybe {"sql": "SELECT 2"}</think>{"sql": "SELECT 1", "confidence": "high"}"#,
            r#"{"note": {}} {"sql": "SELECT 1", "assumptions": "none", "steps": [1, null]}"#,
        ] {
            assert_eq!(sql(text).as_deref(), Some("SELECT 1"), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_reply() {
        for text in [
            "",
            "SELECT 1",
            "{",
            r#"{"sql": ""}"#,
            r#"{"sql": ["SELECT 1"]}"#,
            "[1]",
            r#"{"query": "SELECT 1"}"#,
        ] {
            assert_eq!(reply(text), None, "{text}");
        }
    }

    #[test]
    fn the_other_two_forms_are_read() {
        assert_eq!(
            reply(r#"{"out_of_scope": "no weather here"}"#),
            Some(Reply::OutOfScope("no weather here".into()))
        );
        let Some(Reply::Questions(asked)) = reply(
            r#"{"clarifications": [{"term": "price", "options": [{"label": "list price", "table": "item", "column": "price"}]}, {"options": []}]}"#,
        ) else {
            panic!("questions were not read");
        };
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].options[0].column, "price");
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text: String, start in "[{\\[\"a-z:]{0,40}") {
            reply(&text);
            reply(&format!("{start}{text}"));
            reply(&format!("{{\"sql\": {text}"));
        }
    }
}
