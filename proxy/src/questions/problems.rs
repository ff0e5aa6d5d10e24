//! Problem documents of questions.

use axum::http::StatusCode;
use serde_json::{Value, json};
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{State, StepError, View};

use crate::database::DatabaseError;
use crate::problem::{Problem, ProblemCode};

/// Problem of a failure of the data source, with the estimate if that is why the statement did not run.
pub(super) fn execution_problem(view: &View, failed: Option<&DatabaseError>) -> Problem {
    let (code, message, retryable) = view.problem.as_ref().map_or(
        (ProblemCode::ExecutionFailed.as_str(), "the data source failed", false),
        |problem| (problem.code.as_str(), problem.message.as_str(), problem.retryable),
    );
    let mut problem = Problem::relayed(execution_status(code), code.to_owned(), message)
        .with("outcome", "execution_failed")
        .with("retryable", retryable)
        .with("question", view.question.clone());
    if let Some(sql) = &view.sql {
        problem = problem.with("sql", sql.clone());
    }
    match failed {
        Some(error) if error.code().as_str() == code => error.with_estimate(problem),
        _ => problem,
    }
}

/// HTTP status for the code of an execution failure.
fn execution_status(code: &str) -> StatusCode {
    match ProblemCode::from_text(code) {
        Some(
            code @ (ProblemCode::DatabaseBusy
            | ProblemCode::DatabaseUnavailable
            | ProblemCode::PermissionDenied
            | ProblemCode::StatementOverdue
            | ProblemCode::StatementTimeout),
        ) => code.status(),
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// Whether nothing ran because the caller has not accepted the estimate: the same request with that consent goes on.
pub(super) fn awaits_consent(code: &str) -> bool {
    code == ProblemCode::EstimateNotAccepted.as_str()
}

/// Problem of a question that its user cancelled.
pub(super) fn cancelled(question: &str) -> Problem {
    Problem::new(ProblemCode::Cancelled, "the question was cancelled")
        .with("outcome", Value::Null)
        .with("state", State::Cancelled.name())
        .with("question", question)
}

/// Problem of a clarification that was answered before.
pub(super) fn answered_before(question: String) -> Problem {
    Problem::new(ProblemCode::AlreadyAnswered, "the clarification was already answered")
        .with("question", question)
}

/// Problem of an event that the engine rejected, with a JSON pointer to the field if possible.
pub(super) fn step_problem(error: &StepError, answers: &[ClarificationAnswer]) -> Problem {
    let place = |id: &str, field: &str| {
        let index = answers.iter().position(|answer| answer.clarification_id == id);
        json!(
            index
                .map_or_else(|| "/answers".to_owned(), |index| format!("/answers/{index}/{field}"))
        )
    };
    let problem = Problem::relayed(
        StatusCode::UNPROCESSABLE_ENTITY,
        error.code().as_str(),
        error.to_string(),
    );
    match error {
        StepError::InvalidAnswer { clarification_id, .. } => {
            problem.with("pointer", place(clarification_id, "answer"))
        }
        StepError::InvalidWords { clarification_id, span, hint, .. } => problem
            .with(
                "pointer",
                clarification_id
                    .as_ref()
                    .map_or_else(|| json!("/correction"), |id| place(id, "answer")),
            )
            .with("span", json!(span))
            .with("hint", hint.to_string()),
        StepError::TooManyCorrections { .. } => problem.with("pointer", "/correction"),
        StepError::InvalidToday(_) => problem.with("pointer", "/today"),
        StepError::QuestionEmpty | StepError::QuestionTooLong { .. } => {
            problem.with("pointer", "/question")
        }
        StepError::UnknownClarification(id) => {
            problem.with("pointer", place(id, "clarification_id"))
        }
        _ => Problem::internal(error),
    }
}
