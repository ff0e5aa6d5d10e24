//! Use case: a statement that is written under an id of the client. Its steps are heard, it can be cancelled, and its
//! result is fetched again.

use std::sync::Arc;

use axum::Json;
use axum::response::{IntoResponse, Response};
use wherefore_engine::session::{ProgressStep, State};
use wherefore_engine::writing::{Brief, WritingFlags};

use super::idempotency::{once_attended, request_key};
use super::problems::cancelled;
use super::run::Run;
use super::service::Questions;
use super::tasks::{Task, admit, perform};
use crate::caller::Caller;
use crate::problem::Problem;

/// Writes the statement of a brief, unless the id was used before. `asked` is the request, which must be the same.
///
/// Writing ends with the request of the client.
pub(crate) async fn write_under(
    id: String,
    asked: &[u8],
    questions: Arc<Questions>,
    caller: Caller,
    brief: Brief,
    flags: Option<WritingFlags>,
) -> Result<Response, Problem> {
    admit(&questions, &caller, &brief)?;
    let key = request_key(&caller, id, None)?;
    let work = {
        let questions = Arc::clone(&questions);
        async move |run: Arc<Run>| {
            let question = brief.question.clone();
            let performed = perform(&questions, &caller, Task::WriteSql, brief, flags, Some(&run));
            tokio::select! {
                biased;
                () = run.cancelled() => {
                    run.publish_ahead(ProgressStep {
                        state: State::Cancelled,
                        detail: "stopped by the user".to_owned(),
                        elapsed_ms: None,
                    });
                    Err(cancelled(&question))
                }
                written = Box::pin(performed) => {
                    written.map(|written| Json(written).into_response())
                }
            }
        }
    };
    once_attended(questions, key, asked, work).await
}
