//! P09 leading-wildcard / case: LIKE without a wildcard, or case-sensitive LIKE on text.
//!
//! why: without a wildcard only equal text matches, and case-sensitive LIKE misses other spellings of a name.
//! wrong: `SELECT id FROM users WHERE name LIKE 'Ann'`
//! right: `SELECT id FROM users WHERE name ILIKE '%ann%'`

use super::support::text_literal;
use crate::Dialect;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::Expr;
use crate::walk::walk;

pub(super) static RULE: Rule = Rule::new("P09", "like", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| {
            let Expr::Like { operand, pattern, case_insensitive, .. } = expr else { return };
            let Some(text) = text_literal(pattern) else { return };
            let message = if !text.contains(['%', '_']) {
                "LIKE without a wildcard matches only the exact text"
            } else if statement.dialect == Dialect::Postgres
                && !case_insensitive
                && statement.bound.column_of(operand).is_some()
                && text.chars().any(char::is_alphabetic)
            {
                "LIKE is case-sensitive; ILIKE is not"
            } else {
                return;
            };
            found.push(Finding::new(&RULE, message, statement.extent(expr)));
        });
    });
}
