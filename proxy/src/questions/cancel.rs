//! Use case: cancelling a question that runs in any proxy, or that waits for clarification.

use super::answer_summary::AnswerSummary;
use super::idempotency::{request_key, unknown_question};
use super::latest::keep_cancelled;
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::{Problem, ProblemCode};
use crate::store::{Asked, RequestKey};

/// Cancels a question by its idempotency key or a clarification id.
pub(crate) async fn cancel(
    questions: &Questions,
    caller: &Caller,
    id: String,
    person: Option<&str>,
) -> Result<(), Problem> {
    let key = request_key(caller, id, person)?;
    if questions.runs.cancel(&key) {
        return Ok(());
    }
    let waits_under = match questions.store.asked(&key).await? {
        Some(Asked::Running) => {
            questions.store.mark_cancelled(&key).await?;
            return Ok(());
        }
        Some(Asked::Answered(answer)) => {
            let summary = AnswerSummary::read(answer.body.as_bytes());
            if summary.code.as_deref() == Some(ProblemCode::Cancelled.as_str()) {
                return Ok(());
            }
            summary.clarification_id.ok_or_else(ended)?
        }
        Some(Asked::Lost) | None => key.id,
    };
    let closed = questions.store.close(&caller.identity, &waits_under).await?;
    let closed = closed.ok_or_else(unknown_question)?;
    if closed.abandoned.is_empty() && closed.running.is_empty() {
        return Err(ended());
    }
    for question in &closed.abandoned {
        keep_cancelled(questions, caller, question).await;
    }
    for id in closed.running {
        let key = RequestKey::of_session(&caller.identity, id);
        if !questions.runs.cancel(&key) {
            questions.store.mark_cancelled(&key).await?;
        }
    }
    Ok(())
}

fn ended() -> Problem {
    Problem::new(ProblemCode::AlreadyEnded, "the question has already ended")
}
