//! Clarifications: an ambiguity put to a person, with options that are bindings.

mod answer;
mod build;
mod decision;
mod written;

pub(crate) use answer::binding_of;
pub(crate) use build::{clarification_id, clarify};
pub use decision::AssumptionSource;
pub(crate) use decision::Decision;
pub use written::Answer;

use serde::{Deserialize, Serialize};

use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::intent::{Aggregate, DateRange, JoinStep, Predicate, TimeGrain};
use crate::text::Span;

/// A question asked back.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// Id, the same for the same question, catalog and place.
    pub id: String,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// How much hangs on it.
    pub severity: Severity,
    /// Place in the question; absent where the whole question is meant.
    #[serde(default)]
    pub span: Option<Span>,
    /// Words in that place.
    #[serde(default)]
    pub phrase: String,
    /// The question, hypothesis first.
    pub question: String,
    /// Why it is asked, in one sentence.
    pub reason: String,
    /// Options, most likely first.
    pub options: Vec<ClarificationOption>,
    /// What a person may enter instead of an option.
    #[serde(default)]
    pub custom: Option<CustomInput>,
    /// Id of the recommended option.
    #[serde(default)]
    pub recommended: Option<String>,
    /// What is already understood, in words.
    #[serde(default)]
    pub understood: Vec<String>,
    /// The whole as text, for hosts without a screen.
    pub plain_text: String,
}

/// One possible answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ClarificationOption {
    /// Id within its clarification.
    pub id: String,
    /// A few words.
    pub label: String,
    /// What choosing it does, in words.
    #[serde(default)]
    pub description: String,
    /// What choosing it means exactly.
    pub binding: OptionBinding,
}

/// What an option means: a part of a query tree, never a text glued to the question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OptionBinding {
    /// The words mean this aggregate.
    Aggregate {
        /// Which one.
        function: Aggregate,
    },
    /// What is said beside several tables is said of the rows of these.
    Attachment {
        /// Keys of the tables.
        tables: Vec<String>,
    },
    /// The words mean this column.
    Column {
        /// Which one.
        column: ColumnRef,
    },
    /// The words mean all of these columns.
    Columns {
        /// Which ones.
        columns: Vec<ColumnRef>,
    },
    /// The words mean rows grouped by this period.
    Grain {
        /// Length of the period.
        grain: TimeGrain,
    },
    /// The words add nothing.
    Ignore,
    /// Tables hang together in this way.
    Join {
        /// Joins in order.
        joins: Vec<JoinStep>,
    },
    /// The words mean this condition.
    Predicate {
        /// Condition.
        predicate: Predicate,
    },
    /// What is listed is listed for the rows of this table in this way.
    Scope {
        /// Key of the table.
        table: String,
        /// In which way.
        scope: Scope,
    },
    /// The words mean rows of this table.
    Table {
        /// Key of the table.
        table: String,
    },
    /// The words mean this range of a date column.
    TimeRange {
        /// Date column.
        column: ColumnRef,
        /// Range; both ends absent means all time.
        range: DateRange,
    },
    /// The words mean this stored value.
    Value {
        /// Column that holds it.
        column: ColumnRef,
        /// Value as stored.
        value: String,
    },
}

/// What "each" and "all" hold for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Only what all rows have in common.
    All,
    /// What each row has, listed beside it.
    Each,
}

/// What may be entered instead of an option.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CustomInput {
    /// First and last day.
    DateRange {
        /// Date column that is filtered.
        column: ColumnRef,
    },
    /// A threshold.
    Number {
        /// Column that is compared.
        column: ColumnRef,
        /// Comparison with the number.
        operator: crate::intent::Comparison,
        /// Unit, where known.
        #[serde(default)]
        unit: Option<String>,
        /// Smallest sensible number.
        #[serde(default)]
        minimum: Option<f64>,
        /// Largest sensible number.
        #[serde(default)]
        maximum: Option<f64>,
    },
    /// Words, read like a part of a question.
    Text {
        /// Example shown in the empty field.
        placeholder: String,
        /// Key of the table whose rows the words set a condition on.
        table: String,
    },
}

impl Clarification {
    /// Key of the table that words entered by hand set a condition on; none where words are no answer.
    pub fn takes_words_about(&self) -> Option<&str> {
        match self.custom.as_ref()? {
            CustomInput::Text { table, .. } => Some(table),
            CustomInput::DateRange { column } | CustomInput::Number { column, .. } => {
                (self.ambiguity == AmbiguityKind::VagueTerm).then_some(column.table.as_str())
            }
        }
    }
}

/// An answer to one clarification.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ClarificationAnswer {
    /// Id of the clarification.
    pub clarification_id: String,
    /// What was answered.
    pub answer: Answer,
}
