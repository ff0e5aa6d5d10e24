//! The binder: resolves every name of a statement and infers the types that follow.
//!
//! It neither changes nor rejects a statement; unresolved names are recorded for the lint rules to report.

mod binder;
mod build;
mod determined;
mod expressions;
mod kind;
mod outputs;
mod resolve;
mod signature;
mod sources;

pub use kind::{Kind, comparable, kind_without_columns};
pub use resolve::same_name;
pub use signature::{Returns, Wants, signature};
pub use sources::is_in_schema;

use std::borrow::Cow;
use std::rc::Rc;

use super::Dialect;
use super::tree::{Expr, FunctionCall, Identifier, JoinKind, Query, Select, SetOperator, SqlSpan};
use wherefore_catalog::{Catalog, Column, Table};

/// A statement with its names resolved.
pub struct Bound<'a> {
    pub catalog: &'a Catalog,
    pub dialect: Dialect,
    /// The whole statement.
    pub query: &'a Query,
    /// Every SELECT, in pre-order.
    pub blocks: Vec<Block<'a>>,
    /// Every UNION, INTERSECT and EXCEPT.
    pub set_operations: Vec<SetOperation<'a>>,
    /// Every use of a column name, in the order of traversal.
    pub uses: Vec<Use<'a>>,
    /// Every function call, in the order of traversal.
    pub calls: Vec<Call<'a>>,
    /// Every common table expression.
    pub common_tables: Vec<CommonTable<'a>>,
    /// Subqueries that are used as a scalar or as the list of IN.
    pub subqueries: Vec<Subquery<'a>>,
    /// Table names that the catalog does not have.
    pub unknown_tables: Vec<UnknownTable<'a>>,
    /// USING columns that one side of the join does not have, with the index of their SELECT.
    pub unknown_merged: Vec<(usize, &'a Identifier)>,
    /// ORDER BY names of a set operation that are not among its output columns.
    pub unknown_order: Vec<&'a Identifier>,
    /// Column lists that are longer than the relation they rename: position, number of names, number of columns.
    pub unfit_lists: Vec<(SqlSpan, usize, usize)>,
    /// Indices into `uses`, sorted by the start offset of the name.
    by_start: Vec<(u32, usize)>,
}

/// One SELECT with its sources.
pub struct Block<'a> {
    pub select: &'a Select,
    /// The query whose body this SELECT is; its ORDER BY and LIMIT belong to the SELECT.
    pub query: &'a Query,
    /// Index of the enclosing SELECT, whose columns a correlated subquery can use.
    pub parent: Option<usize>,
    /// Syntactic role of the SELECT.
    pub role: Role,
    pub sources: Vec<Source<'a>>,
    /// Columns that USING or NATURAL merged: name, and the indices of the two sources.
    merged: Vec<(Cow<'a, str>, usize, usize)>,
    /// Output columns; empty if a wildcard refers to a source whose columns are unknown.
    pub outputs: Rc<[Output<'a>]>,
    /// Conjuncts of the ON and WHERE conditions.
    pub conditions: Vec<Condition<'a>>,
    /// Column equalities among the conditions.
    pub equalities: Vec<Equality<'a>>,
    /// Whether the SELECT has GROUP BY, HAVING or an aggregate call.
    pub aggregates: bool,
}

/// Syntactic role of a SELECT.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// A common table expression.
    Common,
    /// A subquery in FROM.
    Derived,
    /// Operand of EXISTS.
    Exists,
    /// Right operand of IN.
    List,
    /// A scalar subquery.
    Scalar,
    /// The statement itself.
    Statement,
}

/// A source in FROM.
pub struct Source<'a> {
    /// Alias, or the table name as written; `None` for a subquery without an alias.
    pub name: Option<&'a Identifier>,
    /// Whether the name is an alias.
    pub is_aliased: bool,
    /// The stored table, if the source is one.
    pub table: Option<&'a Table>,
    pub columns: Columns<'a>,
    /// Whether an outer join can make the columns of the source NULL.
    pub is_nullable: bool,
    /// How the source is joined to the sources before it.
    pub join: Joined<'a>,
    /// Index of the SELECT of the source, if the source is a subquery or CTE that consists of a single SELECT.
    pub block: Option<usize>,
    /// Whether the source can refer to the sources before it (LATERAL, or a function).
    pub is_lateral: bool,
    /// Position in the SQL text.
    pub span: SqlSpan,
}

