//! The result of writing: a statement, questions, or a failure.

use serde::{Deserialize, Serialize};

use super::ExtractedParameter;
use crate::intent::Aggregate;

/// The result of writing: one of the first four fields, or parameters if the brief names a template.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// A statement that passed the guard.
    #[serde(default)]
    pub statement: Option<WrittenStatement>,
    /// Questions to ask first.
    #[serde(default)]
    pub questions: Vec<WrittenQuestion>,
    /// Why the data cannot answer the question.
    #[serde(default)]
    pub out_of_scope: Option<String>,
    /// Why there is no statement: stable error code and message for users.
    #[serde(default)]
    pub failure: Option<(String, String)>,
    /// With questions: drafts that differ in what is asked, as JSON for the next brief, so that the draft that matches
    /// the answer needs no further call of a model.
    #[serde(default)]
    pub held: Vec<String>,
    /// Values of the parameters of the brief's template that the question gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ExtractedParameter>,
    /// Trace of the steps, for diagnosis.
    #[serde(default)]
    pub trace: Vec<TraceEntry>,
    /// What was done, in order, for users.
    #[serde(default)]
    pub progress: Vec<WritingStep>,
}

/// A step of writing, for users.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WritingStep {
    /// Stage.
    pub stage: WritingStage,
    /// What was done, in words.
    pub detail: String,
    /// Milliseconds since writing began; absent if the host measures no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u32>,
}

/// Stages of writing.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum WritingStage {
    /// A model looks for values in the question.
    Extracting,
    /// Joins are planned.
    Joining,
    /// A model judges tables.
    JudgingTables,
    /// Models write drafts.
    Drafting,
    /// Drafts are checked.
    Checking,
    /// A model repairs a draft.
    Repairing,
}

/// A statement written by a model.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenStatement {
    /// The statement, printed from the checked tree.
    pub sql: String,
    /// Description in one sentence, derived from the statement; if that is not possible, in the model's words.
    pub explanation: String,
    /// Assumptions of the model.
    #[serde(default)]
    pub assumptions: Vec<StatedAssumption>,
    /// Automatic corrections.
    #[serde(default)]
    pub corrected: Vec<String>,
    /// Warnings: what is probably wrong.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// Sub-questions, each answered by a common table expression of the same name.
    #[serde(default)]
    pub steps: Vec<SubQuestion>,
    /// How the statement was written.
    pub mode: Mode,
    /// Key of the first table in FROM.
    #[serde(default)]
    pub table: Option<String>,
}

/// A question of a model, or about a difference between its drafts; its options exist in the catalog.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenQuestion {
    /// The ambiguous words.
    pub phrase: String,
    /// Why the question is asked: the reason of the model, or the difference between drafts.
    #[serde(default)]
    pub reason: String,
    /// Options, at least two.
    pub options: Vec<WrittenOption>,
}

/// An option: a table, a column, a stored value of a column, or an aggregate of a column.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenOption {
    /// Label of a few words.
    pub label: String,
    /// Key of the table.
    pub table: String,
    /// Column.
    #[serde(default)]
    pub column: Option<String>,
    /// Stored value.
    #[serde(default)]
    pub value: Option<String>,
    /// Aggregate function.
    #[serde(default)]
    pub figure: Option<Aggregate>,
}

/// How a statement was written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// In one step.
    #[default]
    Direct,
    /// By sub-questions.
    Funnel,
    /// Written from a template.
    Template,
}

/// Who or what wrote a statement.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The engine, from a query tree.
    #[default]
    Composer,
    /// A language model.
    Model,
    /// The author of the template.
    Template,
}

/// An assumption of a model.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct StatedAssumption {
    /// Words of the question.
    pub term: String,
    /// Their assumed meaning.
    pub value: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// How sure the model is, 0 to 1, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What the words may mean, the assumed meaning first; at least two, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<WrittenOption>,
}

/// A part of a question that is answered separately.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct SubQuestion {
    /// Name of the common table expression that answers the part.
    pub name: String,
    /// The part, in words.
    pub question: String,
}

/// A step of writing, for diagnosis.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct TraceEntry {
    /// Stage, such as `drafting`.
    pub stage: String,
    /// Description of what was done or found.
    pub detail: String,
}
