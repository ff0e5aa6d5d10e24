//! Problem documents (RFC 9457): every error that leaves the proxy.

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::code::ProblemCode;

/// Default of `Retry-After`, in seconds.
const UNAVAILABLE: u64 = 2;

tokio::task_local! {
    /// Id of the request that the current task handles.
    pub(crate) static REQUEST_ID: String;
}

/// Id of the request that the current task handles; empty outside of a request.
pub(crate) fn request_id() -> String {
    REQUEST_ID.try_with(Clone::clone).unwrap_or_else(|_| String::new())
}

/// An error with a stable code. It never contains SQL parameters, keys or stack traces.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    code: Cow<'static, str>,
    detail: String,
    members: Map<String, Value>,
    retry_after: Option<u64>,
}

impl Problem {
    /// Problem with a code, the status of the code, and a message: one lower-case sentence.
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self::relayed(code.status(), code.as_str(), detail)
    }

    /// Problem with a code of the engine, or with a status that differs from that of its code.
    pub fn relayed(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            status,
            code: code.into(),
            detail: detail.into(),
            members: Map::new(),
            retry_after: None,
        }
    }

    /// The problem with an additional member.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// The problem with `Retry-After`, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// An unexpected internal error, whose reason is only logged.
    pub fn internal(reason: impl std::fmt::Display) -> Self {
        tracing::error!(%reason, "internal error");
        Self::new(ProblemCode::Internal, "an internal error occurred")
    }

    /// HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the same request can succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        self.members.get("retryable") == Some(&Value::Bool(true))
    }

    /// Stable code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The message.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// `Retry-After` in seconds, if set.
    pub(crate) fn wait(&self) -> Option<u64> {
        self.retry_after
    }

    /// The members of the JSON document.
    pub(crate) fn document(&self) -> Map<String, Value> {
        let mut body = self.members.clone();
        body.insert("type".into(), json!(format!("urn:wherefore:problem:{}", self.code)));
        body.insert("title".into(), json!(self.status.canonical_reason().unwrap_or("Error")));
        body.insert("status".into(), json!(self.status.as_u16()));
        body.insert("code".into(), json!(self.code));
        body.insert("detail".into(), json!(self.detail));
        if let Ok(id) = REQUEST_ID.try_with(Clone::clone) {
            body.insert("request_id".into(), json!(id));
        }
        body
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.document();
        let mut response = (self.status, Value::Object(body).to_string()).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        let is_soon_over = self.status == StatusCode::SERVICE_UNAVAILABLE
            || self.code == ProblemCode::InProgress.as_str()
            || self.code == ProblemCode::StatementOverdue.as_str();
        let unavailable = is_soon_over.then_some(UNAVAILABLE);
        if let Some(seconds) = self.retry_after.or(unavailable) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        if self.code == ProblemCode::UnsupportedEncoding.as_str() {
            let identity = HeaderValue::from_static("identity");
            response.headers_mut().insert(header::ACCEPT_ENCODING, identity);
        }
        response
    }
}
