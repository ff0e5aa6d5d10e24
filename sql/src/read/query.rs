//! Conversion of queries: WITH, set operations, ordering and limits.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::foreign::Part;
use crate::tree::{Body, Cte, Expr, OrderItem, Query, SetOperator, SqlSpan};

use super::foreign::QUERY;
use super::{Converted, MAX_DEPTH, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn query(&mut self, query: ast::Query) -> Converted<Query> {
        self.nested(|reader| reader.query_here(query))
    }

    fn query_here(&mut self, query: ast::Query) -> Converted<Query> {
        let ast::Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        let lock = if locks.is_empty() {
            None
        } else {
            let message = "row locks (FOR UPDATE, FOR SHARE) are not allowed";
            let fault = Diagnostic::new(Code::IntoOrLock, message, SqlSpan::default());
            Some(self.keep_lock(fault)?)
        };
        absent(for_clause.is_none(), "FOR XML or FOR JSON")?;
        absent(settings.is_none() && format_clause.is_none(), "SETTINGS or FORMAT")?;
        absent(pipe_operators.is_empty(), "the pipe operator")?;
        let (recursive, with, clauses) = self.with(with)?;
        let mut body = *body;
        let top = match &mut body {
            ast::SetExpr::Select(select) => select.top.take(),
            _ => None,
        };
        let body = self.set_expression(body)?;
        // ORDER BY of a SELECT can use its named windows.
        let windows = std::mem::take(&mut self.closed_windows);
        let outer = std::mem::replace(&mut self.windows, windows);
        let order_by = match order_by {
            Some(order_by) => self.order_by(order_by)?,
            None => Vec::new(),
        };
        self.windows = outer;
        let (mut limit, offset) = self.limit(limit_clause)?;
        let mut ties = None;
        if let Some(fetch) = fetch {
            if fetch.with_ties && !fetch.percent && limit.is_none() && self.is_postgres() {
                let kept = self.keep(unsupported("this form of FETCH", SqlSpan::default()))?;
                ties = Some((kept, fetch.quantity));
            } else {
                absent(
                    limit.is_none() && !fetch.with_ties && !fetch.percent,
                    "this form of FETCH",
                )?;
                limit = Some(match fetch.quantity {
                    Some(quantity) => self.expr(quantity)?,
                    None => Expr::number("1"),
                });
            }
        }
        if let Some(top) = top {
            absent(limit.is_none(), "TOP combined with LIMIT")?;
            limit = self.top(top)?;
        }
        let outer = Query { with, recursive, order_by, limit, offset, ..Query::default() };
        let mut query = merge(outer, body)?;
        if let Some((kept, count)) = ties {
            query = self.with_ties(kept, query, count)?;
        }
        if clauses.iter().any(|clause| !clause.is_empty()) {
            let fault = unsupported("a SEARCH or CYCLE clause", SqlSpan::default());
            query = Self::with_clauses(self.keep(fault)?, query, clauses);
        }
        match lock {
            Some(kept) => self.locked(kept, query, locks),
            None => Ok(query),
        }
    }

    /// CTEs, with the SEARCH and CYCLE clauses of each.
    fn with(&mut self, with: Option<ast::With>) -> Converted<CommonTables> {
        let Some(ast::With { with_token: _, recursive, cte_tables }) = with else {
            return Ok((false, Vec::new(), Vec::new()));
        };
        let mut tables = Vec::new();
        let mut clauses = Vec::new();
        for mut cte in cte_tables {
            if cte.alias.name.value == QUERY {
                continue;
            }
            clauses.push(self.take_clause(&mut cte.alias.name));
            tables.push(self.cte(cte)?);
        }
        Ok((recursive, tables, clauses))
    }

    fn cte(&mut self, cte: ast::Cte) -> Converted<Cte> {
        // MATERIALIZED is an optimizer hint that does not change the result.
        let ast::Cte { alias, query, from, materialized: _, closing_paren_token: _ } = cte;
        absent(from.is_none(), "FROM before WITH")?;
        let (name, columns) = self.alias(alias)?;
        Ok(Cte { name, columns, query: Box::new(self.query(*query)?) })
    }

    /// A query body; a parenthesized query is merged with the clauses of the outer one.
    fn set_expression(&mut self, body: ast::SetExpr) -> Converted<Query> {
        self.nested(|reader| match body {
            ast::SetExpr::Select(select) if reader.aside_statement(&select).is_some() => {
                let parts = reader.aside_statement(&select).unwrap_or_default();
                let message = "statements that change data are not allowed inside a query";
                let fault = Diagnostic::new(Code::DataModification, message, SqlSpan::default());
                Ok(plain(Body::Foreign(reader.keep(fault)?.node(parts, false))))
            }
            ast::SetExpr::Select(select) => Ok(plain(reader.select(*select)?)),
            ast::SetExpr::Query(query) => reader.query(*query),
            ast::SetExpr::SetOperation { left, op, set_quantifier, right } => {
                reader.set_operation(*left, op, set_quantifier, *right)
            }
            ast::SetExpr::Values(values) => Ok(plain(reader.rows(values)?)),
            ast::SetExpr::Insert(_)
            | ast::SetExpr::Update(_)
            | ast::SetExpr::Delete(_)
            | ast::SetExpr::Merge(_) => {
                let message = "statements that change data are not allowed inside a query";
                Err(Diagnostic::new(Code::DataModification, message, SqlSpan::default()))
            }
            ast::SetExpr::Table(_) => {
                let message = "TABLE is not allowed; use SELECT * FROM";
                Err(Diagnostic::new(Code::SelectOnly, message, SqlSpan::default()))
            }
        })
    }

    fn set_operation(
        &mut self,
        left: ast::SetExpr,
        op: ast::SetOperator,
        quantifier: ast::SetQuantifier,
        right: ast::SetExpr,
    ) -> Converted<Query> {
        // A chain nests in the left operands; the loop avoids recursion, which could overflow the stack.
        let mut chain = vec![(op, quantifier, right)];
        let mut first = left;
        while let ast::SetExpr::SetOperation { left, op, set_quantifier, right } = first {
            chain.push((op, set_quantifier, *right));
            first = *left;
        }
        if self.depth + chain.len() > MAX_DEPTH {
            return Err(Diagnostic::new(
                Code::Limit,
                "the statement is nested too deeply",
                SqlSpan::default(),
            ));
        }
        let mut query = self.set_expression(first)?;
        for (op, quantifier, right) in chain.into_iter().rev() {
            query = self.combined(query, op, quantifier, right)?;
        }
        Ok(query)
    }

    fn combined(
        &mut self,
        left: Query,
        op: ast::SetOperator,
        quantifier: ast::SetQuantifier,
        right: ast::SetExpr,
    ) -> Converted<Query> {
        let all = match quantifier {
            ast::SetQuantifier::All => true,
            ast::SetQuantifier::Distinct | ast::SetQuantifier::None => false,
            _ => return Err(unsupported("UNION BY NAME", SqlSpan::default())),
        };
        let operator = match op {
            ast::SetOperator::Except | ast::SetOperator::Minus => SetOperator::Except,
            ast::SetOperator::Intersect => SetOperator::Intersect,
            ast::SetOperator::Union => SetOperator::Union,
        };
        let regroup = self.dialect.has_flat_set_operators()
            && matches!(right, ast::SetExpr::SetOperation { .. });
        let left = Box::new(left);
        let right = self.set_expression(right)?;
        Ok(if regroup {
            regrouped(left, operator, all, right)
        } else {
            plain(Body::SetOperation { operator, all, left, right: Box::new(right) })
        })
    }

    fn rows(&mut self, values: ast::Values) -> Converted<Body> {
        let ast::Values { explicit_row, value_keyword, rows } = values;
        absent(!explicit_row && !value_keyword, "this form of VALUES")?;
        let rows = rows
            .into_iter()
            .map(|row| self.exprs(row.content))
            .collect::<Converted<Vec<Vec<Expr>>>>()?;
        Ok(Body::Values(rows))
    }

    fn order_by(&mut self, order_by: ast::OrderBy) -> Converted<Vec<OrderItem>> {
        absent(order_by.interpolate.is_none(), "INTERPOLATE")?;
        match order_by.kind {
            ast::OrderByKind::Expressions(items) => self.order_items(items),
            ast::OrderByKind::All(_) => Err(unsupported("ORDER BY ALL", SqlSpan::default())),
        }
    }

    pub(super) fn order_items(
        &mut self,
        items: Vec<ast::OrderByExpr>,
    ) -> Converted<Vec<OrderItem>> {
        items.into_iter().map(|item| self.order_item(item)).collect()
    }

    fn order_item(&mut self, item: ast::OrderByExpr) -> Converted<OrderItem> {
        let ast::OrderByExpr { expr, options, with_fill } = item;
        absent(with_fill.is_none(), "WITH FILL")?;
        let ast::OrderByOptions { sort, nulls_first } = options;
        let descending = match sort {
            None | Some(ast::OrderBySort::Asc) => false,
            Some(ast::OrderBySort::Desc) => true,
            Some(ast::OrderBySort::Using(operator)) => {
                let expr = self.expr(expr)?;
                return self.ordered_using(expr, operator, nulls_first);
            }
        };
        Ok(OrderItem { expr: self.expr(expr)?, descending, nulls_first })
    }

    fn top(&mut self, top: ast::Top) -> Converted<Option<Expr>> {
        absent(!top.with_ties && !top.percent, "TOP WITH TIES or TOP PERCENT")?;
        match top.quantity {
            Some(ast::TopQuantity::Constant(count)) => Ok(Some(Expr::number(count.to_string()))),
            Some(ast::TopQuantity::Expr(expr)) => self.expr(expr).map(Some),
            None => Ok(None),
        }
    }

    fn limit(
        &mut self,
        clause: Option<ast::LimitClause>,
    ) -> Converted<(Option<Expr>, Option<Expr>)> {
        match clause {
            None => Ok((None, None)),
            Some(ast::LimitClause::LimitOffset { limit, offset, limit_by }) => {
                absent(limit_by.is_empty(), "LIMIT BY")?;
                let limit = limit.map(|limit| self.expr(limit)).transpose()?;
                let offset = offset.map(|offset| self.expr(offset.value)).transpose()?;
                Ok((limit, offset))
            }
            Some(ast::LimitClause::OffsetCommaLimit { offset, limit }) => {
                Ok((Some(self.expr(limit)?), Some(self.expr(offset)?)))
            }
        }
    }
}