/// How a source is joined to the sources before it.
#[derive(Clone, Copy)]
pub enum Joined<'a> {
    /// The first source of FROM.
    First,
    /// A source after a comma.
    Comma,
    /// JOIN with its kind and its ON condition, if it has one.
    Join(JoinKind, Option<&'a Expr>),
}

/// Columns that a source provides.
#[derive(Clone)]
pub enum Columns<'a> {
    /// The columns of a stored table.
    Stored(&'a Table),
    /// The output columns of a query.
    Listed(Rc<[Output<'a>]>),
    /// Unknown, because of an error that is already reported.
    Open,
}

/// An output column.
#[derive(Clone, Debug)]
pub struct Output<'a> {
    pub name: Cow<'a, str>,
    pub kind: Option<Kind>,
    /// The stored column whose values the output column passes through unchanged.
    pub origin: Option<Origin<'a>>,
    pub is_nullable: bool,
    /// Whether the name is an alias or a column name; otherwise the server generates one.
    pub is_named: bool,
    /// The expression of the column; `None` for columns of a wildcard.
    pub expr: Option<&'a Expr>,
}

/// A stored column.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    pub table: &'a Table,
    pub column: &'a Column,
}

/// A use of a column name.
pub struct Use<'a> {
    pub qualifier: Option<&'a Identifier>,
    pub name: &'a Identifier,
    pub place: Context,
    pub meaning: Meaning,
}

/// Where in a statement an expression occurs.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Index of the SELECT in `blocks`.
    pub block: usize,
    pub clause: Clause,
    /// Whether the expression is inside an aggregate call of the SELECT.
    pub in_aggregate: bool,
    /// Whether the expression is inside an argument of a window function.
    pub in_window: bool,
}

/// Clauses of a SELECT.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Clause {
    Group,
    Having,
    Limit,
    On,
    Order,
    Select,
    Where,
}

/// What a column name resolves to.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// An output column of the same SELECT, by index.
    Alias(usize),
    /// Columns of several sources of the SELECT; holds the indices of the sources.
    Ambiguous(Vec<usize>),
    /// A column of a source, possibly of an enclosing SELECT.
    Column(ColumnPlace),
    /// Possibly a column of a source whose columns are unknown.
    Open,
    /// No source has such a column.
    UnknownColumn,
    /// No source in scope has the name of the qualifier.
    UnknownSource,
    /// The source is joined later, or belongs to another comma-separated item of FROM.
    UnreachableSource,
}

/// A column of a source, by indices.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ColumnPlace {
    pub block: usize,
    pub source: usize,
    pub column: usize,
}

/// A conjunct of a condition.
pub struct Condition<'a> {
    pub expr: &'a Expr,
    pub clause: Clause,
    /// Index of the source whose ON condition contains the conjunct; `None` for WHERE.
    pub source: Option<usize>,
}

/// Two columns that a condition equates.
pub struct Equality<'a> {
    pub left: ColumnPlace,
    pub right: ColumnPlace,
    pub expr: &'a Expr,
    /// Index of the source whose ON condition contains the equality; `None` for WHERE.
    pub source: Option<usize>,
}

/// A function call and where it occurs.
pub struct Call<'a> {
    pub call: &'a FunctionCall,
    pub place: Context,
    pub is_aggregate: bool,
}

/// UNION, INTERSECT or EXCEPT.
pub struct SetOperation<'a> {
    pub operator: SetOperator,
    pub all: bool,
    pub left: Rc<[Output<'a>]>,
    pub right: Rc<[Output<'a>]>,
    /// Whether the columns of both operands are known.
    pub is_known: bool,
    /// Position of the first output expression of the right operand.
    pub span: SqlSpan,
}

/// A common table expression.
pub struct CommonTable<'a> {
    pub name: &'a Identifier,
    pub is_used: bool,
}

/// A subquery used as a scalar or as the list of IN.
pub struct Subquery<'a> {
    pub query: &'a Query,
    /// Index of the subquery's first SELECT.
    pub block: usize,
    pub is_scalar: bool,
    pub columns: usize,
    pub wanted: usize,
}

