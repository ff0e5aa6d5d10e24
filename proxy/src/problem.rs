//! Problem documents (RFC 9457): every error that leaves the proxy.

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::database::DatabaseError;
use crate::store::StoreError;

/// Seconds after which something unavailable is asked for again.
const UNAVAILABLE: u64 = 2;

tokio::task_local! {
    /// Id of the request that the current task answers.
    pub(crate) static REQUEST_ID: String;
}

/// An error with a stable code; it never holds SQL parameters, keys or stack traces.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    code: Cow<'static, str>,
    detail: String,
    members: Map<String, Value>,
    retry_after: Option<u64>,
}

impl Problem {
    /// Problem with a status, a stable code and one lower-case sentence.
    pub fn new(
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

    /// The same with one more member.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// The same with the seconds after which the request may succeed.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Something went wrong that is not the caller's doing; the reason goes to the log only.
    pub fn internal(reason: impl std::fmt::Display) -> Self {
        tracing::error!(%reason, "internal error");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "an internal error occurred")
    }

    /// HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Stable code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The lower-case sentence.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// Seconds after which the request may succeed, where they are known.
    pub(crate) fn wait(&self) -> Option<u64> {
        self.retry_after
    }

    /// The members of the document.
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
        let is_soon_over =
            self.status == StatusCode::SERVICE_UNAVAILABLE || self.code == "in_progress";
        let unavailable = is_soon_over.then_some(UNAVAILABLE);
        if let Some(seconds) = self.retry_after.or(unavailable) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Self {
        Self::new(status_of(error.code()), error.code(), error.to_string())
            .with("retryable", error.is_retryable())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "store failed");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "store_unavailable",
            "nothing can be stored or looked up at the moment",
        )
        .with("retryable", true)
    }
}

/// HTTP status that goes with the stable code of an execution failure.
pub fn status_of(code: &str) -> StatusCode {
    match code {
        "database_unavailable" | "database_busy" => StatusCode::SERVICE_UNAVAILABLE,
        "statement_timeout" => StatusCode::GATEWAY_TIMEOUT,
        "permission_denied" => StatusCode::FORBIDDEN,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
