//! The account of a question: the clauses of its statement with their words, and how all other words were read.
//!
//! Spans do not overlap; together they cover every character of the question that is not a space.

use serde::{Deserialize, Serialize};

use super::{Doubt, DoubtKind};
use crate::text::Span;

/// Which words made which clause of a statement, and how the remaining words were read.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// Clauses of the composed statement, in the order of SQL; none without a composed statement.
    pub clauses: Vec<Clause>,
    /// All other words and signs, in the order of the question.
    pub rest: Vec<Remainder>,
}

/// A clause of a statement with the words that ask for it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Kind of clause.
    pub kind: ClauseKind,
    /// What it says, in a few words.
    pub text: String,
    /// Spans of the words that ask for it, in order.
    pub spans: Vec<Span>,
    /// Why it is there, if no words ask for it.
    #[serde(default)]
    pub default: Option<ClauseDefault>,
}

/// Kinds of clauses.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClauseKind {
    /// Shown columns.
    Column,
    /// A computed figure.
    Figure,
    /// Equal rows are shown once.
    Distinct,
    /// The table whose rows are read.
    Rows,
    /// A joined table.
    Join,
    /// A condition on rows.
    Condition,
    /// What rows are grouped by.
    Group,
    /// A condition on groups.
    GroupCondition,
    /// An order.
    Order,
    /// A number of rows.
    Limit,
    /// The statement of a template, as a whole.
    Template,
}

/// Why a clause is there although no words ask for it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClauseDefault {
    /// Columns that are shown unless others are named, or beside them.
    Columns,
    /// The question names no figure, so rows are counted.
    Count,
    /// A term or metric is defined by it, or it was decided.
    Definition,
    /// Only values are asked for, so equal rows are shown once.
    Distinct,
    /// It stems from an earlier question of the conversation.
    Earlier,
    /// Rows are ordered by a column, so it must not be empty.
    Filled,
    /// Two tables are joined through it.
    Join,
    /// The question names no number of rows.
    Limit,
    /// The question names no order.
    Order,
    /// What is asked for is stored there.
    Rows,
    /// It follows from the words of another clause.
    Shared,
}

impl Account {
    /// A doubt for each clause that no words ask for and no default names.
    pub(crate) fn doubts(&self) -> impl Iterator<Item = Doubt> {
        let unasked = |clause: &&Clause| clause.spans.is_empty() && clause.default.is_none();
        let doubt = |_| Doubt { kind: DoubtKind::ClauseUnasked, span: None };
        self.clauses.iter().filter(unasked).map(doubt)
    }
}

impl ClauseDefault {
    /// The reason, in a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Columns => "shown by default",
            Self::Count => "no figure is named",
            Self::Definition => "by definition or decision",
            Self::Distinct => "only values are asked for",
            Self::Earlier => "from an earlier question",
            Self::Filled => "rows are ordered by it",
            Self::Join => "joins two tables",
            Self::Limit => "no number of rows is named",
            Self::Order => "no order is named",
            Self::Rows => "what is asked for is stored there",
            Self::Shared => "by words of another clause",
        }
    }
}

/// Words or signs that belong to no clause.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Remainder {
    /// Span in the question.
    pub span: Span,
    /// How they were read.
    pub reading: RemainderKind,
}

/// How words that belong to no clause were read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RemainderKind {
    /// An open clarification is about them.
    Asked,
    /// An assumption names them.
    Assumed,
    /// Signs without a meaning of their own.
    Punctuation,
    /// Words that only hold the question together.
    Structure,
    /// They were not understood.
    Unread,
    /// They were understood, but no clause uses them.
    Unused,
}

impl RemainderKind {
    /// The reading, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Asked => "asked about",
            Self::Assumed => "named in an assumption",
            Self::Punctuation => "punctuation",
            Self::Structure => "structure of the sentence",
            Self::Unread => "not understood",
            Self::Unused => "used by no clause",
        }
    }
}