/// A table name that the catalog does not have.
pub struct UnknownTable<'a> {
    pub schema: Option<&'a Identifier>,
    pub name: &'a Identifier,
    pub block: usize,
}

impl<'a> Bound<'a> {
    /// Resolves the names of a statement that was read from text.
    pub fn of(query: &'a Query, catalog: &'a Catalog, dialect: Dialect) -> Self {
        build::bind(query, catalog, dialect)
    }

    /// The use of a column name, found by its position.
    pub fn use_of(&self, name: &Identifier) -> Option<&Use<'a>> {
        let at = self.by_start.binary_search_by_key(&name.span.start, |(start, _)| *start).ok()?;
        self.uses.get(self.by_start.get(at)?.1)
    }

    /// The column that an expression refers to, if it is a resolved column name.
    pub fn column_of(&self, expr: &Expr) -> Option<ColumnPlace> {
        let Expr::Column { name, .. } = expr else { return None };
        match self.use_of(name)?.meaning {
            Meaning::Column(place) => Some(place),
            _ => None,
        }
    }

    /// A source, by the indices of its SELECT and within it.
    pub fn source(&self, block: usize, source: usize) -> Option<&Source<'a>> {
        self.blocks.get(block)?.sources.get(source)
    }

    /// The stored column that a source's column passes through unchanged.
    pub fn origin(&self, place: ColumnPlace) -> Option<Origin<'a>> {
        self.source(place.block, place.source)?.columns.origin(place.column)
    }

    /// The stored column that an expression passes through unchanged.
    pub fn origin_of(&self, expr: &Expr) -> Option<Origin<'a>> {
        self.origin(self.column_of(expr)?)
    }

    /// The recorded subquery for a query used as a scalar or as the list of IN.
    pub fn subquery(&self, query: &Query) -> Option<&Subquery<'a>> {
        self.subqueries.iter().find(|it| std::ptr::eq(it.query, query))
    }

    /// Whether a column can be NULL where it is used.
    pub fn is_nullable(&self, place: ColumnPlace) -> bool {
        self.source(place.block, place.source).is_none_or(|source| {
            source.is_nullable || source.columns.get(place.column).is_none_or(|it| it.is_nullable)
        })
    }
}

/// A column that a source provides.
pub struct Offered<'c, 'a> {
    pub name: &'c str,
    pub kind: Option<Kind>,
    pub origin: Option<Origin<'a>>,
    pub is_nullable: bool,
}

impl<'a> Columns<'a> {
    /// Number of columns.
    pub fn count(&self) -> usize {
        match self {
            Self::Stored(table) => table.columns.len(),
            Self::Listed(list) => list.len(),
            Self::Open => 0,
        }
    }

    /// Name of the column at an index.
    pub fn name(&self, place: usize) -> Option<&str> {
        match self {
            Self::Stored(table) => table.columns.get(place).map(|column| column.name.as_str()),
            Self::Listed(list) => list.get(place).map(|output| &*output.name),
            Self::Open => None,
        }
    }

    /// Names of all columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.count()).filter_map(|place| self.name(place))
    }

    /// The column at an index.
    pub fn get(&self, place: usize) -> Option<Offered<'_, 'a>> {
        match self {
            Self::Stored(table) => table.columns.get(place).map(|column| Offered {
                name: &column.name,
                kind: Some(column.data_type.into()),
                origin: Some(Origin { table, column }),
                is_nullable: column.nullable && !table.primary_key.contains(&column.name),
            }),
            Self::Listed(list) => list.get(place).map(|output| Offered {
                name: &output.name,
                kind: output.kind,
                origin: output.origin,
                is_nullable: output.is_nullable,
            }),
            Self::Open => None,
        }
    }

    /// The stored column that a column passes through unchanged.
    pub fn origin(&self, place: usize) -> Option<Origin<'a>> {
        match self {
            Self::Stored(table) => table.columns.get(place).map(|column| Origin { table, column }),
            Self::Listed(list) => list.get(place).and_then(|output| output.origin),
            Self::Open => None,
        }
    }

    /// Index of the column with this name.
    pub fn find(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        (0..self.count()).find(|place| {
            self.name(*place).is_some_and(|stored| super::names::matches(name, stored, dialect))
        })
    }
}
