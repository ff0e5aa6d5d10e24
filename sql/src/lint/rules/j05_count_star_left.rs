//! J05 count-star-left: COUNT(*) over a LEFT JOIN.
//!
//! why: a row without a match counts as 1 instead of 0.
//! wrong: `SELECT u.name, count(*) FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.name`
//! right: `SELECT u.name, count(o.id) FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.name`

use crate::bind::{Block, Joined};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Argument, Expr, FunctionCall, JoinKind, Literal, SqlSpan};

pub(super) static RULE: Rule = Rule::new("J05", "count-star-left", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let Some(block) = statement.bound.blocks.get(call.place.block) else { continue };
        if call.is_aggregate
            && counts_rows(call.call)
            && call.call.filter.is_none()
            && !block.select.group_by.is_empty()
            && let Some(source) = only_outer(block)
            && !checks_partner(statement, block, source)
        {
            let called = statement.source_label(&block.sources[source]);
            let message = format!("a group without a row of {called} counts as 1 instead of 0");
            let finding = Finding::new(&RULE, message, call.call.span);
            found.push(finding.fix(mend(statement, block, source, call.call)));
        }
    }
}

fn counts_rows(call: &FunctionCall) -> bool {
    call.name == "count"
        && matches!(
            call.arguments.as_slice(),
            [] | [Argument::Star | Argument::Expr(Expr::Literal(Literal::Number(_), _))]
        )
}

/// The last joined source, if it is joined by LEFT JOIN.
fn only_outer(block: &Block<'_>) -> Option<usize> {
    let last = block.sources.iter().rposition(|it| matches!(it.join, Joined::Join(..)))?;
    matches!(block.sources[last].join, Joined::Join(JoinKind::Left, _)).then_some(last)
}

/// Whether WHERE has a condition on the joined source, such as IS NULL.
fn checks_partner(statement: &Statement<'_>, block: &Block<'_>, source: usize) -> bool {
    block.conditions.iter().filter(|it| it.source.is_none()).any(|condition| {
        let mut touches = false;
        crate::walk::walk(condition.expr, &mut |expr| {
            touches |= statement.bound.column_of(expr).is_some_and(|it| it.source == source);
        });
        touches
    })
}

fn mend(
    statement: &Statement<'_>,
    block: &Block<'_>,
    source: usize,
    call: &FunctionCall,
) -> Option<Fix> {
    let bound = block.sources.get(source)?;
    let joined = block
        .equalities
        .iter()
        .find_map(|equal| [equal.left, equal.right].into_iter().find(|it| it.source == source));
    let column = match bound.table.map(|table| table.primary_key.as_slice()) {
        Some([key]) => key.clone(),
        _ => bound.columns.name(joined?.column)?.to_owned(),
    };
    let open = statement.token_at(call.span.start) + 1;
    let close = statement.closing(open);
    let inside =
        SqlSpan { start: statement.tokens.get(open)?.end, end: statement.tokens.get(close)?.start };
    let counted = match statement.called(bound) {
        Some(called) => format!("{called}.{}", statement.written(&column)),
        None => statement.written(&column),
    };
    Some(Fix::safe(format!("count `{counted}`"), vec![Edit::replace(inside, counted)]))
}
