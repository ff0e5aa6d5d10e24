//! A client that calls the router directly.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;
use wherefore_proxy::config::Config;
use wherefore_proxy::hosts::AllowedHosts;
use wherefore_proxy::router::router;
use wherefore_proxy::startup::start;
use wherefore_proxy::state::AppState;

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Asserts the status and code of a problem document, and returns the document.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.headers[header::CONTENT_TYPE], "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("urn:wherefore:problem:{code}"));
        assert!(problem["request_id"].as_str().unwrap().starts_with("req_"), "{problem}");
        problem
    }

    /// Asserts the status, and returns the body.
    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self.json()
    }
}

/// A request to run a statement with a result format.
pub fn execute_as(form: &str, body: &Value) -> Request<Body> {
    Request::post("/api/v1/sql/execute")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, form)
        .body(body.to_string().into())
        .unwrap()
}

#[derive(Clone)]
pub struct Client {
    pub state: AppState,
    router: Router,
}

impl Client {
    pub async fn start(config: &Config) -> Self {
        let state = start(config).await.unwrap_or_else(|error| panic!("{error}"));
        let router = router(state.clone(), AllowedHosts::new(&[]), config.static_files.as_deref());
        Self { state, router }
    }

    /// The same router with another state.
    pub fn with_state(&self, state: AppState) -> Self {
        let router = router(state.clone(), AllowedHosts::new(&[]), None);
        Self { state, router }
    }

    /// Sets the lifetime of clarifications of later questions.
    pub fn set_session_lifetime(&mut self, lifetime: std::time::Duration) {
        Arc::make_mut(&mut self.state.questions).session_lifetime = lifetime;
        self.router = router(self.state.clone(), AllowedHosts::new(&[]), None);
    }

    /// Sets the allowed host names besides the local ones.
    pub fn answer_hosts(&mut self, names: &[String], static_files: Option<&std::path::Path>) {
        self.router = router(self.state.clone(), AllowedHosts::new(names), static_files);
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.response(request).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Sends a request without reading the body of the response. It is for `localhost` unless it names a host.
    pub async fn response(&self, mut request: Request<Body>) -> axum::response::Response {
        let host = HeaderValue::from_static("localhost");
        request.headers_mut().entry(header::HOST).or_insert(host);
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub async fn put(&self, path: &str, body: impl Into<Body>) -> Answer {
        let request = Request::put(path).header("content-type", "application/json");
        self.send(request.body(body.into()).unwrap()).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(Request::delete(path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body.into()).unwrap()).await
    }

    pub async fn execute(&self, sql: &str) -> Answer {
        self.post("/api/v1/sql/execute", serde_json::json!({ "sql": sql }).to_string()).await
    }

    pub async fn ask(&self, question: &str) -> Answer {
        let body = serde_json::json!({ "question": question, "today": "2024-04-01" });
        self.post("/api/v1/query", body.to_string()).await
    }
}
