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
#[derive(Clone, Debug)]
pub struct ApiFailure {
    /// Stable error code, such as `database_unavailable`.
    pub code: String,
    cause: Cause,
    /// HTTP status; 0 if there was no response.
    pub status: u16,
    /// Request id, if the response had one.
    pub request_id: Option<String>,
}

/// What a failure says; it is worded when it is shown, in the language that the page has then.
#[derive(Clone, Debug)]
enum Cause {
    /// The response ended before its body was complete.
    BrokenOff,
    /// The engine's module cannot be loaded or started, for this reason.
    Engine(String),
    /// So many rows are estimated at a step of the plan.
    Estimate(usize, String),
    /// The server words it, in English.
    Given(String),
    /// The server did not respond.
    Silent,
    /// The response has this status and says nothing else.
    Status(u16),
    /// Something cannot be read, for this reason.
    Unreadable(fn() -> &'static str, String),
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
    fn of(code: &str, status: u16, cause: Cause) -> Self {
        Self { code: code.to_owned(), cause, status, request_id: None }
    }

    /// Error of a request without response.
    pub fn unreachable() -> Self {
        Self::of(UNREACHABLE, 0, Cause::Silent)
    }

    /// Error of a response that ended before its body was complete.
    pub fn broken_off() -> Self {
        Self::of(UNREACHABLE, 0, Cause::BrokenOff)
    }

    /// Error of a response with an unexpected body; `what` words what cannot be read.
    pub fn unreadable(what: fn() -> &'static str, error: &str) -> Self {
        Self::of("response_unreadable", 200, Cause::Unreadable(what, error.to_owned()))
    }

    /// Error of an engine module that cannot be loaded or started.
    pub fn no_engine(error: &str) -> Self {
        Self::of(ENGINE_UNAVAILABLE, 0, Cause::Engine(error.to_owned()))
    }

    /// Error of a response with an error status; the body need not be a problem document.
    pub fn from_response(status: u16, body: &str) -> Self {
        let document: ProblemDocument = wherefore_engine::read_json(body).unwrap_or_default();
        let or = |text: String, other: String| if text.is_empty() { other } else { text };
        let cause = match (document.estimated_rows, or(document.detail, document.title)) {
            (Some(rows), _) if document.code == ESTIMATE_NOT_ACCEPTED => {
                Cause::Estimate(rows, document.plan_step)
            }
            (_, message) if message.is_empty() => Cause::Status(status),
            (_, message) => Cause::Given(message),
        };
        let code = or(document.code, "http_error".to_owned());
        Self { code, cause, status, request_id: document.request_id }
    }

    /// The message in one sentence, in the language of the page or as the server words it.
    pub fn message(&self) -> String {
        match &self.cause {
            Cause::BrokenOff => texts::connection_broken().to_owned(),
            Cause::Engine(error) => texts::engine_failure(error),
            Cause::Estimate(rows, step) => texts::estimate(&grouped(*rows), step),
            Cause::Given(message) => message.clone(),
            Cause::Silent => texts::server_silent().to_owned(),
            Cause::Status(status) => texts::status_failure(&status.to_string()),
            Cause::Unreadable(what, error) => texts::unreadable(what(), error),
        }
    }

    /// The message of a failure with this code as the page words it now; `None` if the page does not word it.
    pub fn own_message(&self, code: &str) -> Option<String> {
        let is_own = self.code == code && !matches!(self.cause, Cause::Given(_));
        is_own.then(|| self.with_request())
    }

    /// The message with the id of the request.
    fn with_request(&self) -> String {
        match &self.request_id {
            // It ends the last sentence.
            Some(id) => {
                format!("{} {}", self.message().trim_end_matches('.'), texts::request_id(id))
            }
            None => self.message(),
        }
    }

    /// Converts the failure to the engine's type.
    pub fn into_execution_failure(self) -> ExecutionFailure {
        let message = self.with_request();
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
        assert_eq!(failure.message(), "database is away");
        let failure = failure.into_execution_failure();
        assert_eq!(failure.message, "database is away (request r-1)");
        assert!(failure.retryable);
    }

    #[test]
    fn any_other_body_gives_the_status() {
        let failure = ApiFailure::from_response(422, "<html>");
        assert_eq!(failure.code, "http_error");
        assert_eq!(failure.message(), "the server responded with status 422");
        assert!(!failure.into_execution_failure().retryable);
    }

    #[test]
    fn an_estimate_is_told_in_the_words_of_the_page() {
        let body = r#"{"code":"estimate_not_accepted","detail":"send `accept_estimate`",
            "estimated_rows":1200000,"plan_step":"Seq Scan on orders"}"#;
        let message = ApiFailure::from_response(422, body).message();
        assert!(message.contains("1,200,000 rows") && message.contains("(Seq Scan on orders)"));
        assert!(!message.contains("accept_estimate"), "{message}");
    }

    #[test]
    fn only_what_the_page_words_follows_its_language() {
        let body =
            r#"{"code":"estimate_not_accepted","estimated_rows":1200000,"request_id":"r-1"}"#;
        let failure = ApiFailure::from_response(422, body);
        let words = failure.own_message("estimate_not_accepted").expect("words of the page");
        assert!(words.ends_with("anyway (request r-1)"), "{words}");
        assert_eq!(words, failure.clone().into_execution_failure().message);
        assert_eq!(failure.own_message("statement_timeout"), None);
        let given = ApiFailure::from_response(422, r#"{"code":"too_slow","detail":"it is slow"}"#);
        assert_eq!(given.own_message("too_slow"), None);
    }

    #[test]
    fn no_response_may_be_tried_again() {
        assert!(ApiFailure::unreachable().into_execution_failure().retryable);
    }
}
