//! Extractors of JSON bodies and query strings, whose errors are problem documents.

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::{Problem, ProblemCode};

/// Maximum size of a request body, in bytes.
pub(crate) const BODY_BYTES: usize = 256 * 1024;

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(json_problem(&rejection)),
        }
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
