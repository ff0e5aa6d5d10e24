//! Conditions of a query tree.

use serde::{Deserialize, Serialize};

use super::{Aggregate, DateRange, Expression, JoinStep};
use crate::catalog::ColumnRef;

/// A condition on a row or on a group.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Predicate {
    /// Conjunction.
    All {
        /// Conditions.
        conditions: Vec<Predicate>,
    },
    /// A column compared with another one of the row, or of a row that it refers to.
    AgainstColumn {
        /// Column.
        column: ColumnRef,
        /// Operator.
        operator: Comparison,
        /// Joins to the row that the other column is of, in order; none for the same row.
        joins: Vec<JoinStep>,
        /// The other column.
        other: ColumnRef,
    },
    /// A number compared with an aggregate of its column.
    AgainstFigure {
        /// Column.
        column: ColumnRef,
        /// Operator.
        operator: Comparison,
        /// Aggregate, such as the average.
        function: Aggregate,
        /// Conditions on the rows that are aggregated.
        #[serde(default)]
        conditions: Vec<Predicate>,
        /// Columns in which the rows that are aggregated equal the row that is compared.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        same: Vec<ColumnRef>,
    },
    /// Disjunction.
    Any {
        /// Conditions.
        conditions: Vec<Predicate>,
    },
    /// An expression compared with a literal.
    Compare {
        /// Left side.
        left: Expression,
        /// Operator.
        operator: Comparison,
        /// Right side.
        right: Literal,
    },
    /// Whether related rows exist.
    Exists {
        /// Joins to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Conditions on the related rows.
        conditions: Vec<Predicate>,
        /// Whether no such rows may exist (NOT EXISTS).
        #[serde(default)]
        negated: bool,
    },
    /// An aggregate of a group among the highest or lowest of all groups, or beside their mean.
    AmongGroups {
        /// Aggregate.
        aggregate: Expression,
        /// Share of the groups, as a percentage; without it, the mean of the groups is the border.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        percent: Option<u8>,
        /// Whether the highest aggregates, or those above the mean, are meant rather than the lowest.
        highest: bool,
    },
    /// A number among the highest or lowest values of its column.
    Extreme {
        /// Column.
        column: ColumnRef,
        /// Share of the rows, as a percentage.
        percent: u8,
        /// Whether the highest values are meant rather than the lowest.
        highest: bool,
    },
    /// A date column within a half-open range.
    InRange {
        /// Date column.
        column: ColumnRef,
        /// Range.
        range: DateRange,
    },
    /// A column that is NULL, or not NULL.
    IsNull {
        /// Column.
        column: ColumnRef,
        /// Whether the column must not be NULL.
        #[serde(default)]
        negated: bool,
    },
    /// A column with one of several stored values.
    OneOf {
        /// Column.
        column: ColumnRef,
        /// Values as stored.
        values: Vec<String>,
    },
    /// Negation.
    Not {
        /// Condition.
        condition: Box<Predicate>,
    },
    /// The number of related rows compared with a number.
    RelatedCount {
        /// Joins to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Conditions on the related rows.
        conditions: Vec<Predicate>,
        /// Operator.
        operator: Comparison,
        /// Decimal text.
        value: String,
        /// Key column of the last joined table, where its rows may be reached several times and each is counted once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        distinct: Option<ColumnRef>,
    },
    /// The row is related to every row of another table (relational division).
    RelatedToAll {
        /// Joins to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Key column of the last joined table.
        key: ColumnRef,
        /// Conditions on the rows of the last joined table.
        conditions: Vec<Predicate>,
    },
    /// A text column that contains, starts with or ends with a text, ignoring case.
    Text {
        /// Column.
        column: ColumnRef,
        /// Kind of match.
        matching: TextMatch,
        /// The text; `%` and `_` are not wildcards.
        text: String,
    },
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `<>`
    NotEqual,
}

impl Comparison {
    /// The operator seen from the other side.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal | Self::NotEqual => self,
        }
    }
}

/// Kind of a text match.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum TextMatch {
    /// Anywhere in the value.
    Contains,
    /// At the end.
    EndsWith,
    /// At the start.
    StartsWith,
}

/// A constant.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Literal {
    /// True or false.
    Boolean {
        /// Value.
        value: bool,
    },
    /// Calendar date.
    Date {
        /// `yyyy-mm-dd`.
        value: String,
    },
    /// Number as decimal text.
    Number {
        /// Digits with at most one decimal point and a leading minus.
        value: String,
    },
    /// Text as stored.
    Text {
        /// Value.
        value: String,
    },
}

/// Shortest decimal text of a number, without an exponent.
pub(crate) fn decimal(value: f64) -> String {
    format!("{value}")
}
