//! The query tree: the meaning of a question, independent of any SQL dialect.

mod date_range;
mod predicate;

pub use date_range::{DateRange, TimeGrain};
pub(crate) use predicate::decimal;
pub use predicate::{Comparison, Literal, Predicate, TextMatch};

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;

/// A complete interpretation of a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct QueryTree {
    /// Key of the table whose rows the question is about.
    pub from: String,
    /// Joins in order; each starts at a table that is already part of the query.
    #[serde(default)]
    pub joins: Vec<JoinStep>,
    /// Output columns.
    pub select: Vec<Selection>,
    /// Whether duplicate output rows are removed.
    #[serde(default)]
    pub distinct: bool,
    /// Conjunction of conditions on rows.
    #[serde(default)]
    pub filters: Vec<Predicate>,
    /// Grouping keys.
    #[serde(default)]
    pub group_by: Vec<Expression>,
    /// Conjunction of conditions on groups.
    #[serde(default)]
    pub having: Vec<Predicate>,
    /// Keeps only the groups whose aggregate compares in this way with a mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against_mean: Option<AgainstMean>,
    /// Ordering, most important first.
    #[serde(default)]
    pub order_by: Vec<Ordering>,
    /// Maximum number of rows.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Keeps only the first rows of each group of output rows.
    #[serde(default)]
    pub top: Option<TopOfEach>,
    /// Computes one figure of the groups instead of showing them.
    #[serde(default)]
    pub over_groups: Option<OverGroups>,
    /// Further trees with the same output columns, whose rows are appended (UNION ALL).
    #[serde(default)]
    pub also: Vec<QueryTree>,
}

/// The first output rows of each group, in the order of the tree.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct TopOfEach {
    /// What tells the groups apart.
    // None for the first places of all rows, which equal rows share.
    pub partition: Vec<Expression>,
    /// Number of rows of each group.
    pub count: u32,
}

/// A comparison of an aggregate of each group with what it is for all rows, or with the mean of all groups.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct AgainstMean {
    /// The aggregate; an average is compared with that of all rows, anything else with the mean of all groups.
    pub aggregate: Expression,
    /// Operator.
    pub operator: Comparison,
}

impl AgainstMean {
    /// Whether the mean is of the groups, rather than of their rows.
    pub(crate) fn is_of_groups(&self) -> bool {
        let average =
            matches!(self.aggregate, Expression::Aggregate { function: Aggregate::Average, .. });
        !average
    }
}

/// An aggregate of the one aggregate of the tree, over its groups: the average of a number of rows for each.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct OverGroups {
    /// Aggregate function.
    pub function: Aggregate,
    /// What the figure is shown for; all groups count together where it is empty.
    pub by: Vec<Expression>,
    /// Name of the output column.
    pub alias: String,
}

/// A join along a foreign key.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct JoinStep {
    /// Key of the table that is already part of the query.
    pub from_table: String,
    /// Its columns.
    pub from_columns: Vec<String>,
    /// Key of the table that is added.
    pub to_table: String,
    /// Its columns.
    pub to_columns: Vec<String>,
    /// Whether rows without a match are kept (LEFT JOIN).
    #[serde(default)]
    pub outer: bool,
}

impl JoinStep {
    /// Its condition, such as `orders.customer_id = customers.id`.
    pub(crate) fn condition(&self) -> String {
        let pairs = self.from_columns.iter().zip(&self.to_columns);
        let pairs =
            pairs.map(|(from, to)| format!("{}.{from} = {}.{to}", self.from_table, self.to_table));
        wherefore_english::and_list(&pairs.collect::<Vec<_>>())
    }
}

/// An output column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// The expression.
    pub expression: Expression,
    /// Name of the output column, if the expression has no name of its own.
    #[serde(default)]
    pub alias: Option<String>,
}

