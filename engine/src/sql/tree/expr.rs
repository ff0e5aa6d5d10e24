//! Expressions.

use serde::{Deserialize, Serialize};

use super::literal::placeless;
use super::{
    Argument, BinaryOperator, CastType, FunctionCall, GroupingKind, Identifier, Literal, Place,
    Query,
};
#[cfg(feature = "sql")]
use crate::sql::foreign::{Foreign, Spelled};

/// An expression.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// `operand AT TIME ZONE zone` (PostgreSQL).
    AtTimeZone {
        /// A timestamp.
        operand: Box<Expr>,
        /// Name of the zone.
        zone: Box<Expr>,
    },
    /// `operand COLLATE collation`.
    Collate {
        /// A text.
        operand: Box<Expr>,
        /// Collation as stored.
        collation: Identifier,
    },
    /// ROLLUP, CUBE or GROUPING SETS inside GROUP BY (PostgreSQL).
    Grouping {
        /// Which of them.
        kind: GroupingKind,
        /// Sets of expressions; a set of one needs no parentheses.
        sets: Vec<Vec<Expr>>,
    },
    /// `column` or `source.column`.
    Column {
        /// Source it belongs to.
        qualifier: Option<Identifier>,
        /// Name.
        name: Identifier,
    },
    /// A literal, and where it stood.
    #[serde(with = "placeless")]
    Literal(Literal, Place),
    /// AND of two or more.
    And(Vec<Expr>),
    /// OR of two or more.
    Or(Vec<Expr>),
    /// NOT.
    Not(Box<Expr>),
    /// Unary minus or plus.
    Unary {
        /// True for minus.
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
    /// IS [NOT] NULL.
    IsNull {
        /// Operand.
        operand: Box<Expr>,
        /// IS NOT NULL.
        negated: bool,
    },
    /// IS [NOT] TRUE or FALSE.
    IsBoolean {
        /// Operand.
        operand: Box<Expr>,
        /// TRUE or FALSE.
        value: bool,
        /// IS NOT.
        negated: bool,
    },
    /// [NOT] BETWEEN.
    Between {
        /// Operand.
        operand: Box<Expr>,
        /// Lower bound, included.
        low: Box<Expr>,
        /// Upper bound, included.
        high: Box<Expr>,
        /// NOT BETWEEN.
        negated: bool,
    },
    /// [NOT] IN (list).
    InList {
        /// Operand.
        operand: Box<Expr>,
        /// Values.
        list: Vec<Expr>,
        /// NOT IN.
        negated: bool,
    },
    /// [NOT] IN (query).
    InQuery {
        /// Operand.
        operand: Box<Expr>,
        /// Subquery.
        query: Box<Query>,
        /// NOT IN.
        negated: bool,
    },
    /// [NOT] EXISTS.
    Exists {
        /// Subquery.
        query: Box<Query>,
        /// NOT EXISTS.
        negated: bool,
    },
    /// A scalar subquery.
    Subquery(Box<Query>),
    /// [NOT] LIKE or ILIKE, with an optional escape character.
    Like {
        /// Operand.
        operand: Box<Expr>,
        /// Pattern.
        pattern: Box<Expr>,
        /// Whether case is ignored.
        case_insensitive: bool,
        /// NOT LIKE.
        negated: bool,
        /// Character that takes the meaning from a following `%` or `_`; without it none does.
        escape: Option<char>,
    },
    /// CASE.
    Case {
        /// CASE operand.
        operand: Option<Box<Expr>>,
        /// WHEN … THEN … pairs.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
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
        /// Field, lower case.
        field: String,
        /// Operand.
        operand: Box<Expr>,
    },
    /// A function call.
    Function(Box<FunctionCall>),
    /// A row or parenthesised list.
    Tuple(Vec<Expr>),
    /// ARRAY[…].
    Array(Vec<Expr>),
    /// A placeholder such as `:name`, `$1` or `?`.
    Parameter(String),
    /// What is only read and printed.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Foreign(Box<Foreign>),
    /// The same in PostgreSQL's words.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Spelled(Box<Spelled<Expr>>),
}

impl Expr {
    /// A stored column of a source.
    pub fn column(qualifier: impl Into<String>, name: impl Into<String>) -> Self {
        Self::Column {
            qualifier: Some(Identifier::stored(qualifier)),
            name: Identifier::stored(name),
        }
    }

    /// A literal that stood nowhere.
    pub fn literal(literal: Literal) -> Self {
        Self::Literal(literal, Place::default())
    }

    /// A string literal.
    pub fn string(text: impl Into<String>) -> Self {
        Self::literal(Literal::String(text.into()))
    }

    /// A number literal; the text holds digits, at most one point and an exponent.
    pub fn number(text: impl Into<String>) -> Self {
        Self::literal(Literal::Number(text.into()))
    }

    /// A binary operation.
    pub fn binary(left: Self, operator: BinaryOperator, right: Self) -> Self {
        Self::Binary { operator, left: Box::new(left), right: Box::new(right) }
    }

    /// A plain function call.
    pub fn call(name: &str, arguments: Vec<Self>) -> Self {
        FunctionCall::new(name, arguments.into_iter().map(Argument::Expr).collect()).into()
    }
}

impl From<FunctionCall> for Expr {
    fn from(call: FunctionCall) -> Self {
        Self::Function(Box::new(call))
    }
}
