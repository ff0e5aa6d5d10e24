//! A07 group-ordinal/constant: an ordinal that exceeds the select list, or a constant, in GROUP BY or ORDER BY.
//!
//! why: an ordinal out of range is rejected, and a constant neither groups nor sorts anything.
//! wrong: `SELECT city, count(*) FROM users GROUP BY 1, 'x'`
//! right: `SELECT city, count(*) FROM users GROUP BY 1`

use crate::bind::Block;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{Expr, Literal, SelectItem};

pub(super) static RULE: Rule = Rule::new("A07", "group-ordinal/constant", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        for expr in &block.select.group_by {
            one(statement, block, expr, "GROUP BY", found);
        }
        for item in &block.query.order_by {
            one(statement, block, &item.expr, "ORDER BY", found);
        }
    }
}

fn one(
    statement: &Statement<'_>,
    block: &Block<'_>,
    expr: &Expr,
    clause: &str,
    found: &mut Vec<Finding>,
) {
    let span = statement.extent(expr);
    match expr {
        Expr::Literal(Literal::Number(text), _) => {
            let count = block.outputs.len();
            let place: Option<usize> = text.parse().ok();
            let known = block.outputs.len() >= block.select.items.len();
            if known && place.is_none_or(|place| place == 0 || place > count) {
                let message = format!(
                    "{clause} position {text} is out of range; the select list has {count} columns"
                );
                found.push(Finding::new(&RULE, message, span));
            } else if clause == "GROUP BY"
                && place.is_some_and(|place| is_aggregate(statement, block, place))
            {
                let message = format!("GROUP BY position {text} is an aggregate");
                found.push(Finding::new(&RULE, message, span));
            }
        }
        Expr::Literal(..) => {
            found.push(Finding::new(
                &RULE,
                format!("{clause} uses a constant, which has no effect"),
                span,
            ));
        }
        _ => {}
    }
}

fn is_aggregate(statement: &Statement<'_>, block: &Block<'_>, place: usize) -> bool {
    matches!(block.select.items.get(place - 1), Some(SelectItem::Expr { expr: Expr::Function(call), .. })
        if call.over.is_none() && crate::guard::is_aggregate(call, statement.dialect))
}
