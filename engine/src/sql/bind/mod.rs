//! The binder: what every name of a statement means, and the types that follow.
//!
//! It changes nothing and refuses nothing; what does not resolve is kept as such, for the rules to name.

mod build;
mod determined;
mod expressions;
mod kind;
mod outputs;
mod resolve;
mod signature;
mod sources;

pub(crate) use kind::{Kind, comparable};
pub(crate) use resolve::same_name;
pub(crate) use signature::{Wants, signature};

use std::borrow::Cow;
use std::rc::Rc;

use super::Dialect;
use super::tree::{Expr, FunctionCall, Identifier, JoinKind, Query, Select, SetOperator, SqlSpan};
use crate::catalog::{Catalog, Column, Table};

/// A statement with its names resolved.
pub(crate) struct Bound<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) dialect: Dialect,
    /// The whole statement.
    pub(crate) query: &'a Query,
    /// Every SELECT, each before those inside it.
    pub(crate) blocks: Vec<Block<'a>>,
    /// Every UNION, INTERSECT and EXCEPT.
    pub(crate) set_operations: Vec<SetOperation<'a>>,
    /// Every column name, in the order in which they were met.
    pub(crate) uses: Vec<Use<'a>>,
    /// Every call, in the order in which they were met.
    pub(crate) calls: Vec<Call<'a>>,
    /// Every common table expression.
    pub(crate) common_tables: Vec<CommonTable<'a>>,
    /// Subqueries that are used as one value or as a list of values.
    pub(crate) subqueries: Vec<Subquery<'a>>,
    /// Names of tables that the catalog does not have.
    pub(crate) unknown_tables: Vec<UnknownTable<'a>>,
    /// Names of USING that are not on both sides.
    pub(crate) unknown_merged: Vec<(usize, &'a Identifier)>,
    /// Names that a set operation is ordered by and does not give out.
    pub(crate) unknown_order: Vec<&'a Identifier>,
    /// Lists of column names that do not fit what they name: where, names, columns.
    pub(crate) unfit_lists: Vec<(SqlSpan, usize, usize)>,
    /// Places of `uses` by the start of the name; sorted.
    by_start: Vec<(u32, usize)>,
}

/// One SELECT with its sources.
pub(crate) struct Block<'a> {
    pub(crate) select: &'a Select,
    /// The query whose body it is: its ORDER BY and LIMIT belong to this SELECT.
    pub(crate) query: &'a Query,
    /// The SELECT around it, which a correlated name may mean.
    pub(crate) parent: Option<usize>,
    /// What the SELECT is part of.
    pub(crate) role: Role,
    pub(crate) sources: Vec<Source<'a>>,
    /// Columns that USING and NATURAL merged: name, and the two sources' places.
    merged: Vec<(Cow<'a, str>, usize, usize)>,
    /// Columns of the result; none where a wildcard's source is unknown.
    pub(crate) outputs: Rc<[Output<'a>]>,
    /// Parts of ON and WHERE that all hold.
    pub(crate) conditions: Vec<Condition<'a>>,
    /// Equal columns among those.
    pub(crate) equalities: Vec<Equality<'a>>,
    /// Whether it is grouped, or an aggregate makes it one row.
    pub(crate) aggregates: bool,
}

/// What a SELECT is part of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// A common table expression.
    Common,
    /// A subquery in FROM.
    Derived,
    /// EXISTS.
    Exists,
    /// IN.
    List,
    /// One value.
    Scalar,
    /// The statement itself.
    Statement,
}

/// A source in FROM.
pub(crate) struct Source<'a> {
    /// Alias, or the table's own name as written; none where a subquery has none.
    pub(crate) name: Option<&'a Identifier>,
    /// Whether that name is an alias.
    pub(crate) is_aliased: bool,
    /// Stored table, where it is one.
    pub(crate) table: Option<&'a Table>,
    pub(crate) columns: Columns<'a>,
    /// Whether an outer join can fill it with NULL.
    pub(crate) is_nullable: bool,
    /// How it is joined to what stands before it.
    pub(crate) join: Joined<'a>,
    /// Place of its SELECT, where it is a subquery or a common table of one SELECT.
    pub(crate) block: Option<usize>,
    /// Whether the source reads those before it (LATERAL, a function).
    pub(crate) is_lateral: bool,
    /// Where it is written.
    pub(crate) span: SqlSpan,
}

