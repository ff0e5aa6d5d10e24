//! J07 where-join: comma-separated sources that WHERE joins.
//!
//! why: JOIN … ON keeps each join condition next to its table, so that a missing one is noticed.
//! wrong: `SELECT u.name FROM users u, orders o WHERE u.id = o.user_id`
//! right: `SELECT u.name FROM users u JOIN orders o ON u.id = o.user_id`

use crate::bind::Joined;
use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("J07", "where-join", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        for (at, source) in block.sources.iter().enumerate() {
            let joined = block.equalities.iter().any(|equal| {
                equal.source.is_none() && (equal.left.source == at || equal.right.source == at)
            });
            if matches!(source.join, Joined::Comma) && joined {
                let called = statement.source_label(source);
                let message = format!("{called} is joined in WHERE; use JOIN … ON");
                let span = source.name.map_or(source.span, |name| name.span);
                found.push(Finding::new(&RULE, message, span));
            }
        }
    }
}
