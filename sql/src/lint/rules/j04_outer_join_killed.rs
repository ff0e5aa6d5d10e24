//! J04 outer-join-killed: a WHERE condition that is never true for rows that an outer join fills with NULL.
//!
//! why: it removes the unmatched rows that the outer join was meant to keep; the join is in effect an inner one.
//! wrong: `SELECT u.name FROM users u LEFT JOIN orders o ON u.id = o.user_id WHERE o.status = 'paid'`
//! right: `SELECT u.name, o.id FROM users u LEFT JOIN orders o ON u.id = o.user_id AND o.status = 'paid'`

use crate::bind::{Block, Clause, Joined, Source};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr, JoinKind, SqlSpan};
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("J04", "outer-join-killed", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        joined_on(statement, place, block, found);
        for condition in block.conditions.iter().filter(|it| it.clause == Clause::Where) {
            let Some(source) = rejects_missing(statement, place, condition.expr) else { continue };
            let Some(bound) = block.sources.get(source) else { continue };
            let is_left = matches!(bound.join, Joined::Join(JoinKind::Left | JoinKind::Full, _));
            let mut later = block.sources.iter().skip(source + 1);
            let is_right = later
                .any(|it| matches!(it.join, Joined::Join(JoinKind::Right | JoinKind::Full, _)));
            if !is_left && !is_right {
                continue;
            }
            let called = statement.source_label(bound);
            let message =
                format!("this condition drops the rows without {called} that the outer join keeps");
            let span = statement.extent(condition.expr);
            let only = block.conditions.iter().filter(|it| it.clause == Clause::Where).count() == 1;
            let moved = if only && is_left { moved(statement, bound, span) } else { None };
            found.push(Finding::new(&RULE, message, span).fix(moved));
        }
    }
}

/// Finds inner joins on columns that an outer join may have filled with NULL.
fn joined_on(statement: &Statement<'_>, place: usize, block: &Block<'_>, found: &mut Vec<Finding>) {
    for condition in &block.conditions {
        let Some(joined) = condition.source else { continue };
        let is_inner = |at: usize| {
            block
                .sources
                .get(at)
                .is_some_and(|it| matches!(it.join, Joined::Join(JoinKind::Inner, _)))
        };
        let Some(source) = rejects_missing(statement, place, condition.expr) else { continue };
        let Some(bound) = block.sources.get(source) else { continue };
        let is_left = matches!(bound.join, Joined::Join(JoinKind::Left | JoinKind::Full, _));
        if source < joined && is_left && is_inner(joined) {
            let called = statement.source_label(bound);
            let message =
                format!("this join drops the rows without {called} that the outer join keeps");
            found.push(Finding::new(&RULE, message, statement.extent(condition.expr)));
        }
    }
}

/// The source that an outer join may fill with NULL and without which a condition cannot be true.
fn rejects_missing(statement: &Statement<'_>, place: usize, condition: &Expr) -> Option<usize> {
    let strict = match condition {
        Expr::Binary { operator, .. } => {
            !matches!(operator, BinaryOperator::IsDistinctFrom | BinaryOperator::IsNotDistinctFrom)
        }
        Expr::Between { .. } | Expr::InList { .. } | Expr::Like { .. } => true,
        Expr::IsNull { negated, .. } => *negated,
        _ => false,
    };
    if !strict {
        return None;
    }
    let mut source = None;
    let mut handles_null = false;
    walk(condition, &mut |expr| {
        if let Some(column) = statement.bound.column_of(expr)
            && column.block == place
            && statement.bound.source(place, column.source).is_some_and(|it| it.is_nullable)
        {
            source = Some(column.source);
        }
        handles_null |= matches!(expr, Expr::Case { .. } | Expr::IsNull { .. })
            && !std::ptr::eq(expr, condition)
            || matches!(expr, Expr::Function(call)
                if matches!(call.name.as_str(), "coalesce" | "ifnull" | "nullif" | "concat" | "iif"));
    });
    source.filter(|_| !handles_null)
}

/// Moves the only WHERE condition into the ON condition of the join.
fn moved(statement: &Statement<'_>, source: &Source<'_>, span: SqlSpan) -> Option<Fix> {
    let Joined::Join(_, Some(on)) = source.join else { return None };
    let first = statement.token_at(span.start).checked_sub(1)?;
    let from = statement.tokens.get(first).filter(|_| statement.is_word(first, "where"))?.start;
    let end = statement.extent(on).end;
    let edits = vec![
        Edit::insert(end, format!(" AND {}", statement.text_of(span))),
        Edit::replace(SqlSpan { start: from, end: span.end }, ""),
    ];
    (end > 0 && end <= from).then(|| Fix::offer("move the condition to the ON clause", edits))
}
