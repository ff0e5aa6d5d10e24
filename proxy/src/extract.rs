//! Extractors of JSON bodies and query strings, whose errors are problem documents.

use axum::body::{Body, Bytes};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::problem::{Problem, ProblemCode};

/// Maximum size of a request body, in bytes.
pub(crate) const BODY_BYTES: usize = 256 * 1024;

/// Largest number up to which every integer is a double: 2^53.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let whole = Request::from_parts(parts.clone(), body);
        let bytes = match Bytes::from_request(whole, state).await {
            Ok(bytes) => bytes,
            Err(rejection) => return Err(json_problem(&rejection.into())),
        };
        let request = Request::from_parts(parts, Body::from(bytes.clone()));
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(JsonRejection::JsonDataError(error)) => read_whole_numbers(&bytes)
                .map(Self)
                .ok_or_else(|| json_problem(&JsonRejection::JsonDataError(error))),
            Err(rejection) => Err(json_problem(&rejection)),
        }
    }
}

/// A body whose integers are written as `5.0`, which JSON does not tell apart from `5`.
fn read_whole_numbers<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut body: Value = serde_json::from_slice(bytes).ok()?;
    write_integers(&mut body).then(|| serde_json::from_value(body).ok()).flatten()
}

/// Replaces numbers such as `5.0` by integers. Returns whether there were any.
pub(crate) fn write_integers(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().fold(false, |found, it| write_integers(it) | found),
        Value::Object(members) => {
            members.values_mut().fold(false, |found, it| write_integers(it) | found)
        }
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(whole) if whole.fract() == 0.0 && whole.abs() <= LARGEST_WHOLE => {
                *number = (whole as i64).into();
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn json_problem(rejection: &JsonRejection) -> Problem {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            Problem::new(ProblemCode::InvalidRequest, reason(error))
        }
        JsonRejection::JsonSyntaxError(error) => {
            Problem::new(ProblemCode::InvalidJson, reason(error))
        }
        JsonRejection::MissingJsonContentType(_) => {
            Problem::new(ProblemCode::UnsupportedMediaType, "Content-Type must be application/json")
        }
        other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
            ProblemCode::BodyTooLarge,
            format!("the body is larger than {BODY_BYTES} bytes"),
        ),
        _ => Problem::new(ProblemCode::UnreadableBody, "cannot read the body"),
    }
}

/// The innermost cause of an error, which names the field and its position.
fn reason(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// Reads null as the default, for fields that can be absent.
pub(crate) fn null_as_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A query string.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(parameters)) => Ok(Self(parameters)),
            Err(QueryRejection::FailedToDeserializeQueryString(error)) => {
                Err(Problem::new(ProblemCode::InvalidRequest, reason(&error)))
            }
            Err(_) => {
                Err(Problem::new(ProblemCode::InvalidRequest, "cannot parse the query string"))
            }
        }
    }
}
