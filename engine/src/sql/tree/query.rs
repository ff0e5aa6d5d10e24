//! Queries: bodies, sources and joins.

use serde::{Deserialize, Serialize};

use super::{Expr, FunctionCall, Identifier};
#[cfg(feature = "sql")]
use crate::sql::foreign::{Foreign, Spelled};

/// A query: a body with its common table expressions, ordering and limit.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Query {
    /// Common table expressions, in order.
    pub with: Vec<Cte>,
    /// Whether WITH is RECURSIVE.
    pub recursive: bool,
    /// What is selected.
    pub body: Body,
    /// ORDER BY items.
    pub order_by: Vec<OrderItem>,
    /// LIMIT.
    pub limit: Option<Expr>,
    /// OFFSET.
    pub offset: Option<Expr>,
}

/// A common table expression.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cte {
    /// Name.
    pub name: Identifier,
    /// Column names, where given.
    pub columns: Vec<Identifier>,
    /// Its query.
    pub query: Box<Query>,
}

/// What a query selects from.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A SELECT.
    Select(Box<Select>),
    /// UNION, INTERSECT or EXCEPT of two bodies.
    SetOperation {
        /// Which one.
        operator: SetOperator,
        /// Whether duplicates stay.
        all: bool,
        /// Left operand.
        left: Box<Query>,
        /// Right operand.
        right: Box<Query>,
    },
    /// Rows of literals.
    Values(Vec<Vec<Expr>>),
    /// What is only read and printed.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Foreign(Box<Foreign>),
    /// The same in PostgreSQL's words.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Spelled(Box<Spelled<Body>>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Select(Box::default())
    }
}

impl Body {
    /// What it means in other words than its own.
    pub(crate) fn meaning(&self) -> &Self {
        match self {
            #[cfg(feature = "sql")]
            Self::Spelled(spelled) => &spelled.meaning,
            own => own,
        }
    }

    /// Puts what a spelled body means in its place.
    pub(crate) fn take_meaning(&mut self) {
        #[cfg(feature = "sql")]
        if let Self::Spelled(spelled) = self {
            *self = std::mem::take(&mut spelled.meaning);
        }
    }
}

/// Set operators.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetOperator {
    /// Rows of the left that are not in the right.
    Except,
    /// Rows in both.
    Intersect,
    /// Rows of either.
    Union,
}

/// A SELECT.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Select {
    /// DISTINCT.
    pub distinct: bool,
    /// PostgreSQL's DISTINCT ON expressions.
    pub distinct_on: Vec<Expr>,
    /// Output columns.
    pub items: Vec<SelectItem>,
    /// FROM: comma-separated sources, each with its joins.
    pub from: Vec<FromItem>,
    /// WHERE.
    pub filter: Option<Expr>,
    /// GROUP BY.
    pub group_by: Vec<Expr>,
    /// HAVING.
    pub having: Option<Expr>,
}

/// An output column.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectItem {
    /// An expression with an optional alias.
    Expr {
        /// The expression.
        expr: Expr,
        /// AS alias.
        alias: Option<Identifier>,
    },
    /// `*` or `t.*`.
    Wildcard {
        /// Source whose columns are meant.
        qualifier: Option<Identifier>,
    },
    /// `* EXCEPT (…)`: only the guard, which knows the columns, can turn it into something printable.
    WildcardExcept {
        /// Source whose columns are meant.
        qualifier: Option<Identifier>,
        /// Columns left out.
        except: Vec<Identifier>,
    },
    /// What is only read and printed.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Foreign(Box<Foreign>),
}

/// A source with its joins.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct FromItem {
    /// First source.
    pub source: Source,
    /// Joins, in order.
    pub joins: Vec<Join>,
}

/// A source of rows.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A table, view or common table expression.
    Table {
        /// Schema.
        schema: Option<Identifier>,
        /// Name.
        name: Identifier,
        /// Alias.
        alias: Option<Identifier>,
    },
    /// A subquery.
    Derived {
        /// Its query.
        query: Box<Query>,
        /// Alias.
        alias: Option<Identifier>,
        /// Column names, where given.
        columns: Vec<Identifier>,
        /// LATERAL.
        lateral: bool,
    },
    /// A set-returning function that the guard allows, such as `generate_series`.
    Function {
        /// The call.
        call: FunctionCall,
        /// Alias.
        alias: Option<Identifier>,
        /// Column names, where given.
        columns: Vec<Identifier>,
    },
    /// What is only read and printed.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Foreign(Box<Foreign>),
}

/// A join.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Join {
    /// Kind.
    pub kind: JoinKind,
    /// Joined source.
    pub source: Source,
    /// Condition.
    pub condition: JoinCondition,
}

/// Join kinds.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    /// CROSS JOIN.
    Cross,
    /// FULL JOIN.
    Full,
    /// JOIN.
    Inner,
    /// LEFT JOIN.
    Left,
    /// RIGHT JOIN.
    Right,
}

/// Join conditions.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JoinCondition {
    /// CROSS JOIN has none.
    None,
    /// NATURAL.
    Natural,
    /// ON expression.
    On(Expr),
    /// USING columns.
    Using(Vec<Identifier>),
    /// What is only read and printed.
    #[cfg(feature = "sql")]
    #[serde(skip)]
    Foreign(Box<Foreign>),
}

/// An ORDER BY item.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct OrderItem {
    /// What orders.
    pub expr: Expr,
    /// DESC.
    pub descending: bool,
    /// NULLS FIRST (true) or LAST (false), where given.
    pub nulls_first: Option<bool>,
}
