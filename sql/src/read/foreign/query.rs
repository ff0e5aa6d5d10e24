//! Query clauses that the tree cannot represent, and named windows.

use sqlparser::ast;

use crate::foreign::{Part, Spelled, Spelling};
use crate::tree::{Body, Expr, Identifier, OrderItem, Query, Select, SelectItem, SqlSpan};

use super::super::{Converted, Reader, unsupported};
use super::{Kept, dotted, listed};

impl Reader<'_> {
    /// A query with row-locking clauses.
    pub(in super::super) fn locked(
        &self,
        kept: Kept,
        query: Query,
        locks: Vec<ast::LockClause>,
    ) -> Converted<Query> {
        let mut parts = vec![Part::Query(Box::new(query))];
        for ast::LockClause { lock_type, of, nonblock } in locks {
            parts.push(Part::Text(match lock_type {
                ast::LockType::Share => " FOR SHARE",
                ast::LockType::Update => " FOR UPDATE",
            }));
            if let Some(table) = of {
                parts.push(Part::Text(" OF "));
                parts.extend(dotted(self.parts(table)?));
            }
            match nonblock {
                Some(ast::NonBlock::Nowait) => parts.push(Part::Text(" NOWAIT")),
                Some(ast::NonBlock::SkipLocked) => parts.push(Part::Text(" SKIP LOCKED")),
                None => {}
            }
        }
        Ok(foreign_query(kept, parts))
    }

    /// A query with FETCH FIRST … WITH TIES.
    pub(in super::super) fn with_ties(
        &mut self,
        kept: Kept,
        query: Query,
        count: Option<ast::Expr>,
    ) -> Converted<Query> {
        let mut parts = vec![Part::Query(Box::new(query)), Part::Text(" FETCH FIRST ")];
        if let Some(count) = count {
            parts.extend([Part::Text("("), Part::Expr(self.expr(count)?), Part::Text(")")]);
        }
        parts.push(Part::Text(" ROWS WITH TIES"));
        Ok(foreign_query(kept, parts))
    }

    /// Appends the INTO clause after the last output column.
    pub(in super::super) fn add_into(
        &mut self,
        kept: Kept,
        into: ast::SelectInto,
        items: &mut Vec<SelectItem>,
    ) -> Converted<()> {
        let ast::SelectInto { temporary, unlogged, table, targets } = into;
        let mut parts = match items.pop() {
            Some(SelectItem::Expr { expr, alias }) => {
                let alias = alias.map(|alias| [Part::Text(" AS "), Part::Name(alias)]);
                let expr = [Part::Expr(expr)];
                expr.into_iter().chain(alias.into_iter().flatten()).collect()
            }
            Some(SelectItem::Wildcard { qualifier }) => {
                let mut parts = dotted(qualifier.into_iter().collect());
                parts.push(Part::Text(if parts.is_empty() { "*" } else { ".*" }));
                parts
            }
            Some(SelectItem::Foreign(foreign)) => foreign.parts,
            _ => return Err(unsupported("SELECT INTO", SqlSpan::default())),
        };
        parts.push(Part::Text(" INTO "));
        parts.push(Part::Text(if temporary { "TEMPORARY " } else { "" }));
        parts.push(Part::Text(if unlogged { "UNLOGGED " } else { "" }));
        parts.push(Part::Text(if table { "TABLE " } else { "" }));
        for target in targets {
            parts.push(Part::Expr(self.expr(target)?));
        }
        items.push(SelectItem::Foreign(kept.node(parts, false)));
        Ok(())
    }

    /// ORDER BY `expr USING operator`.
    pub(in super::super) fn ordered_using(
        &self,
        expr: Expr,
        operator: ast::ObjectName,
        nulls_first: Option<bool>,
    ) -> Converted<OrderItem> {
        let kept = self.keep(unsupported("ORDER BY USING", SqlSpan::default()))?;
        let mut parts = vec![Part::Expr(expr), Part::Text(" USING ")];
        let [ast::ObjectNamePart::Identifier(symbol)] = operator.0.as_slice() else {
            return Err(unsupported("ORDER BY USING", SqlSpan::default()));
        };
        parts.push(Part::Symbol(symbol.value.clone()));
        Ok(OrderItem { expr: kept.expr(parts), descending: false, nulls_first })
    }

    /// A SELECT with the WINDOW clause that its calls refer to.
    pub(in super::super) fn windowed(&self, select: Select, definitions: Vec<Vec<Part>>) -> Body {
        let body = Body::Select(Box::new(select));
        if definitions.is_empty() || !self.is_postgres() || !self.in_words {
            return body;
        }
        let mut parts = vec![Part::Text("WINDOW ")];
        for (index, definition) in definitions.into_iter().enumerate() {
            if index > 0 {
                parts.push(Part::Text(", "));
            }
            parts.extend(definition);
        }
        let spelling = Spelling::Windows(parts);
        Body::Spelled(Box::new(Spelled { meaning: body, spelling }))
    }

    /// Removes the markers from the name of a CTE, and returns the parts of the clauses they stand for.
    pub(in super::super) fn take_clause(&self, name: &mut ast::Ident) -> Vec<Part> {
        let value = std::mem::take(&mut name.value);
        let mut marked = value.split('\u{1}');
        marked.next().unwrap_or_default().clone_into(&mut name.value);
        let mut clauses = Vec::new();
        for mark in marked {
            clauses.extend(self.aside(&format!("\u{1}{mark}")).unwrap_or_default());
            clauses.push(Part::Text(" "));
        }
        clauses
    }

    /// A query with CTEs that have SEARCH or CYCLE clauses.
    pub(in super::super) fn with_clauses(
        kept: Kept,
        query: Query,
        clauses: Vec<Vec<Part>>,
    ) -> Query {
        let (with, recursive) = (query.with, query.recursive);
        let rest = Query { with: Vec::new(), recursive: false, ..query };
        let mut parts = vec![Part::Text(if recursive { "WITH RECURSIVE " } else { "WITH " })];
        for (index, (cte, clause)) in with.into_iter().zip(clauses).enumerate() {
            parts.push(Part::Text(if index == 0 { "" } else { ", " }));
            parts.push(Part::Name(cte.name));
            if !cte.columns.is_empty() {
                parts.push(Part::Text(" ("));
                parts.extend(listed(cte.columns, Part::Name));
                parts.push(Part::Text(")"));
            }
            parts.extend([Part::Text(" AS ("), Part::Query(cte.query), Part::Text(") ")]);
            parts.extend(clause);
        }
        parts.extend([Part::Text(" "), Part::Query(Box::new(rest))]);
        foreign_query(kept, parts)
    }
}

impl Kept {
    /// The `*` of `TABLE name`.
    pub(in super::super) fn star(self) -> SelectItem {
        SelectItem::Foreign(self.node(vec![Part::Text("*")], false))
    }

    /// `schema.source.*`.
    pub(in super::super) fn dotted_wildcard(self, names: Vec<Identifier>) -> SelectItem {
        let mut parts = dotted(names);
        parts.push(Part::Text(".*"));
        SelectItem::Foreign(self.node(parts, false))
    }
}

/// A query that consists of a foreign node only.
pub(super) fn foreign_query(kept: Kept, parts: Vec<Part>) -> Query {
    Query { body: Body::Foreign(kept.node(parts, false)), ..Query::default() }
}
