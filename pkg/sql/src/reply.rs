//! Replies to JavaScript.

use serde::Serialize;
use serde_json::json;
use wherefore_sql::Diagnostic;

use crate::spans;

/// Error that JavaScript throws.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    name: &'static str,
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Diagnostic>,
}

impl Refusal {
    pub(crate) fn new(name: &'static str, code: &'static str, message: &str) -> Self {
        Self { name, code, message: message.to_owned(), diagnostics: Vec::new() }
    }

    /// Error of a rejected statement, with its faults.
    pub(crate) fn statement(
        code: &'static str,
        mut diagnostics: Vec<Diagnostic>,
        sql: &str,
    ) -> Self {
        for fault in &mut diagnostics {
            spans::convert(&mut fault.span, sql);
        }
        let message = diagnostics.first().map_or_else(String::new, ToString::to_string);
        Self { name: "StatementError", code, message, diagnostics }
    }

    /// Error of a rejected schema, whose message starts with the line.
    pub(crate) fn schema(mut fault: Diagnostic, sql: &str) -> Self {
        spans::convert(&mut fault.span, sql);
        let message = fault.message.clone();
        Self { diagnostics: vec![fault], ..Self::new("SchemaError", "schema_unreadable", &message) }
    }
}

/// A result as JSON.
pub(crate) fn reply<T: Serialize>(result: Result<T, Refusal>) -> String {
    match result {
        Ok(value) => json!({ "value": value }),
        Err(refusal) => json!({ "error": refusal }),
    }
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::{Refusal, reply};

    #[test]
    fn an_error_is_told_from_a_value() {
        assert_eq!(reply(Ok(7)), r#"{"value":7}"#);
        let refused = Refusal::new("AskedError", "invalid_asked", "no object");
        let expected =
            r#"{"error":{"code":"invalid_asked","message":"no object","name":"AskedError"}}"#;
        assert_eq!(reply::<()>(Err(refused)), expected);
    }
}