/// Whether WITH is RECURSIVE, its CTEs, and the parts of the clauses after each.
type CommonTables = (bool, Vec<Cte>, Vec<Vec<Part>>);

fn plain(body: Body) -> Query {
    Query { body, ..Query::default() }
}

fn is_plain(query: &Query) -> bool {
    !matches!(query.body, Body::Foreign(_))
        && query.with.is_empty()
        && query.order_by.is_empty()
        && query.limit.is_none()
        && query.offset.is_none()
}

/// Merges a parenthesized query with the clauses of the outer one.
fn merge(outer: Query, inner: Query) -> Converted<Query> {
    if is_plain(&inner) {
        return Ok(Query { body: inner.body, ..outer });
    }
    if is_plain(&outer) {
        return Ok(inner);
    }
    let what = "ORDER BY or LIMIT on a parenthesized query that has its own";
    Err(unsupported(what, SqlSpan::default()))
}

/// Regroups `a UNION (b INTERSECT c)`, as the parser groups it, for dialects whose set operators have equal precedence.
fn regrouped(left: Box<Query>, operator: SetOperator, all: bool, right: Query) -> Query {
    match right.body {
        Body::SetOperation { operator: next, all: next_all, left: middle, right: last } => {
            let first = regrouped(left, operator, all, *middle);
            let left = Box::new(first);
            plain(Body::SetOperation { operator: next, all: next_all, left, right: last })
        }
        body => {
            let right = Box::new(Query { body, ..right });
            plain(Body::SetOperation { operator, all, left, right })
        }
    }
}