/// How a source is joined to what stands before it.
#[derive(Clone, Copy)]
pub(crate) enum Joined<'a> {
    /// First of FROM.
    First,
    /// After a comma.
    Comma,
    /// JOIN with its kind and, where it has one, its ON.
    Join(JoinKind, Option<&'a Expr>),
}

/// Columns that a source offers.
#[derive(Clone)]
pub(crate) enum Columns<'a> {
    /// Those of a stored table.
    Stored(&'a Table),
    /// Those of a query.
    Listed(Rc<[Output<'a>]>),
    /// Not known, because of a fault that is named already.
    Open,
}

/// A column of a result.
#[derive(Clone, Debug)]
pub(crate) struct Output<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) kind: Option<Kind>,
    /// Stored column whose values it shows unchanged.
    pub(crate) origin: Option<Origin<'a>>,
    pub(crate) is_nullable: bool,
    /// Whether the name is written or follows from a column; else the server makes one up.
    pub(crate) is_named: bool,
    /// What it is computed from; none for a wildcard's columns.
    pub(crate) expr: Option<&'a Expr>,
}

/// A stored column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    pub(crate) table: &'a Table,
    pub(crate) column: &'a Column,
}

/// A column name where it is used.
pub(crate) struct Use<'a> {
    pub(crate) qualifier: Option<&'a Identifier>,
    pub(crate) name: &'a Identifier,
    pub(crate) place: Context,
    pub(crate) meaning: Meaning,
}

/// Where in a statement an expression stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Place of the SELECT in `blocks`.
    pub(crate) block: usize,
    pub(crate) clause: Clause,
    /// Whether it is inside an aggregate call of that SELECT.
    pub(crate) in_aggregate: bool,
    /// Whether it is inside the argument of a window call.
    pub(crate) in_window: bool,
}

/// Clauses of a SELECT.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Clause {
    Group,
    Having,
    Limit,
    On,
    Order,
    Select,
    Where,
}

/// What a column name means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// Output column of the same SELECT, by place.
    Alias(usize),
    /// It stands in more than one source of the SELECT: their places.
    Ambiguous(Vec<usize>),
    /// A column of a source, perhaps of a SELECT around it.
    Column(ColumnPlace),
    /// It may belong to a source whose columns are not known.
    Open,
    /// No source has it.
    UnknownColumn,
    /// No source has this name.
    UnknownSource,
    /// The source is joined later, or stands before a comma.
    UnreachableSource,
}

/// A column of a source.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct ColumnPlace {
    pub(crate) block: usize,
    pub(crate) source: usize,
    pub(crate) column: usize,
}

/// Part of a condition.
pub(crate) struct Condition<'a> {
    pub(crate) expr: &'a Expr,
    pub(crate) clause: Clause,
    /// Source whose ON it is.
    pub(crate) source: Option<usize>,
}

/// Two columns that a condition makes equal.
pub(crate) struct Equality<'a> {
    pub(crate) left: ColumnPlace,
    pub(crate) right: ColumnPlace,
    pub(crate) expr: &'a Expr,
    /// Source whose ON it is; none for WHERE.
    pub(crate) source: Option<usize>,
}

/// A call where it stands.
pub(crate) struct Call<'a> {
    pub(crate) call: &'a FunctionCall,
    pub(crate) place: Context,
    pub(crate) is_aggregate: bool,
}

/// UNION, INTERSECT or EXCEPT.
pub(crate) struct SetOperation<'a> {
    pub(crate) operator: SetOperator,
    pub(crate) all: bool,
    pub(crate) left: Rc<[Output<'a>]>,
    pub(crate) right: Rc<[Output<'a>]>,
    /// Whether both sides' columns are known.
    pub(crate) is_known: bool,
    /// First place of the right side that is known.
    pub(crate) span: SqlSpan,
}

/// A common table expression.
pub(crate) struct CommonTable<'a> {
    pub(crate) name: &'a Identifier,
    pub(crate) is_used: bool,
}

