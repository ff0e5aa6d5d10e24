//! Rewrites that T-SQL and BigQuery share: neither has FILTER or ILIKE.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, Expr, FunctionCall, Identifier, Literal};

use super::unprintable;

/// Rewrites `sum(x) FILTER (WHERE c)` as `sum(CASE WHEN c THEN x END)`.
pub(super) fn without_filter(
    call: &FunctionCall,
    target: Target,
) -> Result<FunctionCall, Diagnostic> {
    let mut call = call.clone();
    let Some(filter) = call.filter.take() else { return Ok(call) };
    let then = match call.arguments.first() {
        Some(Argument::Star) => Expr::number("1"),
        Some(Argument::Expr(value)) => value.clone(),
        None => return Err(unprintable(target, "FILTER on a call without arguments")),
    };
    let chosen = Expr::Case { operand: None, branches: vec![(*filter, then)], otherwise: None };
    match call.arguments.first_mut() {
        Some(first) if call.name != "array_agg" => *first = Argument::Expr(chosen),
        _ => return Err(unprintable(target, "FILTER on this aggregate")),
    }
    Ok(call)
}

/// A bare word, for arguments such as date units.
pub(super) fn word(name: &str) -> Expr {
    let name = Identifier { name: name.to_owned(), ..Identifier::default() };
    Expr::Column { qualifier: None, name }
}

/// Rewrites ILIKE as LIKE of lower-cased operands.
pub(super) fn lower_like(node: &Expr) -> Option<Expr> {
    let Expr::Like { operand, pattern, case_insensitive: true, negated, escape } = node else {
        return None;
    };
    let lower = |expr: &Expr| {
        let folded = match expr {
            Expr::Literal(Literal::String(text), place) => {
                Expr::Literal(Literal::String(text.to_lowercase()), *place)
            }
            other => Expr::call("lower", vec![other.clone()]),
        };
        Box::new(folded)
    };
    Some(Expr::Like {
        operand: lower(operand),
        pattern: lower(pattern),
        case_insensitive: false,
        negated: *negated,
        escape: escape.and_then(|escape| escape.to_lowercase().next()),
    })
}
