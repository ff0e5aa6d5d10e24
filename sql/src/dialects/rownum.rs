//! Oracle's ROWNUM: a limit on the rows that a condition lets through.

use crate::Dialect;
use crate::guard;
use crate::tree::{BinaryOperator, Body, Expr, Query, Select, SelectItem};

use super::kinds::whole_number;

/// Replaces a condition such as `ROWNUM <= 5` with LIMIT. It stays, and is an error later, if the rows are sorted,
/// grouped or limited after it.
pub(super) fn as_limit(query: &mut Query) {
    if query.limit.is_some() || query.offset.is_some() || !query.order_by.is_empty() {
        return;
    }
    let Body::Select(select) = &mut query.body else { return };
    if select.distinct || !select.group_by.is_empty() || select.having.is_some() || folds(select) {
        return;
    }
    let mut conditions = match select.filter.take() {
        Some(Expr::And(parts)) => parts,
        other => other.into_iter().collect(),
    };
    let found = conditions.iter().position(|condition| rows(condition).is_some());
    if let Some(at) = found {
        query.limit = rows(&conditions.remove(at)).map(|count| Expr::number(count.to_string()));
    }
    select.filter = match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::And(conditions)),
    };
}

/// Whether the rows are aggregated.
fn folds(select: &Select) -> bool {
    select.items.iter().any(|item| {
        let SelectItem::Expr { expr, .. } = item else { return false };
        let mut found = false;
        crate::walk::walk(expr, &mut |part| {
            found |= matches!(part, Expr::Function(call)
                if guard::is_aggregate(call, Dialect::Postgres));
        });
        found
    })
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
