//! A06 distinct+group: SELECT DISTINCT with a GROUP BY whose keys are selected.
//!
//! why: the grouped rows are distinct already; a redundant DISTINCT hides the intent and costs a sort.
//! wrong: `SELECT DISTINCT city, count(*) FROM users GROUP BY city`
//! right: `SELECT city, count(*) FROM users GROUP BY city`

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::SelectItem;

pub(super) static RULE: Rule = Rule::new("A06", "distinct+group", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (place, block) in statement.blocks() {
        let select = block.select;
        if !select.distinct || !select.distinct_on.is_empty() || select.group_by.is_empty() {
            continue;
        }
        let shown = |expr| {
            select
                .items
                .iter()
                .any(|it| matches!(it, SelectItem::Expr { expr: own, .. } if own == expr))
        };
        if statement.bound.grouped_by(place).into_iter().all(shown) {
            let Some(SelectItem::Expr { expr, .. }) = select.items.first() else { continue };
            let Some(at) = statement.token_at(statement.extent(expr).start).checked_sub(1) else {
                continue;
            };
            let Some(span) = statement.tokens.get(at).copied() else { continue };
            let fix = statement
                .is_word(at, "distinct")
                .then(|| Fix::safe("remove DISTINCT", vec![Edit::replace(span, "")]));
            found.push(
                Finding::new(
                    &RULE,
                    "DISTINCT is redundant: GROUP BY already makes the rows distinct",
                    span,
                )
                .fix(fix),
            );
        }
    }
}
