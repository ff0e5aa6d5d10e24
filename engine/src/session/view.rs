//! The view: what a screen shows of a session.

use serde::{Deserialize, Serialize};

use super::{FollowUp, ResultSet};
use crate::account::{Account, Doubt};
use crate::clarification::{AssumptionSource, Clarification, ClarificationOption};
use crate::confidence::Confidence;
use crate::template::ParameterValue;
use crate::text::Span;
use crate::writing::{Mode, StatedAssumption, SubQuestion, Writer, WritingStage, WritingStep};

/// What a screen shows of a session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Current state.
    pub state: State,
    /// The question as typed.
    pub question: String,
    /// What was understood.
    pub understanding: Understanding,
    /// Open clarifications, in the order to show them.
    pub clarifications: Vec<Clarification>,
    /// Rounds of clarification so far.
    pub round: u8,
    /// Decisions, by the user or by default; each can be changed.
    pub assumptions: Vec<Assumption>,
    /// The formatted statement, once written.
    #[serde(default)]
    pub sql: Option<String>,
    /// Interpretation of the question, in one sentence.
    #[serde(default)]
    pub confirmation: Option<String>,
    /// The parameters of the template that answers, in order; empty without a template.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterValue>,
    /// Who or what wrote the statement.
    #[serde(default)]
    pub writer: Writer,
    /// How the statement was written.
    #[serde(default)]
    pub mode: Mode,
    /// Assumptions of the model that wrote the statement.
    #[serde(default)]
    pub stated: Vec<StatedAssumption>,
    /// Sub-questions that the model answered separately.
    #[serde(default)]
    pub sub_questions: Vec<SubQuestion>,
    /// For a follow-up: what was kept of the earlier question, and what changed.
    #[serde(default)]
    pub follow_up: Option<FollowUp>,
    /// Rows, once the statement was run.
    #[serde(default)]
    pub result: Option<ResultSet>,
    /// Notes about the rows.
    pub notes: Vec<Note>,
    /// The outcome, once the question ended or needs clarification.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// The problem, if the question failed.
    #[serde(default)]
    pub problem: Option<ProblemView>,
    /// Suggested questions.
    pub suggestions: Vec<String>,
    /// Progress steps, in order.
    pub steps: Vec<ProgressStep>,
}

/// Preview of a text while it is typed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// What was understood.
    pub understanding: Understanding,
    /// Clarifications that would be asked.
    pub clarifications: Vec<Clarification>,
    /// Assumptions that would be made.
    pub assumptions: Vec<Assumption>,
    /// The formatted statement, if one can be written.
    #[serde(default)]
    pub sql: Option<String>,
    /// The problem, if no statement can be written.
    #[serde(default)]
    pub problem: Option<ProblemView>,
}

/// What was understood of a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Understanding {
    /// Phrases of the question with their meaning, in order.
    pub mentions: Vec<MentionView>,
    /// Spans that were not understood.
    pub unread: Vec<Span>,
    /// Confidence of the reading.
    pub confidence: Confidence,
    /// Where the query does not say what the question says.
    #[serde(default)]
    pub doubts: Vec<Doubt>,
    /// Which words made which clause, and how the other words were read.
    #[serde(default)]
    pub account: Account,
}

/// A phrase of the question with its meaning.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct MentionView {
    /// Span in the question.
    pub span: Span,
    /// Words in the span.
    pub phrase: String,
    /// Kind of meaning.
    pub kind: MentionKind,
    /// Short meaning, such as `Invoice.InvoiceDate`.
    pub meaning: String,
    /// Confidence, 0 to 1.
    pub confidence: f64,
    /// Why the words have this meaning.
    pub reason: String,
    /// Alternative meanings, best first.
    pub rivals: Vec<Rival>,
}

/// An alternative meaning.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Rival {
    /// Short meaning.
    pub meaning: String,
    /// Confidence, 0 to 1.
    pub confidence: f64,
}

/// Kinds of meanings.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MentionKind {
    /// An aggregate: count, sum, average, largest or smallest.
    Aggregate,
    /// A column.
    Column,
    /// A comparison such as "more than".
    Comparison,
    /// Grouping: "per", "by", "for each".
    Grouping,
    /// A number of rows.
    Limit,
    /// A number.
    Number,
    /// A sort order.
    Ordering,
    /// A table.
    Table,
    /// A time expression.
    Time,
    /// A vague term that needs a definition.
    VagueTerm,
    /// A stored value.
    Value,
}

