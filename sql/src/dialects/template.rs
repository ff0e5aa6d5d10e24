//! Templates of the function tables: expressions with placeholders for arguments.

use crate::read::{ReadDialect, read};
use crate::tree::{Argument, Body, Expr, FunctionCall, SelectItem, SqlSpan};

use super::walk::{self, Visitor};

/// The expression of a template with its placeholders `$1`, `$2` … replaced with the arguments of a call. `None` if an
/// argument is missing, or if the call has a clause (such as FILTER) and the template is not a call that can take it.
pub(super) fn filled(template: &str, call: &FunctionCall) -> Option<Expr> {
    let arguments = plain_arguments(call)?;
    let mut built = parsed(template)?;
    let mut filling = Filling { arguments: &arguments, place: call.span, complete: true };
    walk::expr(&mut filling, &mut built).ok()?;
    if !filling.complete {
        return None;
    }
    with_clauses(built, call)
}

/// The expression of a template, with placeholders as parameters.
pub(super) fn parsed(template: &str) -> Option<Expr> {
    let query = read(&format!("SELECT {template}"), ReadDialect::Postgres).ok()?;
    let Body::Select(select) = query.body else { return None };
    match select.items.into_iter().next()? {
        SelectItem::Expr { expr, alias: None } => Some(expr),
        _ => None,
    }
}

/// Adds the clauses of the original call to the call that replaces it.
fn with_clauses(built: Expr, call: &FunctionCall) -> Option<Expr> {
    let plain = !call.distinct
        && call.order_by.is_empty()
        && call.within_group.is_empty()
        && call.filter.is_none()
        && call.over.is_none();
    if plain {
        return Some(built);
    }
    let Expr::Function(mut built) = built else { return None };
    let free = (call.within_group.is_empty() || built.within_group.is_empty())
        && (call.filter.is_none() || built.filter.is_none());
    if !free {
        return None;
    }
    built.distinct |= call.distinct;
    built.order_by.extend(call.order_by.iter().cloned());
    built.within_group.extend(call.within_group.iter().cloned());
    built.filter = built.filter.or_else(|| call.filter.clone());
    built.over = built.over.or_else(|| call.over.clone());
    Some(Expr::Function(built))
}

/// The arguments of a call; `None` if one is `*`.
pub(super) fn plain_arguments(call: &FunctionCall) -> Option<Vec<Expr>> {
    call.arguments
        .iter()
        .map(|argument| match argument {
            Argument::Expr(expr) => Some(expr.clone()),
            Argument::Star => None,
        })
        .collect()
}

struct Filling<'a> {
    arguments: &'a [Expr],
    /// Position of the original call, given to the calls of the template.
    place: SqlSpan,
    complete: bool,
}

impl Visitor for Filling<'_> {
    fn expr(&mut self, node: &mut Expr) -> walk::Done {
        if let Expr::Function(call) = node {
            call.span = self.place;
        }
        let Expr::Parameter(name) = node else { return Ok(()) };
        let place = name.strip_prefix('$').and_then(|place| place.parse::<usize>().ok());
        match place.and_then(|place| self.arguments.get(place.checked_sub(1)?)) {
            Some(argument) => *node = argument.clone(),
            None => self.complete = false,
        }
        Ok(())
    }
}
