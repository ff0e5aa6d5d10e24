//! S07 grain: the question asks for rows of one table, and a join duplicates them.
//!
//! why: the same row is listed several times.
//! asked: `{"entity": "users", "lists_rows": true}`
//! wrong: `SELECT u.name FROM users u JOIN orders o ON o.user_id = u.id`
//! right: `SELECT DISTINCT u.id, u.name FROM users u JOIN orders o ON o.user_id = u.id`

use super::support::multiplied_by;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::SqlSpan;

pub(super) static RULE: Rule = Rule::new("S07", "grain", Severity::Warning, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let Some(entity) = statement.asked.and_then(|asked| asked.entity.as_ref()) else { return };
    let Some(block) = statement.bound.blocks.first() else { return };
    if block.select.distinct || block.aggregates {
        return;
    }
    let is_entity =
        |it: &crate::bind::Source<'_>| it.table.is_some_and(|table| table.has_key(entity));
    let Some(of) = block.sources.iter().position(is_entity) else { return };
    // Output columns of the table that duplicates the rows distinguish them.
    let many: Vec<usize> = multiplied_by(statement, 0, of)
        .into_iter()
        .filter(|source| {
            let table = block.sources.get(*source).and_then(|it| it.table);
            !block.outputs.iter().any(|output| {
                matches!((output.origin, table), (Some(origin), Some(table)) if std::ptr::eq(origin.table, table))
            })
        })
        .collect();
    if let Some(repeats) = many.first() {
        let called =
            block.sources.get(*repeats).map_or_else(String::new, |it| statement.source_label(it));
        let message =
            format!("each row of `{entity}` is repeated for every matching row of {called}");
        found.push(Finding::new(&RULE, message, SqlSpan::default()));
    }
}
