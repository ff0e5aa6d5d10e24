//! The binding pass: queries, common table expressions (CTEs) and the clauses of each SELECT.

use std::borrow::Cow;
use std::rc::Rc;

use super::binder::{Binder, InScope, Shape};
use super::outputs::combined;
use super::resolve::Reach;
use super::{
    Block, Bound, Clause, Columns, CommonTable, Condition, Context, Equality, Output, Role,
    SetOperation,
};
use crate::Dialect;
use crate::tree::{
    BinaryOperator, Body, Cte, Expr, Identifier, OrderItem, Query, Select, SelectItem, SqlSpan,
};
use crate::walk::conjuncts;
use wherefore_catalog::Catalog;

/// Resolves the names of a statement.
pub(super) fn bind<'a>(query: &'a Query, catalog: &'a Catalog, dialect: Dialect) -> Bound<'a> {
    let bound = Bound {
        catalog,
        dialect,
        query,
        blocks: Vec::new(),
        set_operations: Vec::new(),
        uses: Vec::new(),
        calls: Vec::new(),
        common_tables: Vec::new(),
        subqueries: Vec::new(),
        unknown_tables: Vec::new(),
        unknown_merged: Vec::new(),
        unknown_order: Vec::new(),
        unfit_lists: Vec::new(),
        by_start: Vec::new(),
    };
    let mut binder = Binder { bound, scope: Vec::new() };
    binder.query(query, None, Role::Statement);
    binder.bound
}

