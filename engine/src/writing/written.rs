//! What came of writing: a statement, questions, or why there is neither.

use serde::{Deserialize, Serialize};

use crate::intent::Aggregate;

/// What came of writing: exactly one of the first four is set.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// A statement that the guard let through.
    #[serde(default)]
    pub statement: Option<WrittenStatement>,
    /// What has to be asked first.
    #[serde(default)]
    pub questions: Vec<WrittenQuestion>,
    /// Why this data cannot answer the question.
    #[serde(default)]
    pub out_of_scope: Option<String>,
    /// Why nothing was written: a stable code, then what a person is told.
    #[serde(default)]
    pub failure: Option<(String, String)>,
    /// Beside questions, sound drafts that differ in what is asked, each as JSON for the next brief; the one that
    /// keeps the answer needs no model.
    #[serde(default)]
    pub held: Vec<String>,
    /// What was done on the way.
    #[serde(default)]
    pub trace: Vec<TraceEntry>,
}

/// A statement written by a model.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenStatement {
    /// The statement, printed from the tree that was checked.
    pub sql: String,
    /// What it does, in one sentence that is read off it; in the model's words, as such, where that cannot be.
    pub explanation: String,
    /// What the model took for granted.
    #[serde(default)]
    pub assumptions: Vec<StatedAssumption>,
    /// What was mended in it before it ran.
    #[serde(default)]
    pub corrected: Vec<String>,
    /// What is likely wrong with it, as far as it can be seen.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// Sub-questions, each answered by the common table expression of its name.
    #[serde(default)]
    pub steps: Vec<SubQuestion>,
    /// How it was written.
    pub mode: Mode,
    /// Key of the first table it reads from.
    #[serde(default)]
    pub table: Option<String>,
}

/// A question of a model, or about what its drafts differ in; its options are things of the catalog.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenQuestion {
    /// Words of the question that are open.
    pub phrase: String,
    /// Why it is asked: as a model puts it, or what drafts differ in.
    #[serde(default)]
    pub reason: String,
    /// Two options or more.
    pub options: Vec<WrittenOption>,
}

/// An option of such a question: a table, a column, a column with a stored value, or a figure of a column.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct WrittenOption {
    /// A few words.
    pub label: String,
    /// Key of the table.
    pub table: String,
    /// Its column.
    #[serde(default)]
    pub column: Option<String>,
    /// The stored value.
    #[serde(default)]
    pub value: Option<String>,
    /// The figure of the column that is meant.
    #[serde(default)]
    pub figure: Option<Aggregate>,
}

/// How a statement was written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As a whole.
    #[default]
    Direct,
    /// Sub-question by sub-question.
    Funnel,
    /// From a template.
    Template,
}

/// Who wrote a statement.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// The engine, from a query tree.
    #[default]
    Composer,
    /// A language model.
    Model,
    /// Whoever wrote the template.
    Template,
}

/// Something a model took for granted.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct StatedAssumption {
    /// Words of the question.
    pub term: String,
    /// What they were taken to mean.
    pub value: String,
    /// Why.
    #[serde(default)]
    pub reason: String,
}

/// A part of a question that is answered by itself.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct SubQuestion {
    /// Name of its common table expression.
    pub name: String,
    /// The part, in words.
    pub question: String,
}

/// Something that was done on the way to a statement.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct TraceEntry {
    /// Stage, such as `drafting`.
    pub stage: String,
    /// What was done or found.
    pub detail: String,
}
