//! Masks for values that vary between runs: ids of the proxy, times, and versions of the catalog.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Names of members that contain a time or a duration, besides those that end in `_ms`.
const TIMES: [&str; 4] = ["age_seconds", "asked_at", "ended_at", "last_used"];

/// Replaces varying values; equal ids get equal masks, so that references between replies stay visible.
#[derive(Debug, Default)]
pub struct Mask {
    known: BTreeMap<String, String>,
    counts: BTreeMap<String, usize>,
}

impl Mask {
    /// The value with all varying parts masked.
    #[must_use]
    pub fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => {
                let mut masked = Map::new();
                for (name, member) in members {
                    masked.insert(name.clone(), self.member(name, member));
                }
                Value::Object(masked)
            }
            Value::String(text) => Value::String(self.text(text)),
            scalar => scalar.clone(),
        }
    }

    fn member(&mut self, name: &str, member: &Value) -> Value {
        let is_time = TIMES.contains(&name) || name.ends_with("_ms");
        match member {
            // Whether a time is known at all is recorded.
            Value::Null => Value::Null,
            Value::Object(stages) if is_time => {
                Value::Object(stages.keys().map(|name| (name.clone(), json!("<time>"))).collect())
            }
            _ if is_time => json!("<time>"),
            _ => self.value(member),
        }
    }

    /// The text with all varying parts masked.
    #[must_use]
    pub fn text(&mut self, text: &str) -> String {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let mut masked = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            masked.push_str(&rest[..start]);
            rest = &rest[start..];
            let (word, behind) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
            // Cursor of a page of the history: milliseconds and an id.
            if word.len() == 13 && behind.starts_with(".q_") && is_digits(word) {
                masked.push_str("<time>");
            } else if masked.ends_with("data-") && word.len() == 24 && is_hexadecimal(word) {
                // Random name that delimits the data in a prompt.
                masked.push_str("<name>");
            } else if word.ends_with("_ms") && behind.starts_with("\":") {
                // JSON inside a text: the number is masked.
                masked.push_str(word);
                masked.push_str("\":<time>");
                rest = behind[2..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                continue;
            } else {
                masked.push_str(&self.word(word));
            }
            rest = behind;
        }
        masked.push_str(rest);
        masked
    }

    /// Masks an id: letters, an underscore and 16 random bytes, or `req_` and 8.
    fn word(&mut self, word: &str) -> String {
        let Some((kind, random)) = word.rsplit_once('_') else { return word.to_owned() };
        let length = if kind == "req" { 16 } else { 32 };
        if random.len() != length || !is_hexadecimal(random) {
            return word.to_owned();
        }
        if let Some(known) = self.known.get(word) {
            return known.clone();
        }
        let count = self.counts.entry(kind.to_owned()).or_default();
        *count += 1;
        let masked = format!("{kind}_<{count}>");
        self.known.insert(word.to_owned(), masked.clone());
        masked
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_numbered_and_times_are_gone() {
        let id = |end: char| format!("clf_{}{end}", "0".repeat(31));
        let mut mask = Mask::default();
        let value =
            json!({"id": id('a'), "elapsed_ms": 7, "text": format!("{} {}!", id('b'), id('a'))});
        let masked = mask.value(&value);
        assert_eq!(
            masked,
            json!({"id": "clf_<1>", "elapsed_ms": "<time>", "text": "clf_<2> clf_<1>!"})
        );
        assert_eq!(mask.text("<data-0123456789abcdef01234567>"), "<data-<name>>");
        assert_eq!(
            mask.text("q_759b652814a495b0 {\"a_ms\":1.5,"),
            "q_759b652814a495b0 {\"a_ms\":<time>,"
        );
    }
}
