//! What a screen needs to show a session, and nothing else.

use serde::{Deserialize, Serialize};

use super::{FollowUp, FromMemory, ResultSet};
use crate::clarification::{AssumptionSource, Clarification, ClarificationOption};
use crate::confidence::Confidence;
use crate::text::Span;
use crate::writing::{Mode, StatedAssumption, SubQuestion, Writer};

/// Everything a screen needs.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Where the session stands.
    pub state: State,
    /// The question as typed.
    pub question: String,
    /// What was understood.
    pub understanding: Understanding,
    /// Open clarifications, most severe first.
    pub clarifications: Vec<Clarification>,
    /// Rounds of clarification so far.
    pub round: u8,
    /// What was decided without asking, or by an answer; each can be changed.
    pub assumptions: Vec<Assumption>,
    /// The statement, formatted, once written.
    #[serde(default)]
    pub sql: Option<String>,
    /// One sentence that says how the question was read, once it was.
    #[serde(default)]
    pub confirmation: Option<String>,
    /// Who wrote the statement.
    #[serde(default)]
    pub writer: Writer,
    /// How it was written.
    #[serde(default)]
    pub mode: Mode,
    /// What a model that wrote it took for granted.
    #[serde(default)]
    pub stated: Vec<StatedAssumption>,
    /// Sub-questions that a model answered one by one.
    #[serde(default)]
    pub sub_questions: Vec<SubQuestion>,
    /// What was kept of the question before and what changed, where this one goes on from it.
    #[serde(default)]
    pub follow_up: Option<FollowUp>,
    /// Rows, once run.
    #[serde(default)]
    pub result: Option<ResultSet>,
    /// What a person should know about the rows.
    pub notes: Vec<Note>,
    /// How it ended, once it did.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// What went wrong, where something did.
    #[serde(default)]
    pub problem: Option<ProblemView>,
    /// Questions that may follow.
    pub suggestions: Vec<String>,
    /// States passed, in order.
    pub steps: Vec<ProgressStep>,
}

/// What the engine makes of a text while it is typed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// What was understood.
    pub understanding: Understanding,
    /// What would be asked.
    pub clarifications: Vec<Clarification>,
    /// What would be assumed.
    pub assumptions: Vec<Assumption>,
    /// The statement, where one can be written already.
    #[serde(default)]
    pub sql: Option<String>,
    /// What stands in the way of a statement, where something does.
    #[serde(default)]
    pub problem: Option<ProblemView>,
}

/// What was understood of a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Understanding {
    /// Places in the question that were tied to something, in order.
    pub mentions: Vec<MentionView>,
    /// Places that were tied to nothing.
    pub unread: Vec<Span>,
    /// How sure the reading is.
    pub confidence: Confidence,
}

/// A place in the question that was tied to something.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct MentionView {
    /// Place in the question.
    pub span: Span,
    /// Words in that place.
    pub phrase: String,
    /// Kind of thing.
    pub kind: MentionKind,
    /// The thing in a few words, such as `Invoice.InvoiceDate`.
    pub meaning: String,
    /// How sure the tie is, 0 to 1.
    pub confidence: f64,
    /// Why it was tied, in words.
    pub reason: String,
    /// Other things the words may mean, best first.
    pub rivals: Vec<Rival>,
}

/// Another thing that words may mean.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Rival {
    /// The thing in a few words.
    pub meaning: String,
    /// How sure the tie would be, 0 to 1.
    pub confidence: f64,
}

/// Kinds of things that words are tied to.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MentionKind {
    /// Count, sum, average, largest, smallest.
    Aggregate,
    /// A column.
    Column,
    /// A comparison such as "more than".
    Comparison,
    /// "per", "by", "for each".
    Grouping,
    /// A number of rows.
    Limit,
    /// A number.
    Number,
    /// A direction of ordering.
    Ordering,
    /// A table.
    Table,
    /// A time expression.
    Time,
    /// A term that needs a definition.
    VagueTerm,
    /// A stored value.
    Value,
}

/// Something decided without asking, or by an answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// Id to change it by.
    pub id: String,
    /// Words that were decided.
    pub phrase: String,
    /// Place in the question, where there is one.
    #[serde(default)]
    pub span: Option<Span>,
    /// What they were taken to mean.
    pub meaning: String,
    /// Who or what decided.
    pub source: AssumptionSource,
    /// The choice made before that decided, where one did.
    #[serde(default)]
    pub from_memory: Option<FromMemory>,
    /// The clarification that would have been asked, with all its options.
    pub clarification: Clarification,
    /// Chosen option, where it was one of them.
    #[serde(default)]
    pub chosen: Option<ClarificationOption>,
}

/// Something a person should know about the rows.
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
    /// No rows, with what may explain it.
    Empty,
    /// A model wrote the statement, and what it took for granted.
    Model,
    /// The catalog has no database behind it: nothing was run.
    NotRun,
    /// Rows beyond the limit are equal to the last one.
    Tie,
    /// Rows were left out.
    Truncated,
}

/// The five ways a question ends; they are never mixed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Rows came back.
    Answered,
    /// The data source failed.
    ExecutionFailed,
    /// No statement could be written.
    GenerationFailed,
    /// The asker must decide something first.
    NeedsClarification,
    /// Not a question that this data can answer, or not a question at all.
    OutOfScope,
}

/// What went wrong, for a person and for a program.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ProblemView {
    /// Stable code.
    pub code: String,
    /// Stage that failed.
    pub stage: Stage,
    /// One sentence.
    pub message: String,
    /// What may help, in one sentence.
    #[serde(default)]
    pub hint: String,
    /// Place in the question, where there is one.
    #[serde(default)]
    pub span: Option<Span>,
    /// Whether trying again may help.
    #[serde(default)]
    pub retryable: bool,
}

/// Stages a person knows by name.
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

/// A state passed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ProgressStep {
    /// The state.
    pub state: State,
    /// What was done in it, in words.
    pub detail: String,
}

/// Where a session stands (`spec` §14).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// Nothing asked yet.
    #[default]
    Initializing,
    /// Reading the question.
    QueryUnderstanding,
    /// Waiting for answers.
    AwaitingClarification,
    /// Planning joins.
    InferringJoins,
    /// Writing the statement.
    GeneratingSql,
    /// A model repairs the statement.
    Repairing,
    /// Waiting for rows.
    ExecutingQuery,
    /// Ended with an answer.
    Completed,
    /// Ended without one.
    Failed,
    /// Ended by the asker.
    Cancelled,
}

impl State {
    /// Name as on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initializing => "initializing",
            Self::QueryUnderstanding => "query_understanding",
            Self::AwaitingClarification => "awaiting_clarification",
            Self::InferringJoins => "inferring_joins",
            Self::GeneratingSql => "generating_sql",
            Self::Repairing => "repairing",
            Self::ExecutingQuery => "executing_query",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl MentionKind {
    /// Whether it is tied to the catalog, or to a time.
    pub(crate) fn is_tied(self) -> bool {
        matches!(self, Self::Column | Self::Table | Self::Time | Self::Value)
    }
}
