//! The brief: what a session knows about a question, as input for a model that writes the statement.

use serde::{Deserialize, Serialize};

use super::Required;
#[cfg(feature = "sql")]
use crate::catalog::Catalog;
#[cfg(feature = "sql")]
use crate::failure::FailureCode;
use crate::intent::Aggregate;

/// What is known about a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// The question as typed.
    pub question: String,
    /// The user's calendar date, `yyyy-mm-dd`.
    pub today: String,
    /// Earlier questions that this one follows up on, oldest first.
    #[serde(default)]
    pub earlier: Vec<String>,
    /// Schema links of words in the question.
    #[serde(default)]
    pub ties: Vec<Tie>,
    /// Unambiguous periods in the question.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "AskedPeriod[]", optional))]
    pub said: Vec<Said>,
    /// Decisions about words of the question.
    #[serde(default)]
    pub decided: Vec<DecidedWords>,
    /// Tables, and columns as `table.column`, that must be used.
    #[serde(default)]
    pub selected: Vec<String>,
    /// Tables, and columns as `table.column`, that must not be used.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// Error code of the reason why the engine could not compose the statement.
    #[serde(default)]
    pub refused: String,
    /// Expected shape of the rows.
    #[serde(default)]
    pub shape: Shape,
    /// No questions may be asked; every ambiguity takes its best reading.
    #[serde(default)]
    pub skip_clarification: bool,
    /// The earlier statement, if it failed in the data source.
    #[serde(default)]
    pub failed: Option<FailedStatement>,
    /// Drafts from before a clarification, which differ in what the user was asked, as JSON from
    /// [`Written::held`](super::Written::held). One that matches the answer is used without another call of a model.
    #[serde(default)]
    pub held: Vec<String>,
    /// Name of a template whose parameter values are asked for, in place of a statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// A schema link: words of the question that name an element of the catalog.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Tie {
    /// The words.
    pub phrase: String,
    /// Key of the table.
    pub table: String,
    /// Column, if the words name it or one of its values.
    #[serde(default)]
    pub column: Option<String>,
    /// Stored value, if the words name one.
    #[serde(default)]
    pub value: Option<String>,
    /// Whether the link is certain: the words match the name, and nothing else matches.
    #[serde(default)]
    pub sure: bool,
}

/// A period of the question.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(rename = "AskedPeriod"))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The words.
    pub phrase: String,
    /// Literals for the period; a statement that filters by the period contains at least one.
    pub literals: Vec<String>,
    /// Whether it is not known what the period does; a statement then contains it in any place.
    #[serde(default)]
    pub anywhere: bool,
    /// Whether the period is relative to today, so that a statement may compute it.
    #[serde(default)]
    pub relative: bool,
    /// Whether the period has a start, so that a literal that is only an exclusive upper bound does not count.
    #[serde(default)]
    pub started: bool,
}

/// A decision about words of the question.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct DecidedWords {
    /// The words.
    pub phrase: String,
    /// Meaning of the words, for the prompt.
    pub meaning: String,
    /// What the statement must contain.
    #[serde(default)]
    pub required: Required,
    /// Whether the user made the decision or a correction implies it; the statement must then respect it (invariant
    /// I9).
    #[serde(default)]
    pub fixed: bool,
}

/// Expected shape of the rows; absent fields are not known.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub struct Shape {
    /// Rows are groups.
    #[serde(default)]
    pub groups: bool,
    /// Rows are limited to the first ones of an order.
    #[serde(default)]
    pub ranks: bool,
    /// The answer is one number, such as a count.
    #[serde(default)]
    pub figure: bool,
    /// The aggregate function, if exactly one is asked for.
    #[serde(default)]
    pub works_out: Option<Aggregate>,
    /// Grouping columns, as `table.column`.
    #[serde(default)]
    pub per: Vec<String>,
    /// Limit on the rows.
    #[serde(default)]
    pub top: Option<u32>,
    /// Whether the order is descending.
    #[serde(default)]
    pub descending: Option<bool>,
    /// Columns to show, as `table.column`.
    #[serde(default)]
    pub shows: Vec<String>,
    /// Whether rows have to be distinct.
    #[serde(default)]
    pub distinct: bool,
    /// Key of the table whose rows are listed.
    #[serde(default)]
    pub lists: Option<String>,
    /// Words for the amount that is computed; absent if rows are counted, or if it is not known.
    #[serde(default)]
    pub amount: Option<String>,
    /// Words that ask for a share of a whole, or a ratio.
    #[serde(default)]
    pub share: Option<String>,
    /// Words that ask for the change from one period to another.
    #[serde(default)]
    pub change: Option<String>,
}

/// A statement that failed in the data source.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FailedStatement {
    /// The statement.
    pub sql: String,
    /// Error message of the data source.
    pub message: String,
}

impl Brief {
    /// Whether the statement is written in parts, by common table expressions.
    #[cfg(feature = "sql")]
    pub(super) fn is_complex(&self) -> bool {
        [FailureCode::FanOut, FailureCode::NotComposable]
            .iter()
            .any(|code| self.refused == code.as_str())
    }

    /// Whether tables are chosen for the brief: it asks for a new statement.
    #[cfg(feature = "sql")]
    pub fn asks_for_tables(&self) -> bool {
        self.template.is_none() && self.failed.is_none()
    }

    /// The first table, column or template of the brief that the catalog does not contain.
    #[cfg(feature = "sql")]
    pub fn unknown_name(&self, catalog: &Catalog) -> Option<String> {
        let is_known = |name: &str| {
            catalog.table(name).is_some()
                || name.rsplit_once('.').is_some_and(|(table, column)| {
                    catalog.table(table).is_some_and(|table| table.column(column).is_some())
                })
        };
        let template = self
            .template
            .iter()
            .find(|name| !catalog.templates.iter().any(|template| template.name == **name));
        if let Some(name) = template {
            return Some(format!("template {name}"));
        }
        let tied = self.ties.iter().map(|tie| match &tie.column {
            Some(column) => format!("{}.{column}", tie.table),
            None => tie.table.clone(),
        });
        let decided = self
            .decided
            .iter()
            .flat_map(|words| words.required.tables.iter().chain(&words.required.columns).cloned());
        let shape = self.shape.per.iter().chain(&self.shape.shows).chain(&self.shape.lists);
        let named = self.selected.iter().chain(&self.rejected).chain(shape).cloned();
        named.chain(tied).chain(decided).find(|name| !is_known(name))
    }
}
