//! S02 shape-per: the question asks for one row per value, and the statement does not group by it or does not show it.
//!
//! why: the result has another level of detail than the question, or rows that nobody can attribute.
//! asked: `{"per": [{"table": "users", "column": "city"}]}`
//! wrong: `SELECT count(*) FROM users`
//! right: `SELECT city, count(*) FROM users GROUP BY city`

use crate::bind::Block;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::SqlSpan;
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("S02", "shape-per", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(asked) = statement.asked else { return };
    let Some(block) = statement.bound.blocks.first() else { return };
    for per in &asked.per {
        let grouped = statement.blocks().any(|(place, block)| {
            let is_it = |origin: crate::bind::Origin<'_>| {
                origin.table.has_key(&per.table) && origin.column.name == per.column
            };
            let mut found = false;
            for expr in statement.bound.grouped_by(place) {
                walk(expr, &mut |part| found |= statement.bound.origin_of(part).is_some_and(is_it));
            }
            let determined = statement.bound.determined(place, true);
            found
                || determined.iter().any(|it| statement.bound.origin(*it).is_some_and(is_it))
                || !block.aggregates && shows(statement, block, &per.table, &per.column)
        });
        if !grouped {
            let message = format!(
                "the question asks for one row per `{}`, but the statement does not group by it",
                per.column
            );
            found.push(Finding::new(&RULE, message, SqlSpan::default()));
        } else if !shows(statement, block, &per.table, &per.column)
            && !shows_another(block, &per.table)
        {
            let message = format!("`{}` is in GROUP BY but not in the result", per.column);
            found.push(Finding::new(&RULE, message, SqlSpan::default()));
        }
    }
}

/// Whether a column is among the output columns, possibly inside an expression.
fn shows(statement: &Statement<'_>, block: &Block<'_>, table: &str, column: &str) -> bool {
    block.outputs.iter().any(|output| {
        let is_it = |origin: crate::bind::Origin<'_>| {
            origin.table.has_key(table) && origin.column.name == column
        };
        let mut found = output.origin.is_some_and(is_it);
        if let Some(expr) = output.expr {
            walk(expr, &mut |part| found |= statement.bound.origin_of(part).is_some_and(is_it));
        }
        found
    })
}

/// Whether the output has any column of the table, which can identify the group.
fn shows_another(block: &Block<'_>, table: &str) -> bool {
    block.outputs.iter().any(|output| output.origin.is_some_and(|it| it.table.has_key(table)))
}