/// A subquery used as a value or a list of values.
pub(crate) struct Subquery<'a> {
    pub(crate) query: &'a Query,
    /// Place of its first SELECT.
    pub(crate) block: usize,
    pub(crate) is_scalar: bool,
    pub(crate) columns: usize,
    pub(crate) wanted: usize,
}

/// A name of a table that the catalog does not have.
pub(crate) struct UnknownTable<'a> {
    pub(crate) name: &'a Identifier,
    pub(crate) block: usize,
}

impl<'a> Bound<'a> {
    /// Resolves the names of a statement that was read from a text.
    pub(crate) fn of(query: &'a Query, catalog: &'a Catalog, dialect: Dialect) -> Self {
        build::bind(query, catalog, dialect)
    }

    /// What a column name means, by where it stands.
    pub(crate) fn use_of(&self, name: &Identifier) -> Option<&Use<'a>> {
        let at = self.by_start.binary_search_by_key(&name.span.start, |(start, _)| *start).ok()?;
        self.uses.get(self.by_start.get(at)?.1)
    }

    /// Column that an expression is, where it is one and resolves.
    pub(crate) fn column_of(&self, expr: &Expr) -> Option<ColumnPlace> {
        let Expr::Column { name, .. } = expr else { return None };
        match self.use_of(name)?.meaning {
            Meaning::Column(place) => Some(place),
            _ => None,
        }
    }

    /// A source by its place.
    pub(crate) fn source(&self, block: usize, source: usize) -> Option<&Source<'a>> {
        self.blocks.get(block)?.sources.get(source)
    }

    /// Stored column behind a place.
    pub(crate) fn origin(&self, place: ColumnPlace) -> Option<Origin<'a>> {
        self.source(place.block, place.source)?.columns.origin(place.column)
    }

    /// Stored column that an expression shows unchanged.
    pub(crate) fn origin_of(&self, expr: &Expr) -> Option<Origin<'a>> {
        self.origin(self.column_of(expr)?)
    }

    /// What is known of a query that is used as a value or a list of values.
    pub(crate) fn subquery(&self, query: &Query) -> Option<&Subquery<'a>> {
        self.subqueries.iter().find(|it| std::ptr::eq(it.query, query))
    }

    /// Whether a column can be NULL where it is used.
    pub(crate) fn is_nullable(&self, place: ColumnPlace) -> bool {
        self.source(place.block, place.source).is_none_or(|source| {
            source.is_nullable || source.columns.get(place.column).is_none_or(|it| it.is_nullable)
        })
    }
}

/// A column of a source, as its offers have it.
pub(crate) struct Offered<'c, 'a> {
    pub(crate) name: &'c str,
    pub(crate) kind: Option<Kind>,
    pub(crate) origin: Option<Origin<'a>>,
    pub(crate) is_nullable: bool,
}

impl<'a> Columns<'a> {
    /// Number of columns.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Stored(table) => table.columns.len(),
            Self::Listed(list) => list.len(),
            Self::Open => 0,
        }
    }

    /// Name of a column.
    pub(crate) fn name(&self, place: usize) -> Option<&str> {
        match self {
            Self::Stored(table) => table.columns.get(place).map(|column| column.name.as_str()),
            Self::Listed(list) => list.get(place).map(|output| &*output.name),
            Self::Open => None,
        }
    }

    /// Names of all columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|place| self.name(place))
    }

    /// A column.
    pub(crate) fn get(&self, place: usize) -> Option<Offered<'_, 'a>> {
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

    /// Stored column that a column shows unchanged.
    pub(crate) fn origin(&self, place: usize) -> Option<Origin<'a>> {
        match self {
            Self::Stored(table) => table.columns.get(place).map(|column| Origin { table, column }),
            Self::Listed(list) => list.get(place).and_then(|output| output.origin),
            Self::Open => None,
        }
    }

    /// Place of a column of this name.
    pub(crate) fn find(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        (0..self.len()).find(|place| {
            self.name(*place).is_some_and(|stored| super::names::matches(name, stored, dialect))
        })
    }
}
