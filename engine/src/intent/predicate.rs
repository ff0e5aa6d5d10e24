//! Conditions of a query tree.

use serde::{Deserialize, Serialize};

use super::{Aggregate, DateRange, Expression, JoinStep};
use crate::catalog::ColumnRef;

/// A condition on a row or on a group.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Predicate {
    /// All hold.
    All {
        /// Conditions.
        conditions: Vec<Predicate>,
    },
    /// A number compared with a figure of its column.
    AgainstFigure {
        /// Column.
        column: ColumnRef,
        /// Operator.
        operator: Comparison,
        /// Figure, such as the average.
        function: Aggregate,
        /// Conditions on the rows of the table that the figure is computed of.
        #[serde(default)]
        conditions: Vec<Predicate>,
    },
    /// At least one holds.
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
    /// Related rows exist, or with `negated` do not.
    Exists {
        /// Joins from the asked table to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Conditions on the related rows.
        conditions: Vec<Predicate>,
        /// True for "no such rows".
        #[serde(default)]
        negated: bool,
    },
    /// A number among the highest or lowest of its column.
    Extreme {
        /// Column.
        column: ColumnRef,
        /// Share of the rows, in percent.
        percent: u8,
        /// True for the highest, false for the lowest.
        highest: bool,
    },
    /// A date column within a half-open range.
    InRange {
        /// Date column.
        column: ColumnRef,
        /// Range.
        range: DateRange,
    },
    /// A column is NULL, or is not.
    IsNull {
        /// Column.
        column: ColumnRef,
        /// True for "is not NULL".
        #[serde(default)]
        negated: bool,
    },
    /// A column holds one of several stored values.
    OneOf {
        /// Column.
        column: ColumnRef,
        /// Values as stored.
        values: Vec<String>,
    },
    /// A condition does not hold.
    Not {
        /// Condition.
        condition: Box<Predicate>,
    },
    /// The number of related rows compared with a number.
    RelatedCount {
        /// Joins from the asked table to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Conditions on the related rows.
        conditions: Vec<Predicate>,
        /// Operator.
        operator: Comparison,
        /// Decimal text.
        value: String,
    },
    /// Every row of a table is related.
    RelatedToAll {
        /// Joins from the asked table to the related rows, in order.
        joins: Vec<JoinStep>,
        /// Column of the table at the far end that tells its rows apart.
        key: ColumnRef,
        /// Conditions on the rows at the far end.
        conditions: Vec<Predicate>,
    },
    /// A text column contains, starts or ends with a text, ignoring case.
    Text {
        /// Column.
        column: ColumnRef,
        /// How it matches.
        matching: TextMatch,
        /// The text; `%` and `_` are ordinary characters.
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

/// How a text matches.
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
        /// Digits with at most one point and a leading minus.
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
