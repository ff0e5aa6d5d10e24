//! Queries: bodies, sources and joins.

use serde::{Deserialize, Serialize};

use super::{Expr, FunctionCall, Identifier, Window};
use crate::foreign::{Foreign, Held, Spelled};

/// A query: a body with its common table expressions, ordering and limit.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Query {
    /// Common table expressions, in order.
    pub with: Vec<Cte>,
    /// Whether WITH is RECURSIVE.
    pub recursive: bool,
    /// SELECT, set operation or VALUES.
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
    /// Column names; empty if not given.
    pub columns: Vec<Identifier>,
    /// Its query.
    pub query: Box<Query>,
}

/// The body of a query.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A SELECT.
    Select(Box<Select>),
    /// UNION, INTERSECT or EXCEPT of two bodies.
    SetOperation {
        /// UNION, INTERSECT or EXCEPT.
        operator: SetOperator,
        /// Whether ALL keeps duplicates.
        all: bool,
        /// Left operand.
        left: Box<Query>,
        /// Right operand.
        right: Box<Query>,
    },
    /// VALUES: a list of rows.
    Values(Vec<Vec<Expr>>),
    /// A construct that is only read and printed.
    #[serde(skip)]
    Foreign(Held<Foreign>),
    /// A regular body written in alternative PostgreSQL syntax.
    #[serde(skip)]
    Spelled(Held<Spelled<Body>>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Select(Box::default())
    }
}

impl Body {
    /// The equivalent regular body, if this one is written in alternative syntax; otherwise itself.
    pub(crate) fn meaning(&self) -> &Self {
        match self {
            Self::Spelled(spelled) => &spelled.meaning,
            own => own,
        }
    }

    /// Replaces a body in alternative syntax with the equivalent regular one.
    pub(crate) fn take_meaning(&mut self) {
        if let Self::Spelled(spelled) = self {
            *self = std::mem::take(&mut spelled.meaning);
        }
    }
}

/// Set operators.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SetOperator {
    /// Rows of the left operand that the right one does not have.
    Except,
    /// Rows that both operands have.
    Intersect,
    /// Rows of either operand.
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
    /// Definitions of the WINDOW clause that no call of this SELECT uses. They are checked but not printed, and not stored:
    /// the packed form of a template's statement has no optional fields.
    #[serde(skip)]
    pub unused_windows: Vec<Window>,
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
        /// Source whose columns are selected; `None` for all sources.
        qualifier: Option<Identifier>,
    },
    /// `* EXCEPT (…)`. Only the guard can expand it into something printable, because it knows the columns.
    WildcardExcept {
        /// Source whose columns are selected; `None` for all sources.
        qualifier: Option<Identifier>,
        /// Excluded columns.
        except: Vec<Identifier>,
    },
    /// A construct that is only read and printed.
    #[serde(skip)]
    Foreign(Held<Foreign>),
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
        /// Column names; empty if not given.
        columns: Vec<Identifier>,
        /// Whether the subquery is LATERAL.
        lateral: bool,
    },
    /// A set-returning function that the guard allows, such as `generate_series`.
    Function {
        /// The call.
        call: FunctionCall,
        /// Alias.
        alias: Option<Identifier>,
        /// Column names; empty if not given.
        columns: Vec<Identifier>,
    },
    /// A construct that is only read and printed.
    #[serde(skip)]
    Foreign(Held<Foreign>),
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
    /// No condition (CROSS JOIN).
    None,
    /// NATURAL.
    Natural,
    /// ON expression.
    On(Expr),
    /// USING columns.
    Using(Vec<Identifier>),
    /// A construct that is only read and printed.
    #[serde(skip)]
    Foreign(Held<Foreign>),
}

/// An ORDER BY item.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct OrderItem {
    /// Sort key.
    pub expr: Expr,
    /// Whether the order is descending.
    pub descending: bool,
    /// NULLS FIRST (true) or NULLS LAST (false); `None` if not given.
    pub nulls_first: Option<bool>,
}
