//! How a round of a question came out, as every interface tells it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use wherefore_engine::Session;
use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::{Context, Outcome, ProgressStep, View};

use crate::trace::Trace;
use crate::turn::Turn;

/// Last steps shown with a clarification.
const SHOWN_STEPS: usize = 5;

/// A round that came to an outcome, other than a failure of the data source.
pub(crate) struct Round {
    /// The session as it stands now.
    pub(crate) session: Session,
    /// Whose round it was.
    pub(crate) turn: Turn,
    /// What became of it.
    pub(crate) settled: Settled,
}

/// What became of a round in the store.
pub(crate) enum Settled {
    /// The question came to its end.
    Ended {
        /// Whether it is in the history.
        kept: bool,
    },
    /// It waits for an answer.
    Waits {
        /// Id to answer it by.
        clarification_id: String,
        /// Seconds that an answer is waited for.
        expires_in: u64,
    },
}

/// A round as JSON, the same wherever it is sent.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Told<'a> {
    /// The question came to its end.
    Ended {
        outcome: Option<Outcome>,
        /// Id of the question, by which it can be changed and is found in the history; absent where it was not kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
        /// Thread of the question.
        #[serde(skip_serializing_if = "Option::is_none")]
        thread_id: Option<&'a str>,
        view: &'a View,
        /// What a follow-up goes on from.
        context: Option<Box<Context>>,
        trace: Box<Trace>,
    },
    /// The asker must decide something first.
    Waits {
        outcome: Outcome,
        clarification_id: &'a str,
        /// Id of the question.
        id: &'a str,
        /// Thread of the question.
        thread_id: &'a str,
        /// Seconds that an answer is waited for.
        expires_in: u64,
        questions: &'a [Clarification],
        steps: &'a [ProgressStep],
        view: &'a View,
        trace: Box<Trace>,
    },
}

impl Round {
    /// Id to answer by, where an answer is waited for.
    pub(crate) fn waits_under(&self) -> Option<&str> {
        match &self.settled {
            Settled::Waits { clarification_id, .. } => Some(clarification_id),
            Settled::Ended { .. } => None,
        }
    }

    /// The round as JSON.
    pub(crate) fn told(&self) -> Told<'_> {
        told(&self.settled, &self.session, &self.turn)
    }
}

impl IntoResponse for Round {
    fn into_response(self) -> Response {
        response(&self.settled, &self.session, &self.turn)
    }
}

/// A round over HTTP.
pub(crate) fn response(settled: &Settled, session: &Session, turn: &Turn) -> Response {
    let status = match settled {
        Settled::Ended { .. } => StatusCode::OK,
        Settled::Waits { .. } => StatusCode::ACCEPTED,
    };
    (status, Json(told(settled, session, turn))).into_response()
}

fn told<'a>(settled: &'a Settled, session: &'a Session, turn: &'a Turn) -> Told<'a> {
    let view = session.view();
    let (id, thread_id) = (turn.question_id.as_str(), turn.thread_id.as_str());
    let trace = Box::new(Trace::of(turn, session));
    match settled {
        Settled::Ended { kept } => Told::Ended {
            outcome: view.outcome,
            id: kept.then_some(id),
            thread_id: kept.then_some(thread_id),
            view,
            context: session.context().map(Box::new),
            trace,
        },
        Settled::Waits { clarification_id, expires_in } => Told::Waits {
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
