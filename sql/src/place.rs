//! Spans of expressions in the SQL text.
//!
//! Only names, literals and calls store a span; the span of any other expression covers the leaves inside it.

use super::tree::{Body, Expr, Query, SelectItem, SqlSpan};
use super::walk::{children, inner_query};

/// Span from the first to the last name, literal or call inside an expression; `None` if it has none with a span.
pub(crate) fn leaves(expr: &Expr) -> Option<SqlSpan> {
    let mut found = None;
    collect(expr, &mut found);
    found
}

fn collect(expr: &Expr, found: &mut Option<SqlSpan>) {
    match expr {
        Expr::Column { qualifier, name } => {
            if let Some(name) = qualifier {
                add(name.span, found);
            }
            add(name.span, found);
        }
        Expr::Literal(_, place) => add(place.0, found),
        Expr::Function(call) => add(call.span, found),
        Expr::Collate { collation, .. } => add(collation.span, found),
        _ => {}
    }
    children(expr, &mut |child| collect(child, found));
    if let Some(query) = inner_query(expr) {
        of_query(query, found);
    }
}

/// Extends `found` to cover the spans inside a query.
fn of_query(query: &Query, found: &mut Option<SqlSpan>) {
    match query.body.meaning() {
        Body::Select(select) => {
            for item in &select.items {
                if let SelectItem::Expr { expr, alias } = item {
                    collect(expr, found);
                    if let Some(name) = alias {
                        add(name.span, found);
                    }
                }
            }
            for item in &select.from {
                let sources =
                    std::iter::once(&item.source).chain(item.joins.iter().map(|it| &it.source));
                for source in sources {
                    match source {
                        super::tree::Source::Table { name, alias, .. } => {
                            add(name.span, found);
                            if let Some(name) = alias {
                                add(name.span, found);
                            }
                        }
                        super::tree::Source::Derived { query, alias, .. } => {
                            of_query(query, found);
                            if let Some(name) = alias {
                                add(name.span, found);
                            }
                        }
                        super::tree::Source::Function { call, .. } => add(call.span, found),
                        super::tree::Source::Foreign(_) => {}
                    }
                }
            }
            let parts = select.filter.iter().chain(&select.group_by).chain(&select.having);
            parts.for_each(|expr| collect(expr, found));
        }
        Body::SetOperation { left, right, .. } => {
            of_query(left, found);
            of_query(right, found);
        }
        Body::Values(rows) => rows.iter().flatten().for_each(|expr| collect(expr, found)),
        Body::Foreign(_) | Body::Spelled(_) => {}
    }
    query.order_by.iter().for_each(|item| collect(&item.expr, found));
    query.limit.iter().chain(&query.offset).for_each(|expr| collect(expr, found));
}

fn add(span: SqlSpan, found: &mut Option<SqlSpan>) {
    if span == SqlSpan::default() {
        return;
    }
    *found = Some(match *found {
        Some(so_far) => {
            SqlSpan { start: so_far.start.min(span.start), end: so_far.end.max(span.end) }
        }
        None => span,
    });
}
