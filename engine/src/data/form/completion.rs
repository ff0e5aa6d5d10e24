//! Continuations of a text that is typed.

use serde::Deserialize;

/// `data/completions.toml`: what can follow in a question, by the place in the sentence.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Completions {
    /// Periods to group by, in the singular, the most usual first.
    pub(crate) grains: Vec<String>,
    /// Periods that restrict what is asked, the most usual first.
    pub(crate) times: Vec<String>,
    /// Periods that others are compared with.
    pub(crate) comparisons: Vec<String>,
    /// Words for figures that the dictionary knows, for catalogs without such a metric.
    pub(crate) figures: Vec<String>,
    /// Numbers to compare with where the catalog does not say how large values are.
    pub(crate) numbers: Vec<String>,
    /// The continuations.
    pub(crate) continuations: Vec<Continuation>,
}

/// Continuations of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Continuation {
    /// Patterns of words and slots: `{rows}` is the name of a table.
    pub(crate) say: Vec<String>,
    /// Places at which they are offered.
    pub(crate) after: Vec<Position>,
    /// What is offered.
    pub(crate) offers: Offer,
    /// Rank: of two continuations, the one with the larger weight is the likelier.
    pub(crate) weight: i32,
    /// What the text needs to have.
    #[serde(default)]
    pub(crate) needs: Vec<Feature>,
    /// What the text must not have.
    #[serde(default)]
    pub(crate) unless: Vec<Feature>,
}

/// A place in a sentence, by what is expected there.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Position {
    /// The other side of a comparison: "compared with".
    Compared,
    /// What is true of rows: "where".
    Condition,
    /// A number column or a metric: "average".
    Figure,
    /// What to group by: "per".
    Group,
    /// A number: "more than".
    Number,
    /// What is said of a column: "where the status".
    Operator,
    /// What rows have: "with".
    Possession,
    /// What to order by: "sorted by".
    Rank,
    /// The rows of a table: "how many".
    Rows,
    /// The start of the question.
    Start,
    /// A flag or a value: "that are".
    State,
    /// A period: "since".
    Time,
    /// A stored value: "in", "is".
    Value,
    /// The end of a question that may be complete.
    Whole,
}

/// What a text has already.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Feature {
    /// A table with a date.
    Dated,
    /// A number to compute.
    Figure,
    /// Groups.
    Group,
    /// An order, or the first rows of one.
    Order,
    /// A table.
    Rows,
    /// A period.
    Time,
}

/// What a continuation offers.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Offer {
    /// A column.
    Column,
    /// A comparison with another period.
    Comparison,
    /// What to group by.
    Grouping,
    /// A metric.
    Metric,
    /// A condition: a column, an operator and a value or number.
    Operator,
    /// An order, or the first rows of one.
    Order,
    /// A period.
    Period,
    /// The start of a question.
    Question,
    /// A table.
    Table,
    /// A stored value.
    Value,
}

/// What stands for a slot of a pattern.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Slot {
    /// A number column with a bound: "list price above 100".
    Bound,
    /// A period that others are compared with.
    Compared,
    /// A number column.
    Figure,
    /// A column and one of its values: "status is shipped".
    Filter,
    /// A flag: "discontinued".
    Flag,
    /// A period to group by.
    Grain,
    /// A column with few values.
    Group,
    /// A metric.
    Metric,
    /// A number.
    Number,
    /// One row of a table.
    Row,
    /// The rows of a table.
    Rows,
    /// A period.
    Time,
    /// A stored value.
    Value,
    /// A year.
    Year,
}

impl Slot {
    /// The slot of a word of a pattern: `{rows}`; `None` for an ordinary word.
    pub(crate) fn of(word: &str) -> Option<Result<Self, String>> {
        let name = word.strip_prefix('{')?.strip_suffix('}')?;
        Some(match name {
            "bound" => Ok(Self::Bound),
            "compared" => Ok(Self::Compared),
            "figure" => Ok(Self::Figure),
            "filter" => Ok(Self::Filter),
            "flag" => Ok(Self::Flag),
            "grain" => Ok(Self::Grain),
            "group" => Ok(Self::Group),
            "metric" => Ok(Self::Metric),
            "number" => Ok(Self::Number),
            "row" => Ok(Self::Row),
            "rows" => Ok(Self::Rows),
            "time" => Ok(Self::Time),
            "value" => Ok(Self::Value),
            "year" => Ok(Self::Year),
            other => Err(format!("there is no slot {{{other}}}")),
        })
    }
}
