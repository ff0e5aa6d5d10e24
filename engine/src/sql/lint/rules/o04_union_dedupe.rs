//! O04 union-dedupe: UNION, which merges rows that are alike; UNION ALL keeps each.
//!
//! wrong: `SELECT city FROM users UNION SELECT status FROM orders`
//! right: `SELECT city FROM users UNION ALL SELECT status FROM orders`

use crate::sql::lint::{Finding, Rule, Severity, Statement};
use crate::sql::tree::SetOperator;

pub(super) static RULE: Rule = Rule::new("O04", "union-dedupe", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for set in &statement.bound.set_operations {
        if set.operator == SetOperator::Union && !set.all {
            let from = statement.token_at(set.span.start);
            let word = (0..from).rev().find(|at| statement.is_word(*at, "union"));
            let span = word.and_then(|at| statement.tokens.get(at)).copied().unwrap_or(set.span);
            found.push(Finding::new(&RULE, "union merges rows that are alike", span));
        }
    }
}
