//! What a question asks for, as far as the shape of a result shows it.

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;

/// Shape of the rows that were asked for; what is absent is not known.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// A number of rows, a total, an average.
    #[serde(default)]
    pub aggregate: Option<AskedAggregate>,
    /// Whether single rows are asked for, so that an aggregate would be wrong.
    #[serde(default)]
    pub lists_rows: bool,
    /// What there is to be one row for each of.
    #[serde(default)]
    pub per: Vec<ColumnRef>,
    /// The first rows of an order.
    #[serde(default)]
    pub top: Option<AskedTop>,
    /// Words of the question that are values of a column.
    #[serde(default)]
    pub values: Vec<AskedValue>,
    /// Columns that are to be shown.
    #[serde(default)]
    pub columns: Vec<ColumnRef>,
    /// Whether each is to be shown once ("different", "unique").
    #[serde(default)]
    pub distinct: bool,
    /// Key of the table whose rows are asked about.
    #[serde(default)]
    pub entity: Option<String>,
}

/// A figure over rows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum AskedAggregate {
    /// Mean.
    Average,
    /// Number of rows or of values.
    Count,
    /// Largest.
    Maximum,
    /// Smallest.
    Minimum,
    /// Sum.
    Sum,
}

/// The first rows of an order.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AskedTop {
    /// How many, where a number was named.
    #[serde(default)]
    pub count: Option<u32>,
    /// Whether the largest come first, where that is known.
    #[serde(default)]
    pub largest: Option<bool>,
}

/// Words of the question that are a value, a number or a date.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AskedValue {
    /// The words.
    pub phrase: String,
    /// Literals any of which shows that the words were kept.
    pub literals: Vec<String>,
    /// Whether the words rule it out ("not in Paris").
    #[serde(default)]
    pub negated: bool,
}
