//! S05 shape-columns: the question asks for a column that the statement does not show.
//!
//! why: the result lacks what the question asks for.
//! asked: `{"columns": [{"table": "users", "column": "email"}]}`
//! wrong: `SELECT id FROM users`
//! right: `SELECT email FROM users`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::SqlSpan;
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("S05", "shape-columns", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(asked) = statement.asked else { return };
    let Some(block) = statement.bound.blocks.first() else { return };
    for wanted in &asked.columns {
        let is_it = |origin: crate::bind::Origin<'_>| {
            origin.table.has_key(&wanted.table) && origin.column.name == wanted.column
        };
        let shown = block.outputs.iter().any(|output| {
            let mut found = output.origin.is_some_and(is_it);
            if let Some(expr) = output.expr {
                walk(expr, &mut |part| found |= statement.bound.origin_of(part).is_some_and(is_it));
            }
            found
        });
        if !shown {
            let message = format!(
                "the question asks for `{}`, but the result does not include it",
                wanted.column
            );
            found.push(Finding::new(&RULE, message, SqlSpan::default()));
        }
    }
}
