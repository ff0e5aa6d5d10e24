//! O04 union-dedupe: UNION, which removes duplicate rows; UNION ALL keeps them.
//!
//! why: removing duplicates costs a sort, and it silently drops equal rows that were all meant to count.
//! wrong: `SELECT city FROM users UNION SELECT status FROM orders`
//! right: `SELECT city FROM users UNION ALL SELECT status FROM orders`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::SetOperator;

pub(super) static RULE: Rule = Rule::new("O04", "union-dedupe", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for set in &statement.bound.set_operations {
        if set.operator == SetOperator::Union && !set.all {
            let from = statement.token_at(set.span.start);
            let word = (0..from).rev().find(|at| statement.is_word(*at, "union"));
            let span = word.and_then(|at| statement.tokens.get(at)).copied().unwrap_or(set.span);
            found.push(Finding::new(
                &RULE,
                "UNION removes duplicate rows; UNION ALL keeps them",
                span,
            ));
        }
    }
}
