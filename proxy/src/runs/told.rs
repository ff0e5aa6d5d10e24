//! What an answer says of a question without being the answer.

use serde::{Deserialize, Serialize};
use wherefore_engine::session::ProgressStep;

/// How a question ended.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub(crate) struct End {
    /// HTTP status of the answer; absent where the work ended without one: the question can be sent again.
    pub(crate) status: Option<u16>,
    /// Outcome, where there is one.
    pub(crate) outcome: Option<String>,
    /// Stable code of the problem, where there is one.
    pub(crate) code: Option<String>,
}

/// What stands in the body of an answer, as far as others than its asker have to know it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Told {
    #[serde(default)]
    outcome: Option<String>,
    /// Stable code of the problem, where it is one.
    #[serde(default)]
    pub(crate) code: Option<String>,
    /// Id that the question waits under.
    #[serde(default)]
    pub(crate) clarification_id: Option<String>,
    #[serde(default)]
    view: ToldView,
}

#[derive(Debug, Default, Deserialize)]
struct ToldView {
    #[serde(default)]
    steps: Vec<ProgressStep>,
}

impl Told {
    /// What a body says; nothing where it is none of ours.
    pub(crate) fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// How the question ended whose answer has this status.
    pub(crate) fn end(&self, status: u16) -> End {
        End { status: Some(status), outcome: self.outcome.clone(), code: self.code.clone() }
    }

    /// States passed, in order.
    pub(crate) fn steps(&self) -> &[ProgressStep] {
        &self.view.steps
    }
}
