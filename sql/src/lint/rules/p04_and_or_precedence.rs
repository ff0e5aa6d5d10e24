//! P04 and-or-precedence: AND and OR mixed without parentheses.
//!
//! why: AND binds more tightly than OR, which is seldom what the author means.
//! wrong: `SELECT id FROM orders WHERE status = 'new' OR status = 'paid' AND amount > 5`
//! right: `SELECT id FROM orders WHERE (status = 'new' OR status = 'paid') AND amount > 5`

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, SqlSpan};
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("P04", "and-or-precedence", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| {
            let Expr::Or(parts) = expr else { return };
            for part in parts {
                let Expr::And(inner) = part else { continue };
                let span = statement.extent(part);
                if is_bracketed(statement, span) || span.end == 0 {
                    continue;
                }
                let message =
                    "AND binds more tightly than OR; add parentheses to make the grouping explicit";
                let whole = statement.extent(expr);
                found.push(
                    Finding::new(&RULE, message, span).fix(mend(statement, inner, span, whole)),
                );
            }
        });
    });
}

fn is_bracketed(statement: &Statement<'_>, span: SqlSpan) -> bool {
    let first = statement.token_at(span.start);
    let inside = statement.token(first) == "("
        && statement.closing(first) + 1 == statement.token_at(span.end);
    let around = first > 0 && statement.token(first - 1) == "(" && {
        let close = statement.closing(first - 1);
        statement.tokens.get(close).is_some_and(|it| it.start >= span.end)
            && statement.token_at(span.end) == close
    };
    inside || around
}

/// Adds parentheses that make the current precedence explicit.
fn mend(_: &Statement<'_>, inner: &[Expr], span: SqlSpan, _: SqlSpan) -> Option<Fix> {
    let edits = vec![Edit::insert(span.start, "("), Edit::insert(span.end, ")")];
    (inner.len() > 1).then(|| Fix::offer("add parentheses around the current grouping", edits))
}