impl<'a> Binder<'a> {
    /// Binds a query and everything inside it.
    pub(super) fn query(
        &mut self,
        query: &'a Query,
        parent: Option<usize>,
        role: Role,
    ) -> Shape<'a> {
        let mark = self.scope.len();
        self.with(query, parent);
        let shape = match query.body.meaning() {
            Body::Select(select) => self.select(select, query, parent, role),
            Body::SetOperation { operator, all, left, right } => {
                let left = self.query(left, parent, role);
                let middle = self.bound.blocks.len();
                let right = self.query(right, parent, role);
                let span = self.first_place(middle);
                let (is_known, shape) = match (&left, &right) {
                    (Some(left), Some(right)) => (true, Some(combined(left, right))),
                    _ => (false, None),
                };
                self.bound.set_operations.push(SetOperation {
                    operator: *operator,
                    all: *all,
                    left: left.unwrap_or_default(),
                    right: right.unwrap_or_default(),
                    is_known,
                    span,
                });
                self.order_of_rows(&query.order_by, shape.as_ref());
                shape
            }
            Body::Values(rows) => self.values(rows, parent),
            Body::Foreign(_) | Body::Spelled(_) => None,
        };
        self.scope.truncate(mark);
        shape
    }

    fn first_place(&self, block: usize) -> SqlSpan {
        let Some(block) = self.bound.blocks.get(block) else { return SqlSpan::default() };
        let mut place = SqlSpan::default();
        for item in &block.select.items {
            if let SelectItem::Expr { expr, .. } = item {
                place = crate::place::leaves(expr).unwrap_or_default();
                break;
            }
        }
        place
    }

    fn with(&mut self, query: &'a Query, parent: Option<usize>) {
        for cte in &query.with {
            let place = self.bound.common_tables.len();
            self.bound.common_tables.push(CommonTable { name: &cte.name, is_used: false });
            let block = self.bound.blocks.len();
            let sees_itself = query.recursive || self.bound.dialect == Dialect::Sqlite;
            let columns = match &cte.query.body {
                Body::SetOperation { left, right, .. } if sees_itself => {
                    self.recursive(cte, left, right, parent, place)
                }
                _ => {
                    let shape = self.query(&cte.query, parent, Role::Common);
                    self.renamed(shape, &cte.columns, cte.name.span)
                }
            };
            let block = matches!(cte.query.body, Body::Select(_)).then_some(block);
            self.scope.push(InScope { name: &cte.name, columns: Some(columns), block, place });
        }
    }

    /// Binds a CTE whose body is a set operation, and whose second operand may refer to the CTE itself.
    fn recursive(
        &mut self,
        cte: &'a Cte,
        left: &'a Query,
        right: &'a Query,
        parent: Option<usize>,
        place: usize,
    ) -> Columns<'a> {
        let mark = self.scope.len();
        self.with(&cte.query, parent);
        let first = self.query(left, parent, Role::Common);
        let known = first.clone();
        let columns = self.renamed(first, &cte.columns, cte.name.span);
        let itself = InScope { name: &cte.name, columns: Some(columns), block: None, place };
        self.scope.push(itself);
        let was_used = self.bound.common_tables[place].is_used;
        let middle = self.bound.blocks.len();
        let second = self.query(right, parent, Role::Common);
        let span = self.first_place(middle);
        self.bound.common_tables[place].is_used = was_used;
        let (shape, sides) = match (known, second) {
            (Some(left), Some(right)) => (Some(combined(&left, &right)), Some((left, right))),
            _ => (None, None),
        };
        if let Body::SetOperation { operator, all, .. } = &cte.query.body
            && let Some((left, right)) = sides
        {
            let (operator, all) = (*operator, *all);
            self.bound.set_operations.push(SetOperation {
                operator,
                all,
                left,
                right,
                is_known: true,
                span,
            });
        }
        self.order_of_rows(&cte.query.order_by, shape.as_ref());
        self.scope.truncate(mark);
        self.listed(shape, &cte.columns)
    }

    /// The columns of a query, renamed by a column list.
    pub(super) fn renamed(
        &mut self,
        shape: Shape<'a>,
        names: &'a [Identifier],
        place: SqlSpan,
    ) -> Columns<'a> {
        if let Some(columns) = &shape
            && names.len() > columns.len()
        {
            self.bound.unfit_lists.push((place, names.len(), columns.len()));
        }
        self.listed(shape, names)
    }

    /// The name in the case in which the server stores it.
    pub(super) fn stored(&self, name: &'a Identifier) -> Cow<'a, str> {
        let folds = self.bound.dialect == Dialect::Postgres && !name.quoted;
        if folds && name.name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(&name.name)
        }
    }

    pub(super) fn select(
        &mut self,
        select: &'a Select,
        query: &'a Query,
        parent: Option<usize>,
        role: Role,
    ) -> Shape<'a> {
        let block = self.bound.blocks.len();
        self.bound.blocks.push(Block {
            select,
            query,
            parent,
            role,
            sources: Vec::new(),
            merged: Vec::new(),
            outputs: Rc::default(),
            conditions: Vec::new(),
            equalities: Vec::new(),
            aggregates: !select.group_by.is_empty() || select.having.is_some(),
        });
        self.sources(&select.from, block);
        let everything = Reach { first: 0, end: usize::MAX };
        let context = |clause| Context { block, clause, in_aggregate: false, in_window: false };
        let mut bind = |expr: &'a Expr, clause: Clause, is_bare: bool| {
            self.expression(expr, context(clause), everything, is_bare);
        };
        for item in &select.items {
            if let SelectItem::Expr { expr, .. } = item {
                bind(expr, Clause::Select, false);
            }
        }
        select.distinct_on.iter().for_each(|expr| bind(expr, Clause::Order, false));
        select.filter.iter().for_each(|expr| bind(expr, Clause::Where, false));
        for expr in &select.group_by {
            bind(expr, Clause::Group, matches!(expr, Expr::Column { .. }));
        }
        select.having.iter().for_each(|expr| bind(expr, Clause::Having, false));
        for OrderItem { expr, .. } in &query.order_by {
            bind(expr, Clause::Order, matches!(expr, Expr::Column { .. }));
        }
        query.limit.iter().chain(&query.offset).for_each(|expr| bind(expr, Clause::Limit, false));
        self.collect_conditions(block);
        let shape = self.outputs(select, block);
        self.bound.blocks[block].outputs = shape.clone().unwrap_or_default();
        shape
    }

    /// Binds ORDER BY of a set operation, which on PostgreSQL can refer to output columns only. SQLite also accepts the
    /// columns of every operand, so it is not checked.
    fn order_of_rows(&mut self, items: &'a [OrderItem], shape: Option<&Rc<[Output<'a>]>>) {
        let Some(shape) = shape else { return };
        if self.bound.dialect == Dialect::Sqlite {
            return;
        }
        for OrderItem { expr, .. } in items {
            if let Expr::Column { qualifier: None, name } = expr
                && !shape.iter().any(|it| crate::names::matches(name, &it.name, self.bound.dialect))
            {
                self.bound.unknown_order.push(name);
            }
        }
    }

    fn collect_conditions(&mut self, block: usize) {
        let here = &self.bound.blocks[block];
        let mut conditions = Vec::new();
        for (at, source) in here.sources.iter().enumerate() {
            if let super::Joined::Join(_, Some(on)) = source.join {
                conditions.extend(conjuncts(on).iter().map(|expr| Condition {
                    expr,
                    clause: Clause::On,
                    source: Some(at),
                }));
            }
        }
        let parts = here.select.filter.iter().flat_map(conjuncts);
        conditions.extend(parts.map(|expr| Condition {
            expr,
            clause: Clause::Where,
            source: None,
        }));
        let mut equalities = Vec::new();
        for condition in &conditions {
            if let Expr::Binary { operator: BinaryOperator::Equal, left, right } = condition.expr
                && let (Some(left), Some(right)) =
                    (self.bound.column_of(left), self.bound.column_of(right))
            {
                let (expr, source) = (condition.expr, condition.source);
                equalities.push(Equality { left, right, expr, source });
            }
        }
        let merged = here.merged.clone();
        let here = &mut self.bound.blocks[block];
        for (name, left, right) in merged {
            let find = |source: usize| {
                let at =
                    here.sources[source].columns.names().position(|column| *column == *name)?;
                Some(super::ColumnPlace { block, source, column: at })
            };
            if let (Some(left), Some(right)) = (find(left), find(right)) {
                const NOTHING: &Expr = &Expr::And(Vec::new());
                equalities.push(Equality {
                    left,
                    right,
                    expr: NOTHING,
                    source: Some(right.source),
                });
            }
        }
        here.conditions = conditions;
        here.equalities = equalities;
    }
}
