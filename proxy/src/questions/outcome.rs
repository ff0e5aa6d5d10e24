//! Outcome of a round, as all interfaces send it.

use serde::Serialize;
use wherefore_engine::Session;
use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::{Context, Outcome, ProgressStep, View};

use super::record::QuestionRecord;
use super::trace::Trace;

/// Number of last states that are sent with a clarification.
const SHOWN_STEPS: usize = 5;

/// A round that ended without a failure of the data source.
pub(crate) struct RoundOutcome {
    /// The session after the round.
    pub(crate) session: Session,
    /// The record of the question that was stored after the round.
    pub(crate) record: QuestionRecord,
    /// How the round was stored.
    pub(crate) settled: Settled,
}

/// How a round was stored.
pub(crate) enum Settled {
    /// The question ended.
    Ended {
        /// Whether the question is in the history.
        kept: bool,
    },
    /// The question waits for clarification.
    Waits {
        /// Clarification id.
        clarification_id: String,
        /// Seconds until the clarification expires.
        expires_in: u64,
    },
}

/// Body of a round as JSON, the same for all interfaces.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum RoundBody<'a> {
    /// The question ended.
    Ended {
        outcome: Option<Outcome>,
        /// Id of the question in the history, by which it can be changed; absent if it was not stored.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        /// Thread of the question.
        #[serde(skip_serializing_if = "Option::is_none")]
        thread_id: Option<&'a str>,
        view: &'a View,
        /// Context for follow-up questions.
        context: Option<Box<Context>>,
        trace: Box<Trace>,
    },
    /// The user must answer clarifications first.
    Waits {
        outcome: Outcome,
        clarification_id: &'a str,
        /// Id of the question.
        id: &'a str,
        /// Thread of the question.
        thread_id: &'a str,
        /// Seconds until the clarification expires.
        expires_in: u64,
        questions: &'a [Clarification],
        steps: &'a [ProgressStep],
        view: &'a View,
        trace: Box<Trace>,
    },
}

impl RoundOutcome {
    /// Clarification id, if the question waits for clarification.
    pub(crate) fn waits_under(&self) -> Option<&str> {
        match &self.settled {
            Settled::Waits { clarification_id, .. } => Some(clarification_id),
            Settled::Ended { .. } => None,
        }
    }

    /// Id of the question, if it was stored.
    pub(crate) fn stored_id(&self) -> Option<&str> {
        let is_stored = !matches!(self.settled, Settled::Ended { kept: false });
        is_stored.then_some(self.record.question_id.as_str())
    }

    /// The round as JSON.
    pub(crate) fn body(&self) -> RoundBody<'_> {
        let Self { session, record, settled } = self;
        let view = session.view();
        let (id, thread_id) = (record.question_id.as_str(), record.thread_id.as_str());
        let trace = Box::new(Trace::of(record, session));
        match settled {
            Settled::Ended { kept } => RoundBody::Ended {
                outcome: view.outcome,
                id: kept.then_some(id),
                thread_id: kept.then_some(thread_id),
                view,
                context: session.context().map(Box::new),
                trace,
            },
            Settled::Waits { clarification_id, expires_in } => RoundBody::Waits {
                outcome: Outcome::NeedsClarification,
                clarification_id,
                id,
                thread_id,
                expires_in: *expires_in,
                questions: &view.clarifications,
                steps: &view.steps[view.steps.len().saturating_sub(SHOWN_STEPS)..],
                view,
                trace,
            },
        }
    }
}
