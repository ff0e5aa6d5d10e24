//! Errors of the proxy, parsed from its problem documents (RFC 9457).

use super::cell_text::grouped;
use crate::texts;
use serde::Deserialize;
use wherefore_engine::session::{ExecutionFailure, ProblemView, Stage};

/// Code of an engine module that cannot be loaded or started.
pub const ENGINE_UNAVAILABLE: &str = "engine_unavailable";

/// Codes of failures that the page words itself, in its language.
const OWN: [&str; 5] =
    [ENGINE_UNAVAILABLE, ESTIMATE_NOT_ACCEPTED, "http_error", UNREACHABLE, "response_unreadable"];

/// Language of the message of a failure with this code; `None` if it is that of the page.
pub fn lang_of(code: &str) -> Option<&'static str> {
    (!OWN.contains(&code)).then_some("en")
}

/// The message of a failure that the page words in full, in its present language.
pub fn own_message(code: &str) -> Option<&'static str> {
    (code == UNREACHABLE).then(texts::server_silent)
}

/// What to do about a problem, where the page words it: a statement that was not run is no matter of its words.
pub fn hint_of(problem: &ProblemView) -> Option<&'static str> {
    (problem.stage == Stage::Running).then(|| {
        if problem.retryable { texts::try_again_soon() } else { texts::change_or_call_operator() }
    })
}

/// Code of a request without a response.
const UNREACHABLE: &str = "proxy_unreachable";

/// Code of a statement that was not run because its estimate is not accepted yet.
pub const ESTIMATE_NOT_ACCEPTED: &str = "estimate_not_accepted";

/// Why a request to the proxy failed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ApiFailure {
    /// Stable error code, such as `database_unavailable`.
    pub code: String,
    /// Error message in one sentence.
    pub message: String,
    /// HTTP status; 0 if there was no response.
    pub status: u16,
    /// Request id, if the response had one.
    pub request_id: Option<String>,
}

/// Displayed members of a problem document.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ProblemDocument {
    code: String,
    title: String,
    detail: String,
    request_id: Option<String>,
    estimated_rows: Option<usize>,
    plan_step: String,
}

impl ApiFailure {
    /// Error of a request without response.
    pub fn unreachable() -> Self {
        Self {
            code: UNREACHABLE.to_owned(),
            message: texts::server_silent().to_owned(),
            status: 0,
            request_id: None,
        }
    }

    /// Error of a response that ended before its body was complete.
    pub fn broken_off() -> Self {
        let message = texts::connection_broken().to_owned();
        Self { message, ..Self::unreachable() }
    }

    /// Error of a response with an unexpected body.
    pub fn unreadable(what: &str, error: &str) -> Self {
        Self {
            code: "response_unreadable".to_owned(),
            message: texts::unreadable(what, error),
            status: 200,
            request_id: None,
        }
    }

    /// Error of an engine module that cannot be loaded or started.
    pub fn no_engine(error: &str) -> Self {
        Self {
            code: ENGINE_UNAVAILABLE.to_owned(),
            message: texts::engine_failure(error),
            status: 0,
            request_id: None,
        }
    }

    /// Error of a response with an error status; the body need not be a problem document.
    pub fn from_response(status: u16, body: &str) -> Self {
        let document: ProblemDocument = wherefore_engine::read_json(body).unwrap_or_default();
        let or = |text: String, other: &str| if text.is_empty() { other.to_owned() } else { text };
        let message = match document.estimated_rows {
            Some(rows) if document.code == ESTIMATE_NOT_ACCEPTED => {
                texts::estimate(&grouped(rows), &document.plan_step)
            }
            _ => or(document.detail, &document.title),
        };
        Self {
            code: or(document.code, "http_error"),
            message: or(message, &texts::status_failure(&status.to_string())),
            status,
            request_id: document.request_id,
        }
    }

    /// Converts the failure to the engine's type.
    pub fn into_execution_failure(self) -> ExecutionFailure {
        let message = match &self.request_id {
            Some(id) => format!("{} {}", self.message, texts::request_id(id)),
            None => self.message,
        };
        let retryable = matches!(self.status, 0 | 408 | 429 | 502..=504);
        ExecutionFailure { code: self.code, message, retryable }
    }
}

#[cfg(test)]
mod tests {
    use super::ApiFailure;

    #[test]
    fn a_problem_document_gives_code_sentence_and_request() {
        let body = r#"{"type":"about:blank","title":"Unavailable","status":503,
            "detail":"database is away","code":"database_unavailable","request_id":"r-1"}"#;
        let failure = ApiFailure::from_response(503, body);
        assert_eq!(failure.code, "database_unavailable");
        assert_eq!(failure.message, "database is away");
        let failure = failure.into_execution_failure();
        assert_eq!(failure.message, "database is away (request r-1)");
        assert!(failure.retryable);
    }

    #[test]
    fn any_other_body_gives_the_status() {
        let failure = ApiFailure::from_response(422, "<html>");
        assert_eq!(failure.code, "http_error");
        assert_eq!(failure.message, "the server responded with status 422");
        assert!(!failure.into_execution_failure().retryable);
    }

    #[test]
    fn an_estimate_is_told_in_the_words_of_the_page() {
        let body = r#"{"code":"estimate_not_accepted","detail":"send `accept_estimate`",
            "estimated_rows":1200000,"plan_step":"Seq Scan on orders"}"#;
        let message = ApiFailure::from_response(422, body).message;
        assert!(message.contains("1,200,000 rows") && message.contains("(Seq Scan on orders)"));
        assert!(!message.contains("accept_estimate"), "{message}");
    }

    #[test]
    fn no_response_may_be_tried_again() {
        assert!(ApiFailure::unreachable().into_execution_failure().retryable);
    }
}
