//! The shape of the result that a question asks for.

use serde::{Deserialize, Serialize};

use wherefore_catalog::ColumnRef;

/// Expected shape of the result; an absent field means that it is unknown.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The requested aggregate, such as a count, total or average.
    #[serde(default)]
    pub aggregate: Option<AskedAggregate>,
    /// Whether individual rows are requested, so that an aggregate would be wrong.
    #[serde(default)]
    pub lists_rows: bool,
    /// Columns to group by: one row per value is requested.
    #[serde(default)]
    pub per: Vec<ColumnRef>,
    /// A top-n request.
    #[serde(default)]
    pub top: Option<AskedTop>,
    /// Phrases of the question that denote a value of a column.
    #[serde(default)]
    pub values: Vec<AskedValue>,
    /// Columns to show.
    #[serde(default)]
    pub columns: Vec<ColumnRef>,
    /// Whether duplicates are unwanted ("different", "unique").
    #[serde(default)]
    pub distinct: bool,
    /// Key of the table whose rows the question is about.
    #[serde(default)]
    pub entity: Option<String>,
}

/// An aggregate function.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum AskedAggregate {
    /// Arithmetic mean.
    Average,
    /// Number of rows or of values.
    Count,
    /// Largest value.
    Maximum,
    /// Smallest value.
    Minimum,
    /// Sum.
    Sum,
}

/// A request for the first rows of an order.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AskedTop {
    /// Number of rows, if given.
    #[serde(default)]
    pub count: Option<u32>,
    /// Whether the largest values come first, if known.
    #[serde(default)]
    pub largest: Option<bool>,
}

/// A phrase of the question that denotes a value, a number or a date.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AskedValue {
    /// The phrase.
    pub phrase: String,
    /// Literals for the phrase; the statement must contain one of them.
    pub literals: Vec<String>,
    /// Whether the phrase excludes the value ("not in Paris").
    #[serde(default)]
    pub negated: bool,
    /// Whether the phrase is a period with a start. A literal that is only an exclusive upper bound does not count then:
    /// the period before ends with it.
    #[serde(default)]
    pub started: bool,
}
