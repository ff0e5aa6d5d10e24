//! Expressions.

use serde::{Deserialize, Serialize};

use super::literal::placeless;
use super::{
    Argument, BinaryOperator, CastType, FunctionCall, GroupingKind, Identifier, Literal, Place,
    Query,
};
use crate::foreign::{Foreign, Held, Spelled};

/// An expression.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// `operand AT TIME ZONE zone` (PostgreSQL).
    AtTimeZone {
        /// Timestamp expression.
        operand: Box<Expr>,
        /// Time zone name.
        zone: Box<Expr>,
    },
    /// `operand COLLATE collation`.
    Collate {
        /// Text expression.
        operand: Box<Expr>,
        /// Collation name, as stored.
        collation: Identifier,
    },
    /// ROLLUP, CUBE or GROUPING SETS inside GROUP BY (PostgreSQL).
    Grouping {
        /// ROLLUP, CUBE or GROUPING SETS.
        kind: GroupingKind,
        /// Grouping sets; a set of one expression is printed without parentheses.
        sets: Vec<Vec<Expr>>,
    },
    /// `column` or `source.column`.
    Column {
        /// Qualifier: the name or alias of a source.
        qualifier: Option<Identifier>,
        /// Column name.
        name: Identifier,
    },
    /// A literal with its position in the SQL text.
    #[serde(with = "placeless")]
    Literal(Literal, Place),
    /// Conjunction of at least two operands.
    And(Vec<Expr>),
    /// Disjunction of at least two operands.
    Or(Vec<Expr>),
    /// NOT.
    Not(Box<Expr>),
    /// Unary minus or plus.
    Unary {
        /// Whether the sign is a minus.
        negative: bool,
        /// Operand.
        operand: Box<Expr>,
    },
    /// A binary operator other than AND and OR.
    Binary {
        /// Operator.
        operator: BinaryOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `IS [NOT] NULL`.
    IsNull {
        /// Operand.
        operand: Box<Expr>,
        /// Whether the operator is IS NOT NULL.
        negated: bool,
    },
    /// `IS [NOT] TRUE` or `FALSE`.
    IsBoolean {
        /// Operand.
        operand: Box<Expr>,
        /// TRUE or FALSE.
        value: bool,
        /// Whether the operator is IS NOT.
        negated: bool,
    },
    /// `[NOT] BETWEEN`.
    Between {
        /// Operand.
        operand: Box<Expr>,
        /// Lower bound, inclusive.
        low: Box<Expr>,
        /// Upper bound, inclusive.
        high: Box<Expr>,
        /// Whether the operator is NOT BETWEEN.
        negated: bool,
    },
    /// `[NOT] IN` with a list of values.
    InList {
        /// Operand.
        operand: Box<Expr>,
        /// Values.
        list: Vec<Expr>,
        /// Whether the operator is NOT IN.
        negated: bool,
    },
    /// `[NOT] IN` with a subquery.
    InQuery {
        /// Operand.
        operand: Box<Expr>,
        /// Subquery.
        query: Box<Query>,
        /// Whether the operator is NOT IN.
        negated: bool,
    },
    /// `[NOT] EXISTS`.
    Exists {
        /// Subquery.
        query: Box<Query>,
        /// Whether the operator is NOT EXISTS.
        negated: bool,
    },
    /// A scalar subquery.
    Subquery(Box<Query>),
    /// `[NOT] LIKE` or `ILIKE`, with an optional escape character.
    Like {
        /// Operand.
        operand: Box<Expr>,
        /// Pattern.
        pattern: Box<Expr>,
        /// Whether the match ignores case (ILIKE).
        case_insensitive: bool,
        /// Whether the operator is NOT LIKE.
        negated: bool,
        /// Escape character: makes the following `%` or `_` literal. `None` if no character does.
        escape: Option<char>,
    },
    /// A CASE expression.
    Case {
        /// Operand of a simple CASE; `None` for a searched CASE.
        operand: Option<Box<Expr>>,
        /// WHEN … THEN … branches.
        branches: Vec<(Expr, Expr)>,
        /// ELSE result.
        otherwise: Option<Box<Expr>>,
    },
    /// CAST.
    Cast {
        /// Operand.
        operand: Box<Expr>,
        /// Target type.
        to: CastType,
    },
    /// EXTRACT(field FROM operand).
    Extract {
        /// Field, in lower case.
        field: String,
        /// Operand.
        operand: Box<Expr>,
    },
    /// A function call.
    Function(Box<FunctionCall>),
    /// A row constructor or parenthesized list.
    Tuple(Vec<Expr>),
    /// `ARRAY[…]`.
    Array(Vec<Expr>),
    /// A placeholder such as `:name`, `$1` or `?`.
    Parameter(String),
    /// A construct that is only read and printed.
    #[serde(skip)]
    Foreign(Held<Foreign>),
    /// A regular expression node written in alternative PostgreSQL syntax.
    #[serde(skip)]
    Spelled(Held<Spelled<Expr>>),
}

impl Expr {
    /// A qualified column, both names as stored.
    pub fn column(qualifier: impl Into<String>, name: impl Into<String>) -> Self {
        Self::Column {
            qualifier: Some(Identifier::stored(qualifier)),
            name: Identifier::stored(name),
        }
    }

    /// A literal without a position in the SQL text.
    pub fn literal(literal: Literal) -> Self {
        Self::Literal(literal, Place::default())
    }

    /// A string literal.
    pub fn string(text: impl Into<String>) -> Self {
        Self::literal(Literal::String(text.into()))
    }

    /// A number literal: digits, at most one decimal point, and an optional exponent.
    pub fn number(text: impl Into<String>) -> Self {
        Self::literal(Literal::Number(text.into()))
    }

    /// A binary operation.
    pub fn binary(left: Self, operator: BinaryOperator, right: Self) -> Self {
        Self::Binary { operator, left: Box::new(left), right: Box::new(right) }
    }

    /// A function call without DISTINCT, ordering, filter or window.
    pub fn call(name: &str, arguments: Vec<Self>) -> Self {
        FunctionCall::new(name, arguments.into_iter().map(Argument::Expr).collect()).into()
    }
}

impl From<FunctionCall> for Expr {
    fn from(call: FunctionCall) -> Self {
        Self::Function(Box::new(call))
    }
}
