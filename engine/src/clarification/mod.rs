//! Clarifications: questions about an ambiguity, whose options are parts of a query.

mod answer;
mod build;
mod decision;
mod parameter;
mod wording;
mod written;

pub(crate) use answer::binding_of;
pub(crate) use build::{clarification_id, clarify};
pub use decision::AssumptionSource;
pub(crate) use decision::{Decision, Relation};
pub use parameter::ParameterInput;
pub(crate) use wording::distinct_words;
pub use written::Answer;

/// Id of the option that confirms planned joins.
pub(crate) const AS_PLANNED: &str = "as_planned";

use serde::{Deserialize, Serialize};

use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::intent::{Aggregate, DateRange, JoinStep, Predicate, TimeGrain};
use crate::text::Span;

/// A question about an ambiguity.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// Id; the same whenever the same question is asked of the same catalog.
    pub id: String,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// Severity of the ambiguity.
    pub severity: Severity,
    /// Span in the question; absent if the clarification concerns the whole question.
    #[serde(default)]
    pub span: Option<Span>,
    /// Words in the span.
    #[serde(default)]
    pub phrase: String,
    /// Text of the question; the most likely reading comes first.
    pub question: String,
    /// Why the clarification is asked, in one sentence without a full stop.
    pub reason: String,
    /// Options, most likely first.
    pub options: Vec<ClarificationOption>,
    /// What the user may enter instead of an option.
    #[serde(default)]
    pub custom: Option<CustomInput>,
    /// Id of the recommended option.
    #[serde(default)]
    pub recommended: Option<String>,
    /// What was understood of the question so far, one line each.
    #[serde(default)]
    pub understood: Vec<String>,
    /// The whole clarification as text, with numbered options, for text-only clients.
    pub plain_text: String,
}

/// One possible answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ClarificationOption {
    /// Id of the option, unique within its clarification.
    pub id: String,
    /// Label of a few words.
    pub label: String,
    /// What the option means, in one sentence; may be empty.
    #[serde(default)]
    pub description: String,
    /// Part of the query that the option stands for.
    pub binding: OptionBinding,
    /// Confidence that this option is meant, 0 to 1, at most 1 for all options together; absent where nothing
    /// measures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// What an option stands for: a part of the query tree, not text that is added to the question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OptionBinding {
    /// The words mean this aggregate function.
    Aggregate {
        /// Which one.
        function: Aggregate,
    },
    /// A condition that could refer to several tables refers to these.
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
    /// The words mean grouping by this time unit.
    Grain {
        /// Time unit.
        grain: TimeGrain,
    },
    /// The words are left out.
    Ignore,
    /// The tables are joined by these steps.
    Join {
        /// Join steps, in order.
        joins: Vec<JoinStep>,
    },
    /// The parameter of a template has this value.
    Parameter {
        /// Name of the template.
        template: String,
        /// Name of the parameter.
        parameter: String,
        /// The value, as text.
        value: String,
    },
    /// The words mean this condition.
    Predicate {
        /// The condition.
        predicate: Predicate,
    },
    /// A list refers to the rows of this table together, or to each of them.
    Scope {
        /// Key of the table.
        table: String,
        /// The relation.
        #[cfg_attr(feature = "typescript", tsify(type = "ScopeReading"))]
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
        /// Range; all time if it has neither start nor end.
        range: DateRange,
    },
    /// The words mean this stored value.
    Value {
        /// Column that holds the value.
        column: ColumnRef,
        /// Value as stored.
        value: String,
    },
}

/// What "each" and "all" refer to.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(rename = "ScopeReading"))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Only the related items that all rows share.
    All,
    /// All related items of each row, listed with the row.
    Each,
}

/// Input that is accepted instead of an option.
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
        /// Comparison operator.
        operator: crate::intent::Comparison,
        /// Unit, if known.
        #[serde(default)]
        unit: Option<String>,
        /// Smallest sensible number.
        #[serde(default)]
        minimum: Option<f64>,
        /// Largest sensible number.
        #[serde(default)]
        maximum: Option<f64>,
    },
    /// Text, which is interpreted like a condition in a question, or is the value of a template's parameter.
    Text {
        /// Example for the empty field.
        placeholder: String,
        /// Key of the table that the condition applies to; empty for the value of a parameter, and where the text
        /// names the table.
        table: String,
        /// The parameter that the text is the value of; absent for a condition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parameter: Option<ParameterInput>,
    },
}

impl Clarification {
    /// Key of the table that a typed condition applies to; `None` if text is not accepted.
    pub fn takes_words_about(&self) -> Option<&str> {
        match self.custom.as_ref()? {
            CustomInput::Text { parameter: Some(_), .. } => None,
            CustomInput::Text { table, .. } => {
                Some(table.as_str()).filter(|table| !table.is_empty())
            }
            CustomInput::DateRange { column } | CustomInput::Number { column, .. } => {
                (self.ambiguity == AmbiguityKind::VagueTerm).then_some(column.table.as_str())
            }
        }
    }

    /// Whether a text is accepted that names a table, with or without conditions on its rows.
    pub(crate) fn takes_rows(&self) -> bool {
        self.ambiguity == AmbiguityKind::Intent
            && matches!(self.custom, Some(CustomInput::Text { parameter: None, .. }))
    }

    /// Whether it asks for a confirmation of planned joins, which can also be corrected.
    pub fn confirms_joins(&self) -> bool {
        self.ambiguity == AmbiguityKind::Join
            && matches!(&self.options[..], [only] if only.id == AS_PLANNED)
    }

    /// Whether text is accepted, as a condition or as the value of a parameter.
    pub fn takes_text(&self) -> bool {
        matches!(self.custom, Some(CustomInput::Text { .. })) || self.takes_words_about().is_some()
    }
}

/// An answer to one clarification.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ClarificationAnswer {
    /// Id of the clarification.
    pub clarification_id: String,
    /// The answer.
    pub answer: Answer,
}
