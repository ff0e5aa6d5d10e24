//! Bodies that are not a message of JSON-RPC 2.0, which get its errors.
//!
//! The MCP library responds to them with plain text.

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tower::ServiceBuilder;

use super::server::service;
use crate::extract::BODY_BYTES;
use crate::problem::{Problem, ProblemCode};
use crate::state::AppState;

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const INVALID_PARAMS: i32 = -32_602;

/// An error of JSON-RPC 2.0.
#[derive(Debug)]
struct Fault {
    code: i32,
    message: &'static str,
    /// Id of the request; null if it has none that can be used.
    id: Value,
}

/// MCP over HTTP; middleware of all routes is added by the router of the proxy.
pub(crate) fn router(state: AppState) -> Router {
    let judged = ServiceBuilder::new().layer(middleware::from_fn(judge)).service(service(state));
    Router::new().route_service("/mcp", judged)
}

/// Responds to a body that is not a message; passes all others on.
async fn judge(request: Request, next: Next) -> Response {
    if request.method() != Method::POST || !is_json(request.headers()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let bytes = match read(body).await {
        Ok(bytes) => bytes,
        Err(problem) => return problem.into_response(),
    };
    let id = match message_id(&bytes) {
        Ok(id) => id,
        Err(fault) => return fault.into_response(),
    };
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    // The library could not read the message as one of MCP.
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let message = "the parameters do not fit the method";
        return Fault { code: INVALID_PARAMS, message, id }.into_response();
    }
    response
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(body: Body) -> Result<Bytes, Problem> {
    to_bytes(body, BODY_BYTES).await.map_err(|error| {
        let error = error.into_inner();
        if error.is::<http_body_util::LengthLimitError>() {
            let detail = format!("the body is larger than {BODY_BYTES} bytes");
            return Problem::new(ProblemCode::BodyTooLarge, detail);
        }
        Problem::new(ProblemCode::UnreadableBody, "cannot read the body")
    })
}

/// Id of a message, null for a notification; or what is wrong with the message.
fn message_id(body: &[u8]) -> Result<Value, Fault> {
    let fault = |code, message, id| Err(Fault { code, message, id });
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return fault(PARSE_ERROR, "the body is not valid JSON", Value::Null);
    };
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => {
            return fault(INVALID_REQUEST, "batches are not supported", Value::Null);
        }
        _ => return fault(INVALID_REQUEST, "a message is a JSON object", Value::Null),
    };
    let id = match message.get("id") {
        None => Value::Null,
        Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id.clone(),
        Some(_) => {
            return fault(INVALID_REQUEST, "id must be a string or an integer", Value::Null);
        }
    };
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return fault(INVALID_REQUEST, "jsonrpc must be \"2.0\"", id);
    }
    let is_response = message.contains_key("result") || message.contains_key("error");
    if !message.get("method").map_or(is_response, Value::is_string) {
        return fault(INVALID_REQUEST, "method must be a string", id);
    }
    if !message.get("params").is_none_or(Value::is_object) {
        return fault(INVALID_REQUEST, "params must be an object", id);
    }
    Ok(id)
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let Self { code, message, id } = self;
        let error = json!({ "code": code, "message": message });
        let body = json!({ "jsonrpc": "2.0", "id": id, "error": error });
        (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
    }
}
