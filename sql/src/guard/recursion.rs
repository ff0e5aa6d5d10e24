//! Checks that recursive CTEs terminate.

use crate::Dialect;
use crate::diagnostic::{Code, Diagnostic};
use crate::tree::{
    BinaryOperator, Body, Cte, Expr, Identifier, JoinCondition, Literal, Query, Select, SelectItem,
    SetOperator, Source,
};

use crate::names::{matches, stored};

/// Whether the second operand of a CTE's set operation reads the CTE itself.
pub(super) fn is_recursive(cte: &Cte, dialect: Dialect) -> bool {
    match cte.query.body.meaning() {
        Body::SetOperation { right, .. } if cte.query.with.is_empty() => {
            reads(right, &stored(&cte.name, dialect), dialect)
        }
        _ => false,
    }
}

/// Checks that the recursive part is bounded: by a comparison with a constant, or by a UNION of plain columns, which
/// ends when it adds no new row.
pub(super) fn check_bound(cte: &Cte, dialect: Dialect) -> Result<(), Diagnostic> {
    let Body::SetOperation { operator, all, right, .. } = cte.query.body.meaning() else {
        return Ok(());
    };
    if *operator != SetOperator::Union {
        let message = "a recursive common table expression needs UNION";
        return Err(Diagnostic::new(Code::Unsupported, message, cte.name.span));
    }
    let has_limit = dialect == Dialect::Sqlite
        && matches!(&cte.query.limit, Some(Expr::Literal(Literal::Number(_), _)));
    if has_limit || is_bounded(right, *all) {
        return Ok(());
    }
    let message = format!("the recursion in {:?} has no bound", cte.name.name);
    let hint = "add a condition such as depth < 100 to the recursive part";
    Err(Diagnostic::new(Code::Limit, message, cte.name.span).hint(hint))
}

fn is_bounded(query: &Query, all: bool) -> bool {
    match query.body.meaning() {
        Body::Select(select) => {
            conditions(select).into_iter().any(is_bound) || !all && selects_columns(select)
        }
        Body::SetOperation { left, right, all: inner, .. } => {
            is_bounded(left, all || *inner) && is_bounded(right, all || *inner)
        }
        Body::Values(_) => true,
        Body::Foreign(_) | Body::Spelled(_) => false,
    }
}

fn selects_columns(select: &Select) -> bool {
    select.items.iter().all(|item| match item {
        SelectItem::Expr { expr, .. } => matches!(expr, Expr::Column { .. } | Expr::Literal(..)),
        SelectItem::Wildcard { .. } | SelectItem::WildcardExcept { .. } => true,
        SelectItem::Foreign(_) => false,
    })
}

/// Conjuncts of WHERE and of the join conditions.
fn conditions(select: &Select) -> Vec<&Expr> {
    let joins = select.from.iter().flat_map(|item| &item.joins);
    let on = joins.filter_map(|join| match &join.condition {
        JoinCondition::On(condition) => Some(condition),
        _ => None,
    });
    let mut parts = Vec::new();
    for condition in on.chain(&select.filter) {
        flatten(condition, &mut parts);
    }
    parts
}

fn flatten<'a>(condition: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match condition {
        Expr::And(list) => list.iter().for_each(|part| flatten(part, parts)),
        part => parts.push(part),
    }
}

fn is_bound(condition: &Expr) -> bool {
    match condition {
        Expr::Binary { operator, left, right } => {
            let orders = matches!(
                operator,
                BinaryOperator::Greater
                    | BinaryOperator::GreaterOrEqual
                    | BinaryOperator::Less
                    | BinaryOperator::LessOrEqual
            );
            orders && is_constant(left) != is_constant(right)
        }
        Expr::Between { operand, low, high, negated: false } => {
            !is_constant(operand) && is_constant(low) && is_constant(high)
        }
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(..) | Expr::Subquery(_) => true,
        Expr::Cast { operand, .. } | Expr::Unary { operand, .. } => is_constant(operand),
        Expr::Binary { left, right, .. } => is_constant(left) && is_constant(right),
        Expr::Function(call) => call.arguments.is_empty(),
        _ => false,
    }
}

fn reads(query: &Query, name: &Identifier, dialect: Dialect) -> bool {
    if query.with.iter().any(|cte| reads(&cte.query, name, dialect)) {
        return true;
    }
    match query.body.meaning() {
        Body::Select(select) => select
            .from
            .iter()
            .flat_map(|item| {
                std::iter::once(&item.source).chain(item.joins.iter().map(|join| &join.source))
            })
            .any(|source| match source {
                Source::Table { schema: None, name: written, .. } => {
                    matches(written, &name.name, dialect)
                }
                Source::Table { .. } | Source::Function { .. } | Source::Foreign(_) => false,
                Source::Derived { query, .. } => reads(query, name, dialect),
            }),
        Body::SetOperation { left, right, .. } => {
            reads(left, name, dialect) || reads(right, name, dialect)
        }
        Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => false,
    }
}
