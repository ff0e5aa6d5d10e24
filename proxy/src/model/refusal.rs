//! What the body of an error response of a model server says.
//!
//! Servers agree on the shape of answers, not of errors. `proxy/data/model_errors.tsv` lists lower-case texts of error
//! codes and messages of llama.cpp, vLLM, `LiteLLM`, `OpenAI` and Text Generation Inference, with what each is about.

use serde_json::Value;

/// Lines of a subject and a text that errors about it contain.
const ERRORS: &str = include_str!("../../data/model_errors.tsv");
/// Maximum length of a server's message, in characters.
const MESSAGE: usize = 300;
/// What stands for the key in a message.
const KEY: &str = "[key]";
/// Smallest number in a message that is taken for a number of tokens.
const FEWEST_TOKENS: u32 = 64;

/// Why a server rejected a request with status 400, 413 or 422.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Cause {
    /// The prompt does not fit the context.
    PromptTooLong {
        /// Context size in tokens, if the server says it.
        context: Option<u32>,
        /// Length of the prompt in tokens, if the server says it.
        prompt: Option<u32>,
    },
    /// The model does not exist.
    UnknownModel,
    /// A limit or the temperature is not accepted.
    Sampling,
    /// The response format is not supported.
    Format,
    /// The body does not say.
    Unknown,
}

/// The cause, and the server's own message in one line; empty if it has none.
pub(super) fn read(body: &[u8]) -> (Cause, String) {
    match serde_json::from_slice(body) {
        Ok(document) => of_document(&document),
        Err(_) => (Cause::Unknown, one_line(&String::from_utf8_lossy(body))),
    }
}

/// Like [`read`], of a parsed document.
pub(super) fn of_document(body: &Value) -> (Cause, String) {
    // `{"error": {"message": …}}`, `{"error": "…"}`, `{"message": …}` or `{"detail": …}`.
    let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
    let message = [error.get("message"), error.get("detail"), Some(error)];
    let message = message.into_iter().flatten().find_map(Value::as_str).unwrap_or_default();
    let code = ["type", "code"].iter().filter_map(|name| error.get(name)?.as_str());
    let told: Vec<String> =
        code.chain([message]).map(|text| text.to_lowercase().replace('`', "")).collect();
    let cause = match subject(&told) {
        Some("context") => {
            let (context, prompt) = tokens(error, message);
            Cause::PromptTooLong { context, prompt }
        }
        Some("model") => Cause::UnknownModel,
        Some("sampling") => Cause::Sampling,
        Some("format") => Cause::Format,
        _ => Cause::Unknown,
    };
    (cause, one_line(message))
}

/// The subject of the first line that one of the texts contains.
fn subject(texts: &[String]) -> Option<&'static str> {
    ERRORS
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .find(|(_, sign)| texts.iter().any(|text| text.contains(sign)))
        .map(|(subject, _)| subject)
}

/// Context size and length of the prompt, in tokens: from fields (llama.cpp), else from the message.
fn tokens(error: &Value, message: &str) -> (Option<u32>, Option<u32>) {
    let field =
        |name: &str| error.get(name)?.as_u64().and_then(|tokens| u32::try_from(tokens).ok());
    if let Some(context) = field("n_ctx") {
        return (Some(context), field("n_prompt_tokens"));
    }
    let lower = message.to_lowercase();
    let named = ["context length", "context size", "context window", "must be <="];
    let start = named.iter().find_map(|name| lower.find(name));
    let context = start.and_then(|start| numbers(lower.get(start..).unwrap_or_default()).next());
    let more = |tokens: &u32| context.is_some_and(|context| *tokens > context);
    (context, numbers(&lower).find(more))
}

/// Whole numbers of a text that can be numbers of tokens, in order.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|character: char| !character.is_ascii_digit() && character != ',')
        .filter_map(|digits| digits.replace(',', "").parse().ok())
        .filter(|tokens| *tokens >= FEWEST_TOKENS)
}

/// A message as it may be shown: without the key, which some servers repeat, and shortened.
pub(super) fn shown(message: &str, key: &str) -> String {
    // The key goes first: cutting might leave a part of it.
    let message = if key.is_empty() { message.to_owned() } else { message.replace(key, KEY) };
    message.chars().take(MESSAGE).collect()
}

/// A text without control characters and repeated spaces.
fn one_line(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(body: &str) -> Cause {
        read(body.as_bytes()).0
    }

    #[test]
    fn a_prompt_that_is_too_long_is_recognised_with_its_sizes() {
        let long = |context, prompt| Cause::PromptTooLong { context, prompt };
        for (body, expected) in [
            // llama.cpp
            (
                r#"{"error":{"code":400,"message":"request (5052 tokens) exceeds the available context size (1024 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5052,"n_ctx":1024}}"#,
                long(Some(1_024), Some(5_052)),
            ),
            // LiteLLM in front of it
            (
                r#"{"error":{"message":"litellm.ContextWindowExceededError: OpenAIException - request (5052 tokens) exceeds the available context size (1024 tokens), try increasing it\nmodel=random.","type":"invalid_request_error","param":null,"code":"400"}}"#,
                long(Some(1_024), Some(5_052)),
            ),
            // vLLM
            (
                r#"{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 3,100 tokens (1600 in the messages, 1500 in the completion).","type":"BadRequestError","param":null,"code":400}"#,
                long(Some(2_048), Some(3_100)),
            ),
            // Text Generation Inference
            (
                r#"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1500 `max_new_tokens`","error_type":"validation"}"#,
                long(Some(4_096), Some(5_000)),
            ),
            (r#"{"error":{"message":"","code":"context_length_exceeded"}}"#, long(None, None)),
        ] {
            assert_eq!(cause(body), expected, "{body}");
        }
    }

    #[test]
    fn other_causes_are_told_apart() {
        for (body, expected) in [
            (
                r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=other.","code":"400"}}"#,
                Cause::UnknownModel,
            ),
            (
                r#"{"error":{"code":400,"message":"response_format type must be one of \"text\" or \"json_object\", but got: foo","type":"invalid_request_error"}}"#,
                Cause::Format,
            ),
            (
                r#"{"error":{"message":"Unable to generate parser for this template. JSON schema error at #: unrecognized type"}}"#,
                Cause::Format,
            ),
            (
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}"#,
                Cause::Sampling,
            ),
            (r#"{"error":{"message":"upstream words"}}"#, Cause::Unknown),
            (r#"{"detail":[{"loc":["body"]}]}"#, Cause::Unknown),
            ("<html>Bad Gateway</html>", Cause::Unknown),
            ("", Cause::Unknown),
            ("null", Cause::Unknown),
        ] {
            assert_eq!(cause(body), expected, "{body}");
        }
    }

    #[test]
    fn the_message_is_one_short_line() {
        let body = format!(r#"{{"error":{{"message":"one\n\ttwo {}"}}}}"#, "x".repeat(1_000));
        let message = shown(&read(body.as_bytes()).1, "");
        assert!(message.starts_with("one two x"));
        assert_eq!(message.chars().count(), MESSAGE);
        assert_eq!(read(b"<b>no</b>").1, "<b>no</b>");
    }

    #[test]
    fn no_part_of_the_key_is_shown_where_the_message_is_cut() {
        let key = "secret-key";
        for before in 280..310 {
            let message = format!("{}{key} is wrong", "x".repeat(before));
            assert!(!shown(&message, key).contains("secret"), "{before}");
        }
        assert_eq!(shown("the key secret-key is wrong", key), "the key [key] is wrong");
    }
}
