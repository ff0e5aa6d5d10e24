//! Latest reply to each question, which is found by the id of the question.

use axum::response::IntoResponse;

use super::answer_summary::AnswerSummary;
use super::idempotency::stored;
use super::outcome::RoundOutcome;
use super::problems::cancelled;
use super::service::Questions;
use crate::caller::Caller;
use crate::store::{Abandoned, Asked, KeptAnswer, Placing, RequestKey, StoreError};

/// Stores the reply of a round as the latest one of its question: one that waits always, an answer with its rows only in
/// place of a reply that is stored already, so that no rows are stored of a question whose client chose no id.
///
/// Without a working store the reply is still sent.
pub(crate) async fn keep_latest(questions: &Questions, caller: &Caller, outcome: &RoundOutcome) {
    let Some(id) = outcome.stored_id() else { return };
    let placing = if outcome.waits_under().is_some() { Placing::Anew } else { Placing::InPlace };
    questions.store_latest(caller, id, outcome, placing).await;
}

/// Stores that the latest reply of a question is the one to a request, which has the same body.
pub(crate) async fn refer_latest(
    questions: &Questions,
    caller: &Caller,
    outcome: &RoundOutcome,
    request: &RequestKey,
) {
    let Some(id) = outcome.stored_id() else { return };
    questions.put_latest(caller, id, KeptAnswer::reference(request), Placing::Anew).await;
}

/// Stores for a waiting question that it was cancelled.
pub(super) async fn keep_cancelled(questions: &Questions, caller: &Caller, closed: &Abandoned) {
    let reply = cancelled(&closed.question);
    questions.store_latest(caller, &closed.id, reply, Placing::Anew).await;
}

/// Latest reply to the question of a reply; the reply itself if no other is stored.
pub(super) async fn latest_of(
    questions: &Questions,
    caller: &Caller,
    answer: KeptAnswer,
) -> Result<Asked, StoreError> {
    let summary = AnswerSummary::read(answer.body.as_bytes());
    let latest = match &summary.id {
        Some(id) => questions.store.latest(&caller.identity, id).await?,
        None => None,
    };
    Ok(latest.unwrap_or(Asked::Answered(answer)))
}

impl Questions {
    async fn store_latest(
        &self,
        caller: &Caller,
        id: &str,
        reply: impl IntoResponse,
        placing: Placing,
    ) {
        match stored(reply).await {
            Ok((_, answer)) => self.put_latest(caller, id, answer, placing).await,
            Err(problem) => tracing::warn!(?problem, "cannot store the latest reply"),
        }
    }

    async fn put_latest(&self, caller: &Caller, id: &str, answer: KeptAnswer, placing: Placing) {
        let key = RequestKey::of_question(&caller.identity, id);
        let lifetime = self.session_lifetime;
        if let Err(error) = self.store.put_latest(&key, answer, lifetime, placing).await {
            tracing::warn!(%error, "cannot store the latest reply to a question");
        }
    }
}
