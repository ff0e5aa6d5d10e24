//! Traversals of the tree that need no name resolution.

use super::tree::{Argument, Expr, FrameBound, FunctionCall, OrderItem, Query, Window};

/// Calls `visit` with each direct subexpression, in source order, without entering subqueries.
pub fn children<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match expr {
        Expr::Column { .. }
        | Expr::Exists { .. }
        | Expr::Foreign(_)
        | Expr::Literal(..)
        | Expr::Parameter(_)
        | Expr::Subquery(_) => {}
        Expr::Spelled(spelled) => visit(&spelled.meaning),
        Expr::And(list) | Expr::Or(list) | Expr::Tuple(list) | Expr::Array(list) => {
            list.iter().for_each(visit);
        }
        Expr::Grouping { sets, .. } => sets.iter().flatten().for_each(visit),
        Expr::Not(operand)
        | Expr::Unary { operand, .. }
        | Expr::IsNull { operand, .. }
        | Expr::IsBoolean { operand, .. }
        | Expr::Extract { operand, .. }
        | Expr::Cast { operand, .. }
        | Expr::Collate { operand, .. }
        | Expr::InQuery { operand, .. } => visit(operand),
        Expr::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        Expr::AtTimeZone { operand, zone } => {
            visit(operand);
            visit(zone);
        }
        Expr::Between { operand, low, high, .. } => {
            visit(operand);
            visit(low);
            visit(high);
        }
        Expr::Like { operand, pattern, .. } => {
            visit(operand);
            visit(pattern);
        }
        Expr::InList { operand, list, .. } => {
            visit(operand);
            list.iter().for_each(visit);
        }
        Expr::Case { operand, branches, otherwise } => {
            if let Some(operand) = operand {
                visit(operand);
            }
            for (when, then) in branches {
                visit(when);
                visit(then);
            }
            if let Some(otherwise) = otherwise {
                visit(otherwise);
            }
        }
        Expr::Function(call) => {
            arguments(call).for_each(&mut *visit);
            call.order_by.iter().chain(&call.within_group).for_each(|item| visit(&item.expr));
            call.filter.iter().for_each(|filter| visit(filter));
            call.over.iter().for_each(|window| window_children(window, visit));
        }
    }
}

/// Calls `visit` with the expressions of an OVER clause.
pub fn window_children<'e>(window: &'e Window, visit: &mut dyn FnMut(&'e Expr)) {
    window.partition_by.iter().for_each(&mut *visit);
    window.order_by.iter().for_each(|OrderItem { expr, .. }| visit(expr));
    let bounds = window.frame.iter().flat_map(|frame| [Some(&frame.start), frame.end.as_ref()]);
    for bound in bounds.flatten() {
        if let FrameBound::Following(Some(count)) | FrameBound::Preceding(Some(count)) = bound {
            visit(count);
        }
    }
}

/// The arguments of a call that are expressions.
pub fn arguments(call: &FunctionCall) -> impl Iterator<Item = &Expr> {
    call.arguments.iter().filter_map(|argument| match argument {
        Argument::Expr(expr) => Some(expr),
        Argument::Star => None,
    })
}

/// Calls `visit` with an expression and all its descendants, without entering subqueries.
pub fn walk<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    children(expr, &mut |child| walk(child, visit));
}

/// The subquery of an EXISTS, IN or scalar subquery expression.
pub fn inner_query(expr: &Expr) -> Option<&Query> {
    match expr {
        Expr::Exists { query, .. } | Expr::InQuery { query, .. } | Expr::Subquery(query) => {
            Some(query)
        }
        _ => None,
    }
}

/// Conjuncts of a condition: the operands of its top-level AND, or the condition itself.
pub fn conjuncts(condition: &Expr) -> &[Expr] {
    match condition {
        Expr::And(parts) => parts,
        single => std::slice::from_ref(single),
    }
}

/// Whether two expressions are structurally equal, with `same_column` deciding for columns.
pub fn same_but_columns(
    one: &Expr,
    other: &Expr,
    same_column: &dyn Fn(&Expr, &Expr) -> bool,
) -> bool {
    match (one, other) {
        (Expr::Column { .. }, Expr::Column { .. }) => same_column(one, other),
        _ if std::mem::discriminant(one) != std::mem::discriminant(other) => false,
        _ if inner_query(one).is_some() => one == other,
        _ => {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            children(one, &mut |child| left.push(child));
            children(other, &mut |child| right.push(child));
            if left.is_empty() && right.is_empty() {
                return one == other;
            }
            left.len() == right.len()
                && same_head(one, other)
                && left
                    .iter()
                    .zip(&right)
                    .all(|(one, other)| same_but_columns(one, other, same_column))
        }
    }
}

/// Whether two expressions of the same variant agree in everything but their subexpressions.
fn same_head(one: &Expr, other: &Expr) -> bool {
    match (one, other) {
        (Expr::Binary { operator: one, .. }, Expr::Binary { operator: other, .. }) => one == other,
        (Expr::Unary { negative: one, .. }, Expr::Unary { negative: other, .. })
        | (Expr::IsNull { negated: one, .. }, Expr::IsNull { negated: other, .. })
        | (Expr::Between { negated: one, .. }, Expr::Between { negated: other, .. })
        | (Expr::InList { negated: one, .. }, Expr::InList { negated: other, .. }) => one == other,
        (Expr::Cast { to: one, .. }, Expr::Cast { to: other, .. }) => one == other,
        (Expr::Extract { field: one, .. }, Expr::Extract { field: other, .. }) => one == other,
        (Expr::Function(one), Expr::Function(other)) => {
            one.name == other.name
                && one.distinct == other.distinct
                && one.arguments.len() == other.arguments.len()
                && one.over.is_some() == other.over.is_some()
        }
        (Expr::And(_) | Expr::Or(_) | Expr::Not(_) | Expr::Tuple(_), _) => true,
        (Expr::Case { branches: one, .. }, Expr::Case { branches: other, .. }) => {
            one.len() == other.len()
        }
        _ => false,
    }
}
