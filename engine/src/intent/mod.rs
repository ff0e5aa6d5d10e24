//! The query tree: what a question asks for, independent of any SQL dialect.

mod date_range;
mod predicate;

pub use date_range::{DateRange, TimeGrain};
pub(crate) use predicate::decimal;
pub use predicate::{Comparison, Literal, Predicate, TextMatch};

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;

/// One complete reading of a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct QueryTree {
    /// Key of the table whose rows are asked about.
    pub from: String,
    /// Joins in order; each starts at a table that is already joined.
    #[serde(default)]
    pub joins: Vec<JoinStep>,
    /// Output columns.
    pub select: Vec<Selection>,
    /// Whether equal output rows are merged.
    #[serde(default)]
    pub distinct: bool,
    /// Conditions on rows, all of which hold.
    #[serde(default)]
    pub filters: Vec<Predicate>,
    /// What rows are grouped by.
    #[serde(default)]
    pub group_by: Vec<Expression>,
    /// Conditions on groups, all of which hold.
    #[serde(default)]
    pub having: Vec<Predicate>,
    /// Ordering, most important first.
    #[serde(default)]
    pub order_by: Vec<Ordering>,
    /// Number of rows asked for.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Further trees of the same output columns, whose rows are added.
    #[serde(default)]
    pub also: Vec<QueryTree>,
}

/// A join along a foreign key.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct JoinStep {
    /// Key of the table that is already joined.
    pub from_table: String,
    /// Its columns.
    pub from_columns: Vec<String>,
    /// Key of the table that is added.
    pub to_table: String,
    /// Its columns.
    pub to_columns: Vec<String>,
    /// Whether rows without a partner stay.
    #[serde(default)]
    pub outer: bool,
}

/// An output column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// What is shown.
    pub expression: Expression,
    /// Name of the output column, where the expression has none of its own.
    #[serde(default)]
    pub alias: Option<String>,
}

/// A value computed from a row or from a group of rows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Expression {
    /// Years from a date of birth to a day, with their parts.
    Age {
        /// Date of birth.
        column: ColumnRef,
        /// The day, `yyyy-mm-dd`.
        on: String,
    },
    /// An aggregate over rows; `argument` is absent for a count of rows.
    Aggregate {
        /// Which one.
        function: Aggregate,
        /// Column aggregated.
        argument: Option<Box<Expression>>,
        /// Whether equal values count once.
        #[serde(default)]
        distinct: bool,
    },
    /// Product or quotient of two expressions.
    Arithmetic {
        /// Operator.
        operator: ArithmeticOperator,
        /// Left operand.
        left: Box<Expression>,
        /// Right operand.
        right: Box<Expression>,
    },
    /// A stored column.
    Column {
        /// Which one.
        column: ColumnRef,
    },
    /// Days from one date of a row to another, with their parts where they are not whole.
    Days {
        /// First date.
        from: ColumnRef,
        /// Second date.
        to: ColumnRef,
    },
    /// A number.
    Number {
        /// Decimal text.
        value: String,
    },
    /// The period of a date column, such as its month.
    Period {
        /// Date column.
        column: ColumnRef,
        /// Length of the period.
        grain: TimeGrain,
    },
}

/// Aggregate functions.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Mean.
    Average,
    /// Number of rows, or of values.
    Count,
    /// Largest.
    Maximum,
    /// Smallest.
    Minimum,
    /// Sum.
    Sum,
}

impl Aggregate {
    /// Name of the function in SQL.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Average => "avg",
            Self::Count => "count",
            Self::Maximum => "max",
            Self::Minimum => "min",
            Self::Sum => "sum",
        }
    }

    /// The function that shows the figure; none of the largest and smallest, which are found by an order too.
    pub(crate) fn only_function(self) -> Option<&'static str> {
        match self {
            Self::Average | Self::Count | Self::Sum => Some(self.function()),
            Self::Maximum | Self::Minimum => None,
        }
    }
}

/// Operators of a metric's formula.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ArithmeticOperator {
    /// Quotient.
    Divide,
    /// Difference.
    Minus,
    /// Product.
    Multiply,
    /// Sum.
    Plus,
}

/// An ordering.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Ordering {
    /// What orders.
    pub expression: Expression,
    /// Largest first.
    #[serde(default)]
    pub descending: bool,
}
