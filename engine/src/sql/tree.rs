//! The SELECT-only SQL tree: what composer and reader make, and guard, printer and rules work on.
//!
//! What its own nodes cannot hold cannot run: that is the guard's first layer. A foreign node, which a host with a
//! reader can have besides, is only read and printed: the guard refuses each, so that no checked statement has one.

use serde::{Deserialize, Serialize};

#[cfg(feature = "sql")]
use super::foreign::{Foreign, Spelled};

/// A range of the SQL that was read, in UTF-8 bytes, and in UTF-16 code units where the JavaScript package gives it;
/// zero-length at 0 for composed SQL.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct SqlSpan {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// Where a node stood in the text that was read; two nodes that say the same are equal wherever they stand.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Place(pub SqlSpan);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A literal as data: its place is left out.
mod placeless {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Literal, Place};

    #[cfg_attr(
        target_pointer_width = "64",
        expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with references")
    )]
    pub(super) fn serialize<S: Serializer>(
        literal: &Literal,
        _: &Place,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        literal.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(Literal, Place), D::Error> {
        Ok((Literal::deserialize(deserializer)?, Place::default()))
    }
}

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

/// A name, as written without its quotes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Identifier {
    /// The name.
    pub name: String,
    /// Whether it was quoted, so that its case counts.
    pub quoted: bool,
    /// Where it stood.
    #[serde(skip)]
    pub span: SqlSpan,
}

impl PartialEq for Identifier {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.quoted == other.quoted
    }
}

impl Identifier {
    /// A name as stored: quoted, so that its case counts.
    pub fn stored(name: impl Into<String>) -> Self {
        Self { name: name.into(), quoted: true, span: SqlSpan::default() }
    }
}

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

/// A function call: aggregate, window or scalar.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FunctionCall {
    /// Name, lower case, without a schema.
    pub name: String,
    /// Arguments; `count(*)` has the one argument [`Argument::Star`].
    pub arguments: Vec<Argument>,
    /// DISTINCT inside an aggregate.
    pub distinct: bool,
    /// ORDER BY inside an aggregate.
    pub order_by: Vec<OrderItem>,
    /// WITHIN GROUP (ORDER BY …).
    pub within_group: Vec<OrderItem>,
    /// FILTER (WHERE …).
    pub filter: Option<Box<Expr>>,
    /// OVER (…).
    pub over: Option<Window>,
    /// Where the name stood.
    #[serde(skip)]
    pub span: SqlSpan,
}

impl PartialEq for FunctionCall {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, arguments, distinct, order_by, within_group, filter, over, span: _ } =
            self;
        *name == other.name
            && *arguments == other.arguments
            && *distinct == other.distinct
            && *order_by == other.order_by
            && *within_group == other.within_group
            && *filter == other.filter
            && *over == other.over
    }
}

/// A function's argument.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// An expression.
    Expr(Expr),
    /// `*`.
    Star,
}

/// An OVER clause.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Window {
    /// PARTITION BY.
    pub partition_by: Vec<Expr>,
    /// ORDER BY.
    pub order_by: Vec<OrderItem>,
    /// Frame.
    pub frame: Option<Frame>,
}

/// A window frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Frame {
    /// ROWS, RANGE or GROUPS, upper case.
    pub unit: String,
    /// Start.
    pub start: FrameBound,
    /// End, where BETWEEN is written.
    pub end: Option<FrameBound>,
}

/// A bound of a window frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameBound {
    /// CURRENT ROW.
    CurrentRow,
    /// n FOLLOWING, or UNBOUNDED without n.
    Following(Option<Box<Expr>>),
    /// n PRECEDING, or UNBOUNDED without n.
    Preceding(Option<Box<Expr>>),
}

/// A literal.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    /// TRUE or FALSE.
    Boolean(bool),
    /// DATE 'yyyy-mm-dd'; SQLite prints the text alone.
    Date(String),
    /// INTERVAL '…' (PostgreSQL).
    Interval(String),
    /// NULL.
    Null,
    /// A number as written: digits, at most one point and an exponent.
    Number(String),
    /// A string, without quotes or escapes.
    String(String),
    /// TIMESTAMP 'yyyy-mm-dd hh:mm:ss'; SQLite prints the text alone.
    Timestamp(String),
}

/// Binary operators that are held.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOperator {
    /// `||`
    Concat,
    /// `/`
    Divide,
    /// `=`
    Equal,
    /// GLOB (SQLite)
    Glob,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// IS DISTINCT FROM
    IsDistinctFrom,
    /// IS NOT DISTINCT FROM
    IsNotDistinctFrom,
    /// `->`
    JsonGet,
    /// `->>`
    JsonGetText,
    /// `#>` (PostgreSQL)
    JsonPath,
    /// `#>>` (PostgreSQL)
    JsonPathText,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `-`
    Minus,
    /// `%`
    Modulo,
    /// `*`
    Multiply,
    /// `<>`
    NotEqual,
    /// `!~` (PostgreSQL)
    NotRegex,
    /// `!~*` (PostgreSQL)
    NotRegexInsensitive,
    /// `+`
    Plus,
    /// `~` (PostgreSQL)
    Regex,
    /// `~*` (PostgreSQL)
    RegexInsensitive,
}

/// Kinds of grouping beyond a plain list.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupingKind {
    /// CUBE
    Cube,
    /// GROUPING SETS
    GroupingSets,
    /// ROLLUP
    Rollup,
}

/// A cast's target type.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct CastType {
    /// Name, lower case, from the guard's list.
    pub name: String,
    /// Length, precision and scale.
    pub arguments: Vec<u32>,
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

impl FunctionCall {
    /// A plain call.
    pub fn new(name: &str, arguments: Vec<Argument>) -> Self {
        Self {
            name: name.to_owned(),
            arguments,
            distinct: false,
            order_by: Vec::new(),
            within_group: Vec::new(),
            filter: None,
            over: None,
            span: SqlSpan::default(),
        }
    }
}