/// A value computed from a row or a group of rows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Expression {
    /// Age in years at a date, including fractions.
    Age {
        /// Date of birth.
        column: ColumnRef,
        /// The date, as `yyyy-mm-dd`.
        on: String,
    },
    /// An aggregate; `argument` is absent for a count of rows.
    Aggregate {
        /// Aggregate function.
        function: Aggregate,
        /// Aggregated expression.
        argument: Option<Box<Expression>>,
        /// Whether duplicates are ignored.
        #[serde(default)]
        distinct: bool,
    },
    /// An arithmetic operation on two expressions.
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
        /// The column.
        column: ColumnRef,
    },
    /// Days from one date of a row to another, including fractions.
    Days {
        /// Start.
        from: ColumnRef,
        /// End.
        to: ColumnRef,
    },
    /// The change of a count or sum from the period before, as a percentage of that.
    Growth {
        /// The count or sum.
        aggregate: Box<Expression>,
        /// Period of the groups.
        period: Box<Expression>,
    },
    /// A number.
    Number {
        /// Value as decimal text.
        value: String,
    },
    /// An aggregate of the rows of a group that meet conditions.
    Partial {
        /// The aggregate.
        aggregate: Box<Expression>,
        /// Conditions.
        conditions: Vec<Predicate>,
    },
    /// The calendar period of a date column, such as its month.
    Period {
        /// Date column.
        column: ColumnRef,
        /// Length of the period.
        grain: TimeGrain,
    },
    /// A stored column of the one row that joins lead to, such as the manager of an employee.
    Related {
        /// Joins to the row, in order; each follows a foreign key.
        joins: Vec<JoinStep>,
        /// The column.
        column: ColumnRef,
    },
    /// A count or sum of the rows of a group that meet conditions, as a percentage of that of all its rows.
    Share {
        /// The count or sum.
        aggregate: Box<Expression>,
        /// Conditions.
        conditions: Vec<Predicate>,
    },
    /// A count or sum of a group as a percentage of that of all groups.
    ShareOfTotal {
        /// The count or sum.
        aggregate: Box<Expression>,
    },
}

impl Expression {
    /// Whether a group of rows has one value of it.
    pub(crate) fn is_aggregate(&self) -> bool {
        matches!(
            self,
            Self::Aggregate { .. }
                | Self::Growth { .. }
                | Self::Partial { .. }
                | Self::Share { .. }
                | Self::ShareOfTotal { .. }
        )
    }

    /// Whether it is read in a query of its own.
    pub(crate) fn is_nested(&self) -> bool {
        matches!(self, Self::Related { .. })
    }

    /// Conditions that only a part of the rows of a group meets.
    pub(crate) fn conditions(&self) -> &[Predicate] {
        match self {
            Self::Partial { conditions, .. } | Self::Share { conditions, .. } => conditions,
            _ => &[],
        }
    }
}

impl QueryTree {
    /// Conditions on rows, also those that only a part of a group meets.
    pub(crate) fn row_conditions(&self) -> impl Iterator<Item = &Predicate> {
        let partial = self.select.iter().flat_map(|item| item.expression.conditions());
        self.filters.iter().chain(partial)
    }
}

/// Aggregate functions.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Arithmetic mean.
    Average,
    /// Number of rows, or of values.
    Count,
    /// Largest value.
    Maximum,
    /// The middle value, or the mean of the two in the middle.
    Median,
    /// Smallest value.
    Minimum,
    /// Sum.
    Sum,
}

impl Aggregate {
    /// Name of the SQL function.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Average => "avg",
            Self::Count => "count",
            Self::Maximum => "max",
            Self::Median => "median",
            Self::Minimum => "min",
            Self::Sum => "sum",
        }
    }

    /// The SQL function that must occur in a statement; `None` for minimum and maximum, which ORDER BY can express too.
    pub(crate) fn only_function(self) -> Option<&'static str> {
        match self {
            Self::Average | Self::Count | Self::Sum => Some(self.function()),
            Self::Maximum | Self::Median | Self::Minimum => None,
        }
    }
}

/// Arithmetic operators.
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
    /// Sort key.
    pub expression: Expression,
    /// Whether the order is descending.
    #[serde(default)]
    pub descending: bool,
}
