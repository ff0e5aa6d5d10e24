//! Wire format: the parts of `OpenAI`'s chat completions API that are used.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wherefore_engine::writing::Prompt;

/// Levels of support for the API; each level leaves out more.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Dialect {
    /// A JSON schema for the response.
    Schema,
    /// Any JSON object.
    Object,
    /// No response format.
    Plain,
    /// `max_completion_tokens` instead of `max_tokens`, and no temperature.
    Newest,
}

impl Dialect {
    /// All levels, the fullest first.
    pub(super) const ALL: [Self; 4] = [Self::Schema, Self::Object, Self::Plain, Self::Newest];
}

/// Body of a request.
pub(super) fn request(model: &str, prompt: &Prompt, answer_tokens: u32, dialect: Dialect) -> Value {
    let mut body = json!({
        "model": model,
        "messages": [
            { "role": "system", "content": prompt.system },
            { "role": "user", "content": prompt.user },
        ],
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if dialect == Dialect::Newest {
        body["max_completion_tokens"] = json!(answer_tokens);
    } else {
        body["max_tokens"] = json!(answer_tokens);
        body["temperature"] = json!(prompt.temperature);
    }
    match dialect {
        Dialect::Schema => {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": { "name": prompt.task.name(), "schema": prompt.task.schema() },
            });
        }
        Dialect::Object => body["response_format"] = json!({ "type": "json_object" }),
        Dialect::Plain | Dialect::Newest => {}
    }
    body
}

/// A response, or one event of a stream.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Chunk {
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Choice {
    delta: Option<Content>,
    message: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Content {
    content: Option<String>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Usage {
    total_tokens: u32,
}

impl Chunk {
    /// Text of the chunk.
    pub(super) fn text(&self) -> &str {
        let choice = self.choices.first();
        let content = choice.and_then(|choice| choice.delta.as_ref().or(choice.message.as_ref()));
        content.and_then(|content| content.content.as_deref()).unwrap_or_default()
    }

    /// Whether the chunk is the last event of the response.
    pub(super) fn ends(&self) -> bool {
        self.choices.first().is_some_and(|choice| choice.finish_reason.is_some())
    }

    /// Tokens used, if reported.
    pub(super) fn tokens(&self) -> Option<u32> {
        self.usage.as_ref().map(|usage| usage.total_tokens).filter(|tokens| *tokens > 0)
    }

    /// The document of an error that the chunk reports, if it does.
    pub(super) fn error(&self) -> Option<Value> {
        let error = self.error.as_ref().filter(|error| !error.is_null())?;
        Some(json!({ "error": error }))
    }
}
