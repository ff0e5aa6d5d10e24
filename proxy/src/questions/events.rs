//! Event stream of a question: its states as they change, and finally how it ended.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use wherefore_engine::session::ProgressStep;

use super::answer_summary::{AnswerSummary, Ending};
use super::idempotency::{request_key, unknown_question};
use super::run::{Run, RunUpdates};
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::store::{Asked, RequestKey};

/// Polling interval for a question that another proxy works on.
const LOOK: Duration = Duration::from_millis(500);
/// Delays of retries for an unknown question, since clients open the stream while they send the question.
const ARRIVING: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Maximum number of states that are replayed of an answered question.
const SENT_AGAIN: usize = 100;

/// An event of a question.
pub(crate) struct RunEvent {
    /// Event id, which a reconnecting client sends as `Last-Event-ID`.
    pub(crate) id: u64,
    /// Content.
    pub(crate) data: EventData,
}

/// Content of an event.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum EventData {
    /// The session changed its state.
    Progress(ProgressStep),
    /// The question ended; the last event.
    Done {
        /// How the question ended.
        #[serde(flatten)]
        ending: Ending,
        /// Path of its answer; absent if the answer is not kept, and the question can be sent again.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
}

impl EventData {
    /// Name of the event on the wire.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Progress(_) => "progress",
            Self::Done { .. } => "done",
        }
    }
}

/// Reader of the events of a question. Events are created on demand, so a slow client occupies no memory.
pub(crate) struct EventReader {
    questions: Arc<Questions>,
    key: RequestKey,
    /// The run, if it is in this process.
    run: Option<Arc<Run>>,
    /// Id of the last event that was sent.
    last_id: u64,
    /// Whether events of the running question have been read.
    is_live: bool,
    waiting: VecDeque<RunEvent>,
    is_over: bool,
}

impl EventReader {
    /// Opens the stream after the last event that the client has; `None` if the client has all events.
    pub(crate) async fn open(
        questions: Arc<Questions>,
        caller: &Caller,
        id: String,
        person: Option<&str>,
        last_id: u64,
    ) -> Result<Option<Self>, Problem> {
        // Later rounds run under the clarification id, with the caller as owner.
        let later = RequestKey::of_session(&caller.identity, id.clone());
        let mut key = request_key(caller, id, person)?;
        let mut arriving = ARRIVING.into_iter();
        while questions.runs.get(&key).is_none() {
            if questions.runs.get(&later).is_some() {
                key = later;
                break;
            }
            match questions.store.asked(&key).await? {
                // The client has the last event, and must stop reconnecting.
                Some(Asked::Answered(answer)) => {
                    let steps = AnswerSummary::read(answer.body.as_bytes()).steps().len() as u64;
                    if steps > 0 && last_id > steps {
                        return Ok(None);
                    }
                    break;
                }
                Some(Asked::Running | Asked::Lost) => break,
                None if questions.store.asked(&later).await?.is_some() => {
                    key = later;
                    break;
                }
                None => {
                    tokio::time::sleep(arriving.next().ok_or_else(unknown_question)?).await;
                }
            }
        }
        let waiting = VecDeque::new();
        let reader =
            Self { questions, key, run: None, last_id, is_live: false, waiting, is_over: false };
        Ok(Some(reader))
    }

    /// Waits for the next event; `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<RunEvent> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            // The run is kept once found, so that its last states are sent even after it ended.
            self.run = self.run.take().or_else(|| self.questions.runs.get(&self.key));
            match self.run.clone() {
                Some(run) => self.follow(&run).await,
                None => self.look_up().await,
            }
        }
    }

    async fn follow(&mut self, run: &Run) {
        let mut changed = run.subscribe();
        let updates = run.updates_after(self.last_id);
        if !updates.steps.is_empty() || updates.end.is_some() {
            self.take(updates);
        } else if changed.changed().await.is_err() {
            // Cannot happen, since the run owns the sender, and this reader owns the run.
            tracing::error!("a run was dropped while its events were streamed");
            self.is_over = true;
        }
        self.is_live = true;
    }

    fn take(&mut self, updates: RunUpdates) {
        // The client was too slow and states were dropped; it can reconnect.
        let missed = updates.steps.first().is_some_and(|(id, _)| *id > self.last_id + 1);
        if self.is_live && missed {
            self.is_over = true;
            return;
        }
        for (id, step) in updates.steps {
            self.push(id, EventData::Progress(step));
        }
        if let Some((id, ending)) = updates.end {
            self.done(id, ending);
        }
    }

    /// Reads the state of a question that does not run in this process from the store.
    async fn look_up(&mut self) {
        match self.questions.store.asked(&self.key).await {
            Ok(Some(Asked::Running)) => tokio::time::sleep(LOOK).await,
            Ok(Some(Asked::Answered(answer))) => {
                let summary = AnswerSummary::read(answer.body.as_bytes());
                let steps = summary.steps();
                let left_out = steps.len().saturating_sub(SENT_AGAIN);
                for (id, step) in (1_u64..).zip(steps).skip(left_out) {
                    if id > self.last_id {
                        self.push(id, EventData::Progress(step));
                    }
                }
                self.done(self.last_id + 1, summary.ending(answer.status));
            }
            Ok(Some(Asked::Lost) | None) => self.done(self.last_id + 1, Ending::default()),
            Err(error) => {
                tracing::warn!(%error, "an event stream ended early");
                self.is_over = true;
            }
        }
    }

    fn done(&mut self, id: u64, ending: Ending) {
        let answer = ending.is_kept.then(|| format!("/api/v1/query/{}", self.key.id));
        self.push(id, EventData::Done { ending, answer });
        self.is_over = true;
    }

    fn push(&mut self, id: u64, data: EventData) {
        self.last_id = id;
        self.waiting.push_back(RunEvent { id, data });
    }
}
