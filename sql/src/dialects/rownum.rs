//! Oracle's ROWNUM: a limit on the rows that a condition lets through.

use crate::Dialect;
use crate::guard;
use crate::tree::{
    BinaryOperator, Body, Expr, FromItem, Identifier, Query, Select, SelectItem, Source,
};

use super::kinds::whole_number;

/// Replaces a condition such as `ROWNUM <= 5` with LIMIT. ROWNUM counts rows before they are sorted, grouped or numbered,
/// so in such a query the limit applies to a subquery. The condition stays, and is an error later, if the rows come from
/// several sources.
pub(super) fn as_limit(query: &mut Query) {
    let is_plain = query.limit.is_none() && query.offset.is_none() && query.order_by.is_empty();
    let Body::Select(select) = &mut query.body else { return };
    let direct = is_plain && !uses_all_rows(select);
    if !direct && nested_name(select).is_none() {
        return;
    }
    let mut conditions = match select.filter.take() {
        Some(Expr::And(parts)) => parts,
        other => other.into_iter().collect(),
    };
    let found = conditions.iter().position(|condition| rows(condition).is_some());
    let limit = found.and_then(|at| rows(&conditions.remove(at)));
    select.filter = match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::And(conditions)),
    };
    let Some(limit) = limit.map(|count| Expr::number(count.to_string())) else { return };
    if direct {
        query.limit = Some(limit);
    } else {
        nest(select, limit);
    }
}

/// Whether the output depends on more than one row at a time.
fn uses_all_rows(select: &Select) -> bool {
    select.distinct
        || !select.distinct_on.is_empty()
        || !select.group_by.is_empty()
        || select.having.is_some()
        || select.items.iter().any(|item| {
            let SelectItem::Expr { expr, .. } = item else { return false };
            let mut found = false;
            crate::walk::walk(expr, &mut |part| {
                found |= matches!(part, Expr::Function(call)
                    if call.over.is_some() || guard::is_aggregate(call, Dialect::Postgres));
            });
            found
        })
}

/// The name of the only source; `None` if there are several or it has no name.
fn nested_name(select: &Select) -> Option<Identifier> {
    let [item] = select.from.as_slice() else { return None };
    match &item.source {
        _ if !item.joins.is_empty() => None,
        Source::Table { name, alias, .. } => Some(alias.as_ref().unwrap_or(name).clone()),
        Source::Derived { alias, .. } => {
            let name = Identifier { name: "_rows".to_owned(), ..Identifier::default() };
            Some(alias.clone().unwrap_or(name))
        }
        Source::Function { .. } | Source::Foreign(_) => None,
    }
}

/// Moves the source and the filter into a subquery with a limit.
fn nest(select: &mut Select, limit: Expr) {
    let alias = nested_name(select);
    let inner = Select {
        items: vec![SelectItem::Wildcard { qualifier: None }],
        from: std::mem::take(&mut select.from),
        filter: select.filter.take(),
        ..Select::default()
    };
    let body = Body::Select(Box::new(inner));
    let query = Box::new(Query { body, limit: Some(limit), ..Query::default() });
    let source = Source::Derived { query, alias, columns: Vec::new(), lateral: false };
    select.from = vec![FromItem { source, joins: Vec::new() }];
}

/// The number of rows that a condition on ROWNUM lets through.
fn rows(condition: &Expr) -> Option<i64> {
    let Expr::Binary { operator, left, right } = condition else { return None };
    let Expr::Function(call) = &**left else { return None };
    if call.name != "_rownum" {
        return None;
    }
    let count = whole_number(right)?;
    match operator {
        BinaryOperator::LessOrEqual => Some(count.max(0)),
        BinaryOperator::Less => Some((count - 1).max(0)),
        BinaryOperator::Equal if count == 1 => Some(1),
        _ => None,
    }
}
