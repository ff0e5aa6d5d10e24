//! The brief: what a session knows of a question that is to be written by a model.

use serde::{Deserialize, Serialize};

use super::Required;
#[cfg(feature = "sql")]
use crate::catalog::Catalog;
use crate::intent::Aggregate;

/// What is asked for, as far as it is understood.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// The question as typed.
    pub question: String,
    /// The asker's calendar date, `yyyy-mm-dd`.
    pub today: String,
    /// Questions that this one goes on from, oldest first.
    #[serde(default)]
    pub earlier: Vec<String>,
    /// Words that are tied to the catalog, surest first.
    #[serde(default)]
    pub ties: Vec<Tie>,
    /// Periods of the question that are beyond doubt.
    #[serde(default)]
    pub said: Vec<Said>,
    /// What was decided about words.
    #[serde(default)]
    pub decided: Vec<DecidedWords>,
    /// Tables, and columns as `table.column`, that must be used.
    #[serde(default)]
    pub selected: Vec<String>,
    /// Tables, and columns as `table.column`, that must not be used.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// Code of what kept the engine from writing it.
    #[serde(default)]
    pub refused: String,
    /// What the rows should look like.
    #[serde(default)]
    pub shape: Shape,
    /// Nothing may be asked back: every ambiguity takes its best reading.
    #[serde(default)]
    pub skip_clarification: bool,
    /// The statement that was written before and failed when it ran.
    #[serde(default)]
    pub failed: Option<FailedStatement>,
    /// Drafts that differed in what was asked back since, each as the JSON in which it came with the questions; one
    /// that keeps the answer is taken as it is.
    #[serde(default)]
    pub held: Vec<String>,
}

/// Words of the question with the thing that they were tied to.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Tie {
    /// The words.
    pub phrase: String,
    /// Key of the table.
    pub table: String,
    /// Its column, where the words name one or one of its values.
    #[serde(default)]
    pub column: Option<String>,
    /// The stored value, where they name one.
    #[serde(default)]
    pub value: Option<String>,
    /// Whether the words mean nothing else, and that by its name.
    #[serde(default)]
    pub sure: bool,
}

/// A period of the question.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The words.
    pub phrase: String,
    /// Literals any of which shows that a statement keeps it.
    pub literals: Vec<String>,
    /// Whether it counts from today, so that a statement may do so too.
    #[serde(default)]
    pub relative: bool,
}

/// What was decided about words of the question.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct DecidedWords {
    /// The words.
    pub phrase: String,
    /// What they mean, in words.
    pub meaning: String,
    /// What must be found in the statement.
    #[serde(default)]
    pub required: Required,
    /// Whether the asker decided, or a correction: the statement is then held to it (invariant I9).
    #[serde(default)]
    pub fixed: bool,
}

/// What the rows of an answer should look like; what is absent is not known for certain.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub struct Shape {
    /// One row for each of something.
    #[serde(default)]
    pub groups: bool,
    /// The first rows of an order.
    #[serde(default)]
    pub ranks: bool,
    /// One figure, such as a number of rows.
    #[serde(default)]
    pub figure: bool,
    /// The only figure that is asked for.
    #[serde(default)]
    pub works_out: Option<Aggregate>,
    /// Columns, as `table.column`, that there is one row for each of.
    #[serde(default)]
    pub per: Vec<String>,
    /// Number of the first rows.
    #[serde(default)]
    pub top: Option<u32>,
    /// Whether the largest are the first rows.
    #[serde(default)]
    pub descending: Option<bool>,
    /// Columns, as `table.column`, that are shown.
    #[serde(default)]
    pub shows: Vec<String>,
    /// Whether each is shown once.
    #[serde(default)]
    pub distinct: bool,
    /// Key of the table whose rows are listed.
    #[serde(default)]
    pub lists: Option<String>,
}

/// A statement that did not run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FailedStatement {
    /// The statement.
    pub sql: String,
    /// What the data source said.
    pub message: String,
}

impl Brief {
    /// The first table or column that it names and the catalog does not have.
    #[cfg(feature = "sql")]
    pub fn unknown_name(&self, catalog: &Catalog) -> Option<String> {
        let is_known = |name: &str| {
            catalog.table(name).is_some()
                || name.rsplit_once('.').is_some_and(|(table, column)| {
                    catalog.table(table).is_some_and(|table| table.column(column).is_some())
                })
        };
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
