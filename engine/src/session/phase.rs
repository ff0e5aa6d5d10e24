//! Phases of a session, named after what is awaited; each variant contains the data that only it needs.

use serde::{Deserialize, Serialize};

use super::statement::{Refusal, Statement, Unwritten};
use super::{Outcome, ProblemView, State};
use crate::clarification::Clarification;
use crate::intent::QueryTree;

/// What a session waits for.
///
/// A `basis` is the last query tree that was composed for the question. Follow-ups and names in corrections refer to it.
/// In phases with a composed statement it is the tree of the statement.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Phase {
    /// A question.
    #[default]
    Idle,
    /// Stored values that match unknown words.
    AwaitValues {
        /// Id of the effect.
        effect: u32,
        basis: Option<Box<QueryTree>>,
    },
    /// Values of a template's parameters that a model takes out of the question.
    AwaitParameters {
        /// Id of the effect.
        effect: u32,
        /// Name of the template.
        template: String,
        basis: Option<Box<QueryTree>>,
    },
    /// Answers to clarifications.
    AwaitAnswer {
        /// The clarifications, as shown.
        open: Vec<Clarification>,
        basis: Option<Box<QueryTree>>,
    },
    /// A statement written by a model.
    AwaitModel {
        /// Id of the effect.
        effect: u32,
        /// What the model was asked to do.
        task: ModelTask,
        /// How the question ends if the model fails.
        refusal: Box<Refusal>,
    },
    /// Rows of the statement.
    AwaitRows {
        /// Id of the effect.
        effect: u32,
        statement: Statement,
    },
    /// Rows beyond the limit, to find ties with the last row.
    AwaitTies {
        /// Id of the effect.
        effect: u32,
        /// Tree of the statement whose rows are shown.
        tree: Box<QueryTree>,
    },
    /// Nothing, because the question has ended.
    Ended(Ending),
}

/// What a model was asked to do.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ModelTask {
    /// Write a statement.
    Write,
    /// Repair the statement that the data source rejected.
    Repair,
}

/// How a question ended.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Ending {
    /// With an answer.
    Answered { basis: Option<Box<QueryTree>> },
    /// With a statement that failed in the data source.
    NotRun {
        problem: ProblemView,
        /// The statement, for a retry.
        statement: Statement,
    },
    /// Without a statement.
    Unwritten {
        reason: Unwritten,
        problem: ProblemView,
        /// Whether a retry may succeed because the model was unavailable.
        retryable: bool,
        basis: Option<Box<QueryTree>>,
    },
    /// Cancelled by the user.
    Cancelled { basis: Option<Box<QueryTree>> },
}

impl Phase {
    /// The state shown in this phase.
    pub(super) fn state(&self) -> State {
        match self {
            Self::Idle => State::Initializing,
            Self::AwaitValues { .. } | Self::AwaitParameters { .. } => State::QueryUnderstanding,
            Self::AwaitAnswer { open, .. } if open.iter().any(Clarification::confirms_joins) => {
                State::AwaitingCorrection
            }
            Self::AwaitAnswer { .. } => State::AwaitingClarification,
            Self::AwaitModel { task: ModelTask::Write, .. } => State::GeneratingSql,
            Self::AwaitModel { task: ModelTask::Repair, .. } => State::Repairing,
            Self::AwaitRows { .. } | Self::AwaitTies { .. } => State::ExecutingQuery,
            Self::Ended(Ending::Answered { .. }) => State::Completed,
            Self::Ended(Ending::NotRun { .. } | Ending::Unwritten { .. }) => State::Failed,
            Self::Ended(Ending::Cancelled { .. }) => State::Cancelled,
        }
    }

    /// The outcome shown in this phase.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::AwaitAnswer { .. } => Some(Outcome::NeedsClarification),
            Self::Ended(Ending::Answered { .. }) => Some(Outcome::Answered),
            Self::Ended(Ending::NotRun { .. }) => Some(Outcome::ExecutionFailed),
            Self::Ended(Ending::Unwritten { reason, .. }) => Some(reason.outcome()),
            Self::Idle
            | Self::AwaitValues { .. }
            | Self::AwaitParameters { .. }
            | Self::AwaitModel { .. }
            | Self::AwaitRows { .. }
            | Self::AwaitTies { .. }
            | Self::Ended(Ending::Cancelled { .. }) => None,
        }
    }

    /// The problem shown in this phase.
    pub(super) fn problem(&self) -> Option<&ProblemView> {
        match self {
            Self::Ended(Ending::NotRun { problem, .. } | Ending::Unwritten { problem, .. }) => {
                Some(problem)
            }
            _ => None,
        }
    }

    /// The clarifications that wait for an answer.
    pub(super) fn open(&self) -> &[Clarification] {
        match self {
            Self::AwaitAnswer { open, .. } => open,
            _ => &[],
        }
    }

    /// Id of the effect whose result is awaited.
    pub(super) fn effect(&self) -> Option<u32> {
        match self {
            Self::AwaitValues { effect, .. }
            | Self::AwaitParameters { effect, .. }
            | Self::AwaitModel { effect, .. }
            | Self::AwaitRows { effect, .. }
            | Self::AwaitTies { effect, .. } => Some(*effect),
            Self::Idle | Self::AwaitAnswer { .. } | Self::Ended(_) => None,
        }
    }

    /// Whether the phase is possible before the first question.
    pub(super) fn needs_no_question(&self) -> bool {
        matches!(self, Self::Idle | Self::Ended(Ending::Cancelled { .. }))
    }

    /// The last query tree that was composed for the question.
    pub(super) fn basis(&self) -> Option<&QueryTree> {
        match self {
            Self::AwaitValues { basis, .. }
            | Self::AwaitParameters { basis, .. }
            | Self::AwaitAnswer { basis, .. }
            | Self::Ended(
                Ending::Answered { basis }
                | Ending::Unwritten { basis, .. }
                | Ending::Cancelled { basis },
            ) => basis.as_deref(),
            Self::AwaitRows { statement, .. } | Self::Ended(Ending::NotRun { statement, .. }) => {
                statement.tree()
            }
            Self::AwaitTies { tree, .. } => Some(tree),
            Self::Idle | Self::AwaitModel { .. } => None,
        }
    }

    /// Like [`Self::basis`], by value.
    pub(super) fn into_basis(self) -> Option<Box<QueryTree>> {
        match self {
            Self::AwaitValues { basis, .. }
            | Self::AwaitParameters { basis, .. }
            | Self::AwaitAnswer { basis, .. }
            | Self::Ended(
                Ending::Answered { basis }
                | Ending::Unwritten { basis, .. }
                | Ending::Cancelled { basis },
            ) => basis,
            Self::AwaitRows { statement, .. } | Self::Ended(Ending::NotRun { statement, .. }) => {
                statement.into_tree()
            }
            Self::AwaitTies { tree, .. } => Some(tree),
            Self::Idle | Self::AwaitModel { .. } => None,
        }
    }
}
