//! Summary of a response, for event streams and cancellation.

use serde::{Deserialize, Serialize};
use wherefore_engine::session::ProgressStep;
use wherefore_engine::writing::WritingStep;

/// How a question ended.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub(crate) struct Ending {
    /// HTTP status of the response; absent if the work was lost and the question can be sent again.
    pub(crate) status: Option<u16>,
    /// Outcome, if any.
    pub(crate) outcome: Option<String>,
    /// Code of the problem, if any.
    pub(crate) code: Option<String>,
    /// Whether the response can be fetched.
    #[serde(skip)]
    pub(crate) is_kept: bool,
}

/// Fields of a response body that event streams and cancellation need.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct AnswerSummary {
    /// Id of the question.
    #[serde(default)]
    pub(crate) id: Option<String>,
    #[serde(default)]
    outcome: Option<String>,
    /// Code of the problem, if any.
    #[serde(default)]
    pub(crate) code: Option<String>,
    /// Clarification id of the question.
    #[serde(default)]
    pub(crate) clarification_id: Option<String>,
    #[serde(default)]
    view: SummaryView,
    /// Steps of a statement that was only written.
    #[serde(default)]
    progress: Vec<WritingStep>,
}

#[derive(Debug, Default, Deserialize)]
struct SummaryView {
    #[serde(default)]
    steps: Vec<ProgressStep>,
}

impl AnswerSummary {
    /// Parses a response body; empty if it cannot be parsed.
    pub(crate) fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot parse an answer");
            Self::default()
        })
    }

    /// End of the question, for a response with this status.
    pub(crate) fn ending(&self, status: u16) -> Ending {
        let (outcome, code) = (self.outcome.clone(), self.code.clone());
        Ending { status: Some(status), outcome, code, is_kept: true }
    }

    /// States of the session so far, in order.
    pub(crate) fn steps(&self) -> Vec<ProgressStep> {
        let written = self.progress.iter().map(ProgressStep::from);
        self.view.steps.iter().cloned().chain(written).collect()
    }
}