/// A decision about an ambiguity, by the user or by default.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// Id by which the decision can be changed.
    pub id: String,
    /// The ambiguous words.
    pub phrase: String,
    /// Span in the question, if there is one.
    #[serde(default)]
    pub span: Option<Span>,
    /// Their meaning.
    pub meaning: String,
    /// Who or what decided.
    pub source: AssumptionSource,
    /// The remembered choice, if memory decided.
    #[serde(default)]
    pub from_memory: Option<FromMemory>,
    /// The clarification, with all its options.
    pub clarification: Clarification,
    /// The chosen option; absent if the meaning was typed.
    #[serde(default)]
    pub chosen: Option<ClarificationOption>,
}

/// A remembered choice that was applied.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FromMemory {
    /// Id of the pattern in memory.
    pub pattern_id: String,
    /// Why the remembered choice was applied, for users.
    pub reason: String,
}

/// A note about the rows.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Kind.
    pub kind: NoteKind,
    /// One sentence.
    pub text: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteKind {
    /// The result is empty, with a possible reason.
    Empty,
    /// The statement was written by a model; also used for its assumptions.
    Model,
    /// The statement was not run, because there is no database.
    NotRun,
    /// Rows beyond the limit tie with the last row.
    Tie,
    /// The result is truncated.
    Truncated,
}

/// The five possible outcomes of a question; exactly one applies.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The question was answered.
    Answered,
    /// The data source failed.
    ExecutionFailed,
    /// No statement could be written.
    GenerationFailed,
    /// The user has to answer clarifications first.
    NeedsClarification,
    /// The data cannot answer the question, or the text is not a question.
    OutOfScope,
}

/// A problem, for users and programs.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ProblemView {
    /// Stable error code.
    pub code: String,
    /// Stage that failed.
    pub stage: Stage,
    /// One sentence.
    pub message: String,
    /// Suggestion, in one sentence.
    #[serde(default)]
    pub hint: String,
    /// Span in the question, if there is one.
    #[serde(default)]
    pub span: Option<Span>,
    /// Whether a retry may succeed.
    #[serde(default)]
    pub retryable: bool,
}

/// Stages of a question, as shown to users.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Checking a statement.
    Checking,
    /// Running a statement.
    Running,
    /// Understanding the question.
    Understanding,
    /// Looking up stored values.
    Values,
    /// Writing the statement.
    Writing,
}

/// A progress step.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ProgressStep {
    /// The state.
    pub state: State,
    /// What was done, in words.
    pub detail: String,
    /// For a step of writing with a model: milliseconds since the writing began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u32>,
}

impl From<&WritingStep> for ProgressStep {
    fn from(step: &WritingStep) -> Self {
        let state = match step.stage {
            WritingStage::JudgingTables | WritingStage::Checking => State::Judging,
            WritingStage::Extracting => State::QueryUnderstanding,
            WritingStage::Joining => State::InferringJoins,
            WritingStage::Drafting => State::GeneratingSql,
            WritingStage::Repairing => State::Repairing,
        };
        Self { state, detail: step.detail.clone(), elapsed_ms: step.elapsed_ms }
    }
}

/// State of a session (`docs/spec.md` §14).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// No question was asked yet.
    #[default]
    Initializing,
    /// Reading the question.
    QueryUnderstanding,
    /// Waiting for answers to clarifications.
    AwaitingClarification,
    /// Planning joins.
    InferringJoins,
    /// Waiting for a confirmation or a correction of the planned joins.
    AwaitingCorrection,
    /// Writing the statement.
    GeneratingSql,
    /// A model judges tables, or its drafts are checked.
    Judging,
    /// A model is repairing the statement.
    Repairing,
    /// Running the statement.
    ExecutingQuery,
    /// Ended with an answer.
    Completed,
    /// Ended without an answer.
    Failed,
    /// Cancelled by the user.
    Cancelled,
}

impl State {
    /// Name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initializing => "initializing",
            Self::QueryUnderstanding => "query_understanding",
            Self::AwaitingClarification => "awaiting_clarification",
            Self::InferringJoins => "inferring_joins",
            Self::AwaitingCorrection => "awaiting_correction",
            Self::GeneratingSql => "generating_sql",
            Self::Judging => "judging",
            Self::Repairing => "repairing",
            Self::ExecutingQuery => "executing_query",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl MentionKind {
    /// Whether the meaning is a catalog element or a time.
    pub(crate) fn is_tied(self) -> bool {
        matches!(self, Self::Column | Self::Table | Self::Time | Self::Value)
    }
}
