//! Later rounds of a question, as requests that can be repeated: the id of a round is its idempotency key.

use std::sync::Arc;

use axum::response::Response;
use sha2::{Digest, Sha256};
use tracing::Instrument;

use super::answer_summary::AnswerSummary;
use super::idempotency::{again, held, in_progress, keep, request_key, unknown_question};
use super::latest::{latest_of, refer_latest};
use super::resume::{ClaimedRound, PlayedRound, Resumed, claim};
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::{Problem, REQUEST_ID, request_id};
use crate::store::{Asked, KeptAnswer, RequestKey, StoreError};

/// Maximum number of rounds that are followed from the first response of a question.
const ROUNDS: usize = 100;

/// Runs a round, unless the same request was answered: then it gets the same response. `asked` is the request body.
///
/// The round runs to its end even if the client disconnects. Another body for a round that was answered is a problem.
pub(crate) async fn round_once(
    questions: Arc<Questions>,
    caller: Caller,
    resumed: Resumed,
    asked: &[u8],
) -> Result<Response, Problem> {
    let key = RequestKey::of_session(&caller.identity, resumed.id.clone());
    let hash = Sha256::digest(asked);
    match questions.store.asked_with(&key, &hash).await? {
        Some(Asked::Answered(answer)) => return Ok(again(answer)),
        Some(Asked::Running) => return Err(in_progress()),
        Some(Asked::Lost) | None => {}
    }
    let run = async move {
        let round = claim(&questions, &caller, resumed).await?;
        run(&questions, &caller, &key, &hash, round).await
    };
    let run = REQUEST_ID.scope(request_id(), run);
    tokio::spawn(run.in_current_span()).await.map_err(Problem::internal)?
}

async fn run(
    questions: &Questions,
    caller: &Caller,
    key: &RequestKey,
    hash: &[u8],
    round: ClaimedRound<'_>,
) -> Result<Response, Problem> {
    let store = &questions.store;
    if let Err(error) = store.begin_round(key, hash).await {
        // If the store fails here too, the claim expires.
        store.release(&key.id).await?;
        return Err(error.into());
    }
    let PlayedRound { outcome, live, waits_again } =
        held(Box::pin(round.play()), || store.hold(key)).await;
    if let Ok(outcome) = &outcome {
        refer_latest(questions, caller, outcome, key).await;
    }
    let kept = keep(questions, key, outcome).await;
    // Only now, since another request can begin the same round once it is released.
    if waits_again {
        store.release(&key.id).await?;
    }
    let (response, ending) = kept?;
    live.run.end(ending);
    Ok(response)
}

/// Latest response of a question, by its idempotency key, its id in replies, or the id of one of its rounds.
pub(crate) async fn answer_of(
    questions: &Questions,
    caller: &Caller,
    id: String,
    person: Option<&str>,
) -> Result<Response, Problem> {
    let later = RequestKey::of_session(&caller.identity, id.clone());
    let first = request_key(caller, id, person)?;
    let mut found = questions.store.asked(&first).await?;
    if found.is_none() {
        found = questions.store.asked(&later).await?;
    }
    found = match found {
        Some(Asked::Answered(answer)) => Some(latest_of(questions, caller, answer).await?),
        None => questions.store.latest(&caller.identity, &later.id).await?,
        found => found,
    };
    for _ in 0..ROUNDS {
        let Some(Asked::Answered(answer)) = &found else { break };
        match next_round(questions, caller, answer).await? {
            Some(next) => found = Some(next),
            None => break,
        }
    }
    match found {
        Some(Asked::Answered(answer)) => Ok(again(answer)),
        Some(Asked::Running) => Err(in_progress()),
        Some(Asked::Lost) | None => Err(unknown_question()),
    }
}

/// State of the round that a response asks for, if it has begun.
async fn next_round(
    questions: &Questions,
    caller: &Caller,
    answer: &KeptAnswer,
) -> Result<Option<Asked>, StoreError> {
    let Some(id) = AnswerSummary::read(answer.body.as_bytes()).clarification_id else {
        return Ok(None);
    };
    let next = questions.store.asked(&RequestKey::of_session(&caller.identity, id)).await?;
    Ok(next.filter(|next| !matches!(next, Asked::Lost)))
}
